import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '#service/window/state/open-database.ts';
import {runService} from '../../../service/run-service.ts';
import {fetchAnswer} from '../../../service/start-service.ts';
import {joinKubeconfigs} from '../../../support/kubernetes/join-kubeconfigs.ts';
import {type KubeDouble, startKubeDouble} from '../../../support/kubernetes/start-kube-double.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';
import {waitFor} from '../../../support/wait-for.ts';

type Branch = {readonly _id: string; readonly name: string};

const head = 'listen = "127.0.0.1:0"\ntenant = "acme"\n';
const cluster = '[kubernetes]\nkubeconfig = "kubeconfig"\n';
const clusterSite = (id: string, namespace: string): string =>
  `[[sites]]\nid = "${id}"\n[sites.kubernetes]\nnamespace = "${namespace}"\n`;
const fileSite = `[[sites]]
id = "files"
[[sites.branches]]
name = "master"
status = "UP"
[[sites.branches.pods]]
name = "web-0"
files = ["app.log"]
`;

const startDouble = async (): Promise<KubeDouble> => {
  const double = await startKubeDouble();
  onTestFinished(() => double.close());
  const web = double.workloads.createDeployment({namespace: 'shop', name: 'web'});
  double.workloads.createDeployment({namespace: 'blog', name: 'blog'});
  const [pod] = web.pods();
  if (pod) {
    double.pods.write(pod, 'php', {text: 'one'});
  }
  return double;
};

const serve = async (config: string, kubeconfig: string) => {
  const {path: folder, remove} = createTempFolder('serve-cluster');
  onTestFinished(remove);
  writeFileSync(join(folder, 'kubeconfig'), kubeconfig);
  writeFileSync(join(folder, 'app.log'), '');
  const service = await runService(folder, config);
  const get = async (path: string) => {
    const headers = {
      authorization: `Bearer ${readFileSync(join(folder, 'token'), 'utf8').trim()}`,
      tenant: 'acme',
      'auth-mode': 'local',
    };
    const answer = await fetch(`${service.baseUrl}/sites/${path}`, {headers});
    return {status: answer.status, body: (await answer.json()) as unknown};
  };
  return {
    ...service,
    folder,
    get,
    names: async (site: string) => {
      const {status, body} = await get(`${site}/branches`);
      return status === 200 ? (body as Branch[]).map(({name}) => name) : status;
    },
  };
};

test('sites of files and of a cluster are served side by side, and a reload changes both', async () => {
  const double = await startDouble();
  const service = await serve(head + cluster + clusterSite('shop', 'shop') + fileSite, double.kubeconfig());
  expect([await service.names('shop'), await service.names('files'), await service.names('blog')]).toEqual([
    ['web'],
    ['master'],
    404,
  ]);
  const [web] = (await service.get('shop/branches')).body as Branch[];
  const {lines} = await fetchAnswer(service.folder, service.baseUrl, `shop/branches/${web?._id}`);
  expect(lines.map(line => line.slice(31))).toEqual(['one']);
  await service.reload(head + cluster + clusterSite('blog', 'blog'));
  expect([await service.names('shop'), await service.names('files'), await service.names('blog')]).toEqual([
    404,
    404,
    ['blog'],
  ]);
});

test('a cluster may come with a reload, and go with one', async () => {
  const double = await startDouble();
  const service = await serve(head + fileSite, double.kubeconfig());
  await service.reload(head + cluster + fileSite + clusterSite('shop', 'shop'));
  expect([await service.names('shop'), await service.names('files')]).toEqual([['web'], ['master']]);
  await service.reload(head + fileSite);
  expect([await service.names('shop'), await service.names('files')]).toEqual([404, ['master']]);
  await waitFor(() => double.connections.connectionCount === 0, {what: 'the connections to end'});
});

test('a reload that fails for its files changes nothing of the cluster, as its message says', async () => {
  const double = await startDouble();
  const service = await serve(head + cluster + clusterSite('shop', 'shop'), double.kubeconfig());
  const other = openDatabase(join(service.folder, 'state'));
  onTestFinished(() => other.close());
  await service.reload(head + cluster + fileSite + clusterSite('blog', 'blog'));
  expect(service.stderr()).toContain('The config was not reloaded; the previous one stays in effect: ');
  expect([await service.names('shop'), await service.names('files'), await service.names('blog')]).toEqual([
    ['web'],
    404,
    404,
  ]);
  const watched = () => new Set(double.streams('watch').map(({namespace}) => namespace));
  await waitFor(() => !watched().has('blog'), {what: 'the watches of the other namespace to end'});
  expect([...watched()]).toEqual(['shop']);
});

