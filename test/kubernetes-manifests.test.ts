import {execFile, spawnSync} from 'node:child_process';
import {chmodSync, copyFileSync, globSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, matchesGlob} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {parse, parseAllDocuments} from 'yaml';
import {formatClusterRole} from '#cli/commands/doctor/checks/cluster-role.ts';
import {processIo} from '#cli/io/io.ts';
import {lineSources} from '#cli/line-sources.ts';
import {createClusterBackend} from '#cli/open/kube/cluster-backend.ts';
import {readServeSettings} from '#config/serve/serve-settings.ts';
import packageJson from '../package.json' with {type: 'json'};
import {packageNames} from '../scripts/package-files.ts';
import {startCluster} from './service/kubernetes/start-cluster.ts';
import {makeSite} from './service/kubernetes/start-directory.ts';
import {startKubeDouble} from './support/kubernetes/start-kube-double.ts';
import {createTempFolder} from './support/temp-folder.ts';
import {waitFor} from './support/wait-for.ts';

const folder = 'docs/kubernetes';
/** As Kubernetes reads YAML: by version 1.1, where 0440 is octal. */
const read = (name: string) => parse(readFileSync(join(folder, name), 'utf8'), {version: '1.1'});

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

/** Of a copy: a checkout may be writable by its group. */
const readConfig = async () => {
  const copy = createTempFolder('manifests');
  try {
    const path = join(copy.path, 'serve.toml');
    copyFileSync(join(folder, 'serve.toml'), path);
    chmodSync(path, 0o644);
    return await readServeSettings(path, lineSources);
  } finally {
    copy.remove();
  }
};

const settings = await readConfig();
if ('socketPath' in settings) {
  throw new Error('The service listens on a socket.');
}

test('the kustomization names every manifest, and each has its kind and name', () => {
  const names = globSync('*.yaml', {cwd: folder}).filter(name => name !== 'kustomization.yaml');
  expect(read('kustomization.yaml').resources.toSorted()).toEqual(names.toSorted());
  for (const name of names) {
    expect(read(name), name).toMatchObject({
      apiVersion: expect.any(String),
      kind: expect.any(String),
      metadata: {name: 'branchlog'},
    });
  }
});

test('the Role and the RoleBinding are those that doctor prints', () => {
  const printed = parseAllDocuments(formatClusterRole('shop', 'system:serviceaccount:branchlog:branchlog'));
  expect(printed.map(document => document.toJS())).toEqual([read('role.yaml'), read('role-binding.yaml')]);
});

test('the text of the Role is what doctor prints, with what is optional named', () => {
  const text = readFileSync(join(folder, 'role.yaml'), 'utf8');
  const [role = ''] = formatClusterRole('shop', 'system:serviceaccount:branchlog:branchlog').split('---\n');
  expect(text.slice(text.indexOf('apiVersion:'))).toBe(role);
  expect(text.match(/# Optional: .+/g)).toEqual([
    '# Optional: without it, events are not among the lines.',
    '# Optional: without it, DaemonSets are not shown; the last activity of a branch must come from the config.',
    '# Optional: without it, Rollouts are not shown.',
    '# Optional: without it, CronJobs are not shown; Jobs are not shown.',
    '# Optional: without it, host names must come from the config.',
  ]);
});

test('the Role grants exactly what is asked of a cluster', async () => {
  const {double, client} = await startCluster({hasRollouts: true});
  double.workloads.createDeployment({namespace: 'shop', name: 'web'});
  const backend = createClusterBackend({
    client,
    sites: [makeSite({hasEvents: true})],
    windowLines: 100,
    windowPerPod: false,
    clock: processIo().clock,
    random: () => 0,
    warn: () => undefined,
  });
  onTestFinished(() => backend.close());
  await backend.start();
  const [web] = (await backend.listBranches('shop')) ?? [];
  await backend.readWindow('shop', web?._id ?? '');
  const {requests} = double;
  await waitFor(() => requests.some(({path}) => /\/events\?watch/.test(path)), {what: 'the watch of events'});
  const used = requests.flatMap(({path}) => {
    const {pathname, searchParams} = new URL(path, 'http://double');
    const [, resource, name, part] = /\/namespaces\/shop\/([^/]+)(?:\/([^/]+)\/([^/]+))?$/.exec(pathname) ?? [];
    // What a group has may be asked by anybody.
    return resource === undefined
      ? []
      : `${name ? 'get' : searchParams.has('watch') ? 'watch' : 'list'} ${resource}${part ? `/${part}` : ''}`;
  });
  type Rule = {readonly verbs: readonly string[]; readonly resources: readonly string[]};
  const granted = (read('role.yaml').rules as readonly Rule[]).flatMap(({verbs, resources}) =>
    resources.flatMap(resource => verbs.map(verb => `${verb} ${resource}`)),
  );
  expect([...new Set(used)].toSorted()).toEqual(granted.toSorted());
});

