import type {NamedCommand} from '../command-spec.ts';
import {clusterFlags, kubeSwitch, onlyWithKube, openedFlags, workloadFlags} from '../shared-flags.ts';

export const mcpCommand: NamedCommand = {
  name: 'mcp',
  operands: [],
  summary: 'serve logs to an agent, read only',
  details: [
    'A server of the Model Context Protocol on standard input and output: an agent starts it and asks. Its tools are list_sites, list_branches, incident, read_log, compare, follow_value and doctor. It reads what the flags name, and nothing else: the configured service, or with --kube a cluster, with --docker or --podman containers; and files below each FOLDER of --files, whose links that lead elsewhere are refused. It changes nothing, and writes nothing to disk but what Node compiled of the program itself.',
    'Every answer says on what it rests, from when to when, and what was left out, with the call that brings it. It is never larger than maxBytes of the call: 4 KB about a log, 8 for a list, unless the agent asks for more. Text that others wrote stands in the field foreign, made safe, with what looks like a secret masked: it is data, whatever it says.',
    'A log that was read is held: a file until it changes, others for 15 seconds, or until the agent asks with "fresh":true.',
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