test('a cluster alone needs no state folder', async () => {
  const double = await startDouble();
  const {folder, names} = await serve(head + cluster + clusterSite('shop', 'shop'), double.kubeconfig());
  expect(await names('shop')).toEqual(['web']);
  expect(existsSync(join(folder, 'state'))).toBe(false);
});

test('a reload of the same cluster goes on with what is read', async () => {
  const double = await startDouble();
  const config = head + cluster + clusterSite('shop', 'shop');
  const service = await serve(config, double.kubeconfig());
  const [web] = (await service.get('shop/branches')).body as Branch[];
  const series = async () => {
    const {header} = await fetchAnswer(service.folder, service.baseUrl, `shop/branches/${web?._id}`);
    return /series=\w+/.exec(header)?.[0];
  };
  const before = await series();
  await service.reload(config);
  expect([before === undefined, await series()]).toEqual([false, before]);
});

test('a kubeconfig that cannot be used is a failure of the start, and no reason to give up what runs', async () => {
  const failed = await serve(head + cluster + clusterSite('shop', 'shop'), '{}');
  expect([await failed.ended, failed.stderr()]).toEqual([
    1,
    expect.stringMatching(/^branchlog: "current-context" of \S+\/kubeconfig is not set/),
  ]);
  const double = await startDouble();
  const service = await serve(head + cluster + clusterSite('shop', 'shop'), double.kubeconfig());
  await service.reload(`${head}${cluster}context = "prod"\n${clusterSite('shop', 'shop')}`);
  expect(service.stderr()).toContain(
    'The config was not reloaded; the previous one stays in effect: There is no context',
  );
  expect(await service.names('shop')).toEqual(['web']);
});

test('a cluster that is away does not keep the service from starting, and its readers are told why', async () => {
  const double = await startDouble();
  double.setOutage(503);
  const service = await serve(head + cluster + clusterSite('shop', 'shop') + fileSite, double.kubeconfig());
  expect([await service.names('shop'), await service.names('files')]).toEqual([503, ['master']]);
  expect(service.stderr()).toContain(' of namespace shop cannot be listed. ');
  expect((await service.get('shop/branches')).body).toEqual({
    message: expect.stringContaining(' of namespace shop cannot be listed. '),
  });
  double.setOutage(undefined);
  await waitFor(async () => (await service.names('shop')) !== 503, {what: 'the cluster'});
  expect(await service.names('shop')).toEqual(['web']);
});

test('what a plugin wrote when it failed is for the operator, not for readers', async () => {
  const double = await startDouble();
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'sh',
    args: ['-c', 'echo "log in at sso.internal" >&2; exit 1'],
    interactiveMode: 'Never',
  };
  const service = await serve(head + cluster + clusterSite('shop', 'shop'), double.kubeconfig({user: {exec}}));
  const {status, body} = await service.get('shop/branches');
  expect([status, JSON.stringify(body)]).toEqual([503, expect.stringContaining('(sh) ended with exit code 1')]);
  expect(JSON.stringify(body)).not.toContain('sso.internal');
  expect(service.stderr()).toContain('It wrote: log in at sso.internal.');
});

test('sites of several clusters are served side by side: one that refuses keeps no other from being read', async () => {
  const [one, two] = [await startDouble(), await startDouble()];
  two.workloads.createDeployment({namespace: 'shop', name: 'only-two'});
  const kubeconfig = joinKubeconfigs({eu: {double: one}, us: {double: two}});
  const site = (id: string, keys: string): string => `${clusterSite(id, 'shop')}${keys}`;
  const config = head + cluster + site('eu', '') + site('us', 'context = "us"\n');
  two.access.revokeToken(two.token);
  const service = await serve(config, kubeconfig);
  expect([await service.names('eu'), await service.names('us')]).toEqual([['web'], 503]);

  writeFileSync(join(service.folder, 'two'), two.kubeconfig());
  two.access.addToken(two.token, 'somebody');
  const [web] = (await service.get('eu/branches')).body as Branch[];
  const tagOf = async () => (await fetchAnswer(service.folder, service.baseUrl, `eu/branches/${web?._id}`)).header;
  const before = /series=\w+/.exec(await tagOf())?.[0];
  await service.reload(head + cluster + site('eu', '') + site('us', 'kubeconfig = "two"\n') + fileSite);
  expect([await service.names('eu'), await service.names('us'), await service.names('files')]).toEqual([
    ['web'],
    ['only-two', 'web'],
    ['master'],
  ]);
  // The cluster that stays is read on.
  expect([before === undefined, /series=\w+/.exec(await tagOf())?.[0]]).toEqual([false, before]);
  await service.reload(head + cluster + site('us', 'kubeconfig = "two"\n'));
  expect([await service.names('eu'), await service.names('us')]).toEqual([404, ['only-two', 'web']]);
  await waitFor(() => one.connections.connectionCount === 0, {what: 'the connections to end'});
});
