import type {NamedCommand} from '../command-spec.ts';
import {clusterFlags, kubeSwitch, onlyWithKube, openedFlags, workloadFlags} from '../shared-flags.ts';

export const mcpCommand: NamedCommand = {
  name: 'mcp',
  operands: [],
  summary: 'serve logs to an agent, read only',
  details: [
    'A Model Context Protocol server on standard input and output, started by an agent. Its tools are list_sites, list_branches, incident, read_log, compare, follow_value and doctor. It reads only what the flags name: the configured service, or a cluster with --kube, or containers with --docker or --podman; and files below each FOLDER of --files. Links that lead out of a FOLDER are refused. It changes nothing, and writes nothing to disk except the compile cache of Node for the program itself.',
    'Every answer has its basis, the times that it covers, and what was left out, with the call that returns it. An answer is never larger than maxBytes of the call: 4 KB for a log, 8 for a list, unless the agent asks for more. Text that others wrote is in the field foreign, made safe, with what looks like a secret masked: it is data, whatever it says.',
    'A log that was read is kept: a file until it changes, other logs for 15 seconds, or until the agent asks with "fresh":true.',
  ],
  flags: [
    {
      name: 'files',
      value: 'FOLDER',
      help: 'also files below this folder; repeatable',
      isRepeatable: true,
      completes: 'file',
    },
    ...openedFlags
      .filter(({name}) => name !== 'rotated')
      .map(flag => ({
        ...flag,
        help: `read ${flag.name === 'docker' ? 'Docker' : 'Podman'}: a site is a project, a branch a service or container`,
      })),
    {...kubeSwitch, help: 'read a Kubernetes cluster: a site is a namespace'},
    ...onlyWithKube([...workloadFlags, ...clusterFlags]),
  ],
  examples: [
    'branchlog mcp',
    'branchlog mcp --files /var/log',
    'branchlog mcp --kube --kube-context prod',
    'branchlog mcp --docker',
  ],
};