test('the config is taken as it stands, and fits the pod', () => {
  expect([settings.host, settings.tenant]).toEqual(['0.0.0.0', 'acme']);
  expect(settings.kubeSites.map(({id, namespace}) => [id, namespace])).toEqual([
    ['shop', read('role.yaml').metadata.namespace],
  ]);
  const {spec} = read('deployment.yaml').spec.template;
  const [container] = spec.containers;
  expect(container.ports).toEqual([{name: 'http', containerPort: settings.port}]);
  const mountOf = (name: string): string =>
    container.volumeMounts.find((mount: {name: string}) => mount.name === name).mountPath;
  expect(container.args).toEqual(['serve', `${mountOf('config')}/serve.toml`]);
  expect(settings.tokenFile).toBe(`${mountOf('token')}/token`);
  const {secret} = spec.volumes.find((volume: {name: string}) => volume.name === 'token');
  expect([secret.defaultMode, spec.securityContext.fsGroup]).toEqual([0o440, 1000]);
  expect(read('service.yaml').spec).toMatchObject({
    sessionAffinity: 'ClientIP',
    ports: [{port: settings.port, targetPort: 'http'}],
  });
  expect(read('network-policy.yaml').spec.ingress[0].ports).toEqual([{protocol: 'TCP', port: settings.port}]);
});

test('the image is built from the tarball, on a base that is asked for, and runs as the user of the pod', () => {
  const lines = readFileSync(join(folder, 'Dockerfile'), 'utf8').split('\n');
  const valuesOf = (word: string): readonly string[] =>
    lines.filter(line => line.startsWith(`${word} `)).map(line => line.slice(word.length + 1));
  expect([valuesOf('ARG'), valuesOf('FROM'), valuesOf('RUN')]).toEqual([['BASE'], ['$BASE AS unpacked', '$BASE'], []]);
  const {tarball} = packageNames(packageJson.version, 'x64');
  const [pattern = ''] = valuesOf('ADD')[0]?.split(' ') ?? [];
  expect(matchesGlob(tarball, pattern)).toBe(true);
  expect(readFileSync('docs/kubernetes.md', 'utf8')).toContain(`cp dist/packages/${tarball} docs/kubernetes`);
  const {runAsUser, runAsGroup} = read('deployment.yaml').spec.template.spec.securityContext;
  expect(valuesOf('USER')).toEqual([`${runAsUser}:${runAsGroup}`]);
  expect(valuesOf('COPY')[0]).toContain(` ${JSON.parse(valuesOf('ENTRYPOINT')[0] ?? '')[0]}`);
});

test('a pod without a volume to write to can serve: nothing but the token is needed beside the config', () => {
  const {securityContext, volumeMounts} = read('deployment.yaml').spec.template.spec.containers[0];
  expect(securityContext.readOnlyRootFilesystem).toBe(true);
  expect(volumeMounts.every((mount: {readOnly?: boolean}) => mount.readOnly)).toBe(true);
});

test.skipIf(!hasKubectl)('kubectl kustomize reads the folder', () => {
  const {status, stdout, stderr} = spawnSync('kubectl', ['kustomize', folder], {encoding: 'utf8'});
  expect([status, stderr]).toEqual([0, '']);
  const kinds = parseAllDocuments(stdout).map(document => document.toJS().kind);
  expect(kinds.toSorted()).toEqual([
    'ConfigMap',
    'Deployment',
    'Namespace',
    'NetworkPolicy',
    'Role',
    'RoleBinding',
    'Service',
    'ServiceAccount',
  ]);
});

test.skipIf(!hasKubectl)('the ten calls of scripts/kube-fixtures.sh write what a cluster answers', async () => {
  const temp = createTempFolder('fixtures');
  onTestFinished(() => temp.remove());
  const double = await startKubeDouble();
  onTestFinished(() => double.close());
  const web = double.workloads.createDeployment({namespace: 'shop', name: 'web'});
  const [pod] = web.pods();
  if (!pod) {
    throw new Error('The deployment has no pod.');
  }
  double.pods.write(pod, 'php', {text: 'before'});
  double.pods.restart(pod, 'php');
  double.pods.write(pod, 'php', {text: 'after'});
  writeFileSync(join(temp.path, 'kubeconfig'), double.kubeconfig());
  const answers = join(temp.path, 'answers');
  const {stdout} = await promisify(execFile)('scripts/kube-fixtures.sh', ['shop', pod.name, 'php', answers], {
    env: {PATH: process.env.PATH, HOME: temp.path, KUBECONFIG: join(temp.path, 'kubeconfig')},
  });
  expect(stdout.trim().split('\n')).toEqual([
    '01-version: exit code 0',
    '02-pods: exit code 0',
    '03-workloads: exit code 0',
    '04-watch: exit code 0',
    '05-watch-expired: exit code 0',
    '06-log-tail: exit code 0',
    '07-log-since: exit code 0',
    '08-log-previous: exit code 0',
    '09-log-no-container: exit code 1',
    '10-log-no-pod: exit code 1',
  ]);
  expect(readdirSync(answers)).toHaveLength(20);
  const answer = (name: string): string => readFileSync(join(answers, name), 'utf8');
  expect([answer('06-log-tail.out').slice(31), answer('08-log-previous.out').slice(31)]).toEqual([
    'after\n',
    'before\n',
  ]);
  expect(answer('10-log-no-pod.err')).toContain('404');
  expect(readdirSync(answers).filter(name => answer(name).includes(double.token))).toEqual([]);
});
