import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';
import {parseArguments} from '../../../src/cli/arguments/args.ts';
import {type Io, sleep} from '../../../src/cli/io/io.ts';
import {openClusterClient} from '../../../src/cli/kube/cluster-client.ts';
import {clusterRemarks} from '../../../src/cli/kube/cluster-remarks.ts';
import {findSites} from '../../../src/cli/kube/find-sites.ts';
import {openChosenClusters} from '../../../src/cli/kube/kube-flags.ts';
import {joinKubeconfigs} from '../../support/kubernetes/join-kubeconfigs.ts';
import {type KubeDouble, startKubeDouble} from '../../support/kubernetes/start-kube-double.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
let eu: KubeDouble;
let us: KubeDouble;

beforeAll(async () => {
  folder = createTempFolder('contexts');
  [eu, us] = await Promise.all([startKubeDouble(), startKubeDouble()]);
  eu.workloads.createDeployment({namespace: 'shop', name: 'web-eu'});
  eu.workloads.createDeployment({namespace: 'blog', name: 'blog'});
  us.workloads.createDeployment({namespace: 'shop', name: 'web-us'});
});

afterAll(async () => {
  await Promise.all([eu.close(), us.close()]);
  folder.remove();
});

const refused = {token: 'expired', namespace: 'shop'};

/** Opens what a command line says on a machine with the contexts `eu` and `arn:us/prod`. */
const open = async (
  line: string,
  {isRefused = false, wanted = undefined as string | undefined, clock = {}, more = [] as readonly string[]} = {},
) => {
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    joinKubeconfigs({
      eu: {double: eu},
      'arn:us/prod': {double: us, ...(isRefused && {login: refused})},
      ...Object.fromEntries(more.map(name => [name, {double: us}])),
    }),
  );
  const said: string[] = [];
  const say = (words: string): void => void said.push(words.replace(us.url, 'US').replaceAll(folder.path, ''));
  const stream = new PassThrough();
  const io: Io = {
    stdin: stream,
    stdout: stream,
    stderr: stream,
    env: {KUBECONFIG: kubeconfig, XDG_STATE_HOME: folder.path},
    homeFolder: undefined,
    clock: {nowMs: Date.now, monotonicMs: () => performance.now(), sleep, ...clock},
    random: () => 0.5,
    onStopSignal: () => () => undefined,
  };
  const parsed = parseArguments(['kube', ...line.split(' ').filter(Boolean)]);
  const clusters = await openChosenClusters(parsed, io, say);
  onTestFinished(() => Promise.all(clusters.map(({client}) => client.close())).then(() => undefined));
  const {parts, notice} = await findSites(clusters, {parsed, io, wanted, say, warn: say, hasEvents: false});
  const ids = parts.flatMap(({sites}) => sites.map(({id}) => id));
  const client = async () => {
    const opened = await openClusterClient(
      parts,
      {bufferMb: 1, firstRead: undefined, isPrevious: false},
      {io, warn: say},
    );
    onTestFinished(opened.stop);
    return opened;
  };
  return {ids, notice, said, client, clusters};
};

const both = '--context eu --context arn:us/prod';

test('sites of several contexts are named by them; those of one are not', async () => {
  expect((await open('')).ids).toEqual(['shop', 'blog']);
  expect((await open('--context arn:us/prod')).ids).toEqual(['shop']);
  for (const line of [both, '--kube-context eu --context arn:us/prod --context eu', '--all-contexts']) {
    const {ids, said, client} = await open(line);
    expect([ids, said]).toEqual([['eu/shop', 'eu/blog', 'arn:us/prod/shop'], []]);
    const {client: asked, service} = await client();
    const names = async (id: string) => (await asked.listBranches(id)).value.map(({name}) => name);
    expect([await names('eu/shop'), await names('arn:us/prod/shop'), await names('eu/blog')]).toEqual([
      ['web-eu'],
      ['web-us'],
      ['blog'],
    ]);
    expect([service.name, service.host]).toEqual(['eu, arn:us/prod', '2 clusters']);
  }
});

test('of more than three contexts the header has their number', async () => {
  const nameOf = async (more: readonly string[]) =>
    (await (await open('--all-contexts', {more})).client()).service.name;
  expect(await nameOf(['asia'])).toBe('eu, arn:us/prod, asia');
  expect(await nameOf(['asia', 'africa'])).toBe('4 contexts');
});

test('a namespace is looked for in each context, or in the one that stands before it', async () => {
  expect((await open(both, {wanted: 'shop'})).ids).toEqual(['eu/shop', 'arn:us/prod/shop']);
  const {ids, said} = await open(both, {wanted: 'blog'});
  expect([ids, said]).toEqual([['eu/blog'], []]);
  expect((await open(both, {wanted: 'arn:us/prod/shop'})).ids).toEqual(['arn:us/prod/shop']);
  await expect(open(both, {wanted: 'nowhere'})).rejects.toThrow('has no namespace "nowhere"');
});

test('a context that refuses is a site that says so, and keeps no other from being read', async () => {
  const {ids, said, client} = await open(both, {isRefused: true});
  const refusal = 'US does not accept user "arn:us/prod" of /kubeconfig (401): log in again, or renew the credentials.';
  expect([ids, said]).toEqual([['eu/shop', 'eu/blog', 'arn:us/prod/shop'], [`arn:us/prod: ${refusal}`]]);
  const {client: asked} = await client();
  expect((await asked.listBranches('eu/shop')).value.map(({name}) => name)).toEqual(['web-eu']);
  await expect(asked.listBranches('arn:us/prod/shop')).rejects.toThrow('does not accept user "arn:us/prod"');
  await expect(open('--context arn:us/prod', {isRefused: true})).rejects.toThrow('(401)');
});

test('a context that does not answer is not waited for', async () => {
  let waits = 0;
  const clock = {
    sleep: (ms: number, signal?: AbortSignal) => {
      waits += ms === 5_000 ? 1 : 0;
      // Of the two waits, the first is over at once.
      return ms === 5_000 && waits === 1 ? Promise.resolve() : sleep(ms, signal);
    },
  };
  const {said, ids} = await open(both, {clock});
  expect(ids).toEqual(['eu/shop', 'arn:us/prod/shop']);
  expect(said).toEqual([`eu: ${eu.url} did not answer within 5 s`]);
});

test('a context that cannot be used is an error if it was named, and left out of all', async () => {
  await expect(open('--context eu --context nowhere')).rejects.toThrow('There is no context "nowhere" in ');
  await expect(open('--all-contexts --context eu')).rejects.toThrow(
    '--all-contexts and --context: leave one of them out',
  );
  const {values} = parseArguments(['logs', '--kube', 'shop', 'web', '--context', 'a', '--context', 'b']);
  expect(values.get('context')).toEqual(['b']);
});

test('what is said of one of several contexts begins with its name', async () => {
  const {clusters} = await open('--context eu --context arn:us/prod --as jane');
  expect(clusterRemarks(clusters).map(({words}) => words)).toEqual(['eu: as jane', 'arn:us/prod: as jane']);
  expect(clusterRemarks(clusters.slice(0, 1)).map(({words}) => words)).toEqual(['as jane']);
});
