import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type {IncomingHttpHeaders} from 'node:http';
import {createServer} from 'node:https';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {type ClusterChoice, openCluster} from '#service/kubernetes/open-cluster.ts';
import {createTestAuthority} from '../../support/kubernetes/server/test-authority.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

const authority = createTestAuthority();
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Tokens that came, oldest first; those in `refused` get a 401. */
const seen: string[] = [];
const refused = new Set<string>();
let lastHeaders: IncomingHttpHeaders = {};
const server = createServer({cert: authority.server.cert, key: authority.server.key}, ({headers}, response) => {
  const token = headers.authorization ?? 'none';
  seen.push(token);
  lastHeaders = headers;
  response.statusCode = refused.has(token) ? 401 : 200;
  response.end('{}');
});
let url = '';
let folder: TempFolder;

beforeAll(async () => {
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  seen.length = 0;
  refused.clear();
  folder = createTempFolder('kube');
  return () => folder.remove();
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const write = (name: string, content: unknown): string => {
  const path = join(folder.path, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

type Fields = Readonly<Record<string, unknown>>;

/** A kubeconfig of one context, `main`. */
const configOf = ({cluster = {}, user = {}, context = {}}: Readonly<Record<string, Fields>> = {}) => ({
  'current-context': 'main',
  contexts: [{name: 'main', context: {cluster: 'c', user: 'u', ...context}}],
  clusters: [{name: 'c', cluster: {server: url, 'certificate-authority-data': base64(authority.ca), ...cluster}}],
  users: [{name: 'u', user: {token: 'good-token', ...user}}],
});

const open = (choice: Partial<ClusterChoice>) => openCluster({env: {}, homeFolder: folder.path, ...choice});

/** Opens what the file says, and asks once; returns the error's message. */
const tryOut = async (kubeconfig: string, choice: Partial<ClusterChoice> = {}): Promise<string> => {
  try {
    const {client} = await open({kubeconfigs: [kubeconfig], ...choice});
    await client.get('/version').finally(() => client.close());
    return 'no error';
  } catch (error) {
    return (error instanceof Error ? error.message : 'no message').replaceAll(folder.path, 'FOLDER');
  }
};

/** A file that was looked at within a second is not looked at again. */
const stopClock = (): void => {
  vi.useFakeTimers({toFake: ['performance']});
  onTestFinished(() => {
    vi.useRealTimers();
  });
};

test('takes the current context of ~/.kube/config, its namespace and its user', async () => {
  mkdirSync(join(folder.path, '.kube'));
  write('.kube/config', configOf({context: {namespace: 'shop'}}));
  const cluster = await open({});
  expect(await cluster.client.get('/version')).toEqual({});
  expect([cluster.origin, cluster.contextName, cluster.namespace]).toEqual(['kubeconfig', 'main', 'shop']);
  expect(seen).toEqual(['Bearer good-token']);
  await cluster.client.close();
});

test('reads YAML as kubectl writes it, with paths relative to the file', async () => {
  mkdirSync(join(folder.path, 'keys'));
  write('keys/ca.pem', `subject=kubernetes\n${authority.ca}`);
  write('keys/token', 'token-of-file\n');
  const path = write(
    'config.yaml',
    `apiVersion: v1
kind: Config
current-context: main
clusters:
- cluster:
    certificate-authority: keys/ca.pem
    server: ${url}
  name: c
contexts:
- context: {cluster: c, user: u}
  name: main
users:
- name: u
  user:
    token: not-this-one
    tokenFile: keys/token
preferences: {}
`,
  );
  stopClock();
  const {client, namespace} = await open({kubeconfigs: [path]});
  await client.get('/version');
  expect([namespace, seen]).toEqual(['default', ['Bearer token-of-file']]);
  // Replaced as a whole, as whatever renews tokens does.
  renameSync(write('keys/next', 'token-of-next-file'), join(folder.path, 'keys/token'));
  await client.get('/version');
  expect(seen.at(-1)).toBe('Bearer token-of-file');
  vi.advanceTimersByTime(1_000);
  await client.get('/version');
  expect(seen.at(-1)).toBe('Bearer token-of-next-file');
  await client.close();
});

test('merges the files of KUBECONFIG: the first that says something wins, missing ones are left out', async () => {
  const one = write('one', {
    contexts: [{name: 'work', context: {cluster: 'c', user: 'u', namespace: 'of-one'}}],
    users: [{name: 'u', user: {token: 'token-of-one'}}],
  });
  const two = write('two', {
    ...configOf({user: {token: 'token-of-two'}}),
    'current-context': 'work',
    contexts: [
      {name: 'work', context: {cluster: 'c', user: 'u', namespace: 'of-two'}},
      {name: 'other', context: {cluster: 'c', user: 'v'}},
    ],
    users: [
      {name: 'u', user: {token: 'token-of-two'}},
      {name: 'v', user: {token: 'token-of-v'}},
    ],
  });
  const env = {KUBECONFIG: `${join(folder.path, 'missing')}:${one}::${two}`};
  const work = await open({env});
  await work.client.get('/version');
  const other = await open({env, context: 'other'});
  await other.client.get('/version');
  expect([work.contextName, work.namespace]).toEqual(['work', 'of-one']);
  expect(seen).toEqual(['Bearer token-of-one', 'Bearer token-of-v']);
  await Promise.all([work.client.close(), other.client.close()]);
});

const writeAccount = (token: string): string => {
  mkdirSync(join(folder.path, 'account'), {recursive: true});
  write('account/token', token);
  write('account/ca.crt', authority.ca);
  write('account/namespace', 'shop');
  return join(folder.path, 'account');
};

const podEnv = () => ({KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: new URL(url).port});

test('in a pod, it is the ServiceAccount; its token is read again when it changes, and once when it is refused', async () => {
  const serviceAccountFolder = writeAccount('first\n');
  stopClock();
  const {client, ...cluster} = await open({env: podEnv(), serviceAccountFolder});
  expect(cluster).toEqual({
    origin: 'service account',
    accessName: "the pod's ServiceAccount",
    actsAs: undefined,
    isUnverified: false,
    contextName: undefined,
    namespace: 'shop',
  });
  await client.get('/version');
  write('account/token', 'second');
  utimesSync(join(folder.path, 'account/token'), 1_000_000, 1_000_000);
  vi.advanceTimersByTime(1_000);
  await client.get('/version');
  expect(seen).toEqual(['Bearer first', 'Bearer second']);

  // Its file looks as before, as on some network file systems.
  const token = join(folder.path, 'account/token');
  const {atime, mtime} = statSync(token);
  writeFileSync(token, 'third.');
  utimesSync(token, atime, mtime);
  vi.advanceTimersByTime(1_000);
  await client.get('/version');
  refused.add('Bearer second');
  await client.get('/version');
  expect(seen.slice(2)).toEqual(['Bearer second', 'Bearer second', 'Bearer third.']);

  refused.add('Bearer third.');
  await expect(client.get('/version')).rejects.toThrow(
    `${url} does not accept the pod's ServiceAccount (401): log in again, or renew the credentials.`,
  );
  await client.close();
});

test('what a kubeconfig says is replaced while it is used: its token and its authority', async () => {
  stopClock();
  const path = write('config', configOf());
  const {client} = await open({kubeconfigs: [path]});
  onTestFinished(() => client.close());
  await client.get('/version');
  refused.add('Bearer good-token');
  write('config', configOf({user: {token: 'next-token'}}));
  await client.get('/version');
  write('config', 'half a file: [');
  vi.advanceTimersByTime(1_000);
  await client.get('/version');
  expect(seen).toEqual(['Bearer good-token', 'Bearer good-token', 'Bearer next-token', 'Bearer next-token']);

  write('config', configOf({cluster: {'certificate-authority-data': base64(createTestAuthority().ca)}}));
  vi.advanceTimersByTime(1_000);
  await expect(client.get('/version')).rejects.toThrow('certificate');
  write('config', configOf({user: {token: 'last-token'}}));
  vi.advanceTimersByTime(1_000);
  await client.get('/version');
  expect(seen.at(-1)).toBe('Bearer last-token');
});

test('a client certificate that expires while it is used is told with its time, until the kubeconfig has another', async () => {
  vi.useFakeTimers({toFake: ['performance', 'Date']});
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const writeIssued = (): string => {
    const {cert, key} = authority.issueClient('dev');
    const user = {'client-certificate-data': base64(cert), 'client-key-data': base64(key)};
    return write('config', configOf({user}));
  };
  const {client} = await open({kubeconfigs: [writeIssued()]});
  onTestFinished(() => client.close());
  await client.get('/version');
  vi.advanceTimersByTime(31 * 86_400_000);
  await expect(client.get('/version')).rejects.toThrow(/the certificate expired at .*: renew it, or log in again\.$/);
  writeIssued();
  vi.advanceTimersByTime(1_000);
  expect(await client.get('/version')).toEqual({});
});

test('the credentials for another server are not sent to the one that is asked', async () => {
  stopClock();
  const path = write('config', configOf());
  const {client} = await open({kubeconfigs: [path]});
  onTestFinished(() => client.close());
  await client.get('/version');
  write('config', configOf({cluster: {server: 'https://other.example:6443'}, user: {token: 'other-token'}}));
  vi.advanceTimersByTime(1_000);
  await client.get('/version');
  expect(seen).toEqual(['Bearer good-token', 'Bearer good-token']);
});

test('in a pod, a kubeconfig is used where one is asked for: by path, by context or by KUBECONFIG', async () => {
  const serviceAccountFolder = writeAccount('account');
  mkdirSync(join(folder.path, '.kube'));
  const path = write('.kube/config', configOf());
  for (const choice of [{kubeconfigs: [path]}, {context: 'main'}, {env: {...podEnv(), KUBECONFIG: path}}]) {
    expect((await open({env: podEnv(), serviceAccountFolder, ...choice})).origin).toBe('kubeconfig');
  }
});

test('says which file of the ServiceAccount is missing', async () => {
  await expect(open({env: podEnv(), serviceAccountFolder: '/nowhere'})).rejects.toThrow(
    /^The ServiceAccount's .+: the file \/nowhere\/.+ cannot be read: no such file or directory\.$/,
  );
});

test.each<[string, Fields | string, string]>([
  [
    'no context chosen',
    {'current-context': ''},
    '"current-context" of FOLDER/config is not set: name a context (there are: main).',
  ],
  [
    'a context that is not there',
    {'current-context': 'x'},
    'There is no context "x" in FOLDER/config (there are: main).',
  ],
  [
    'a cluster that is not there',
    {clusters: []},
    '"cluster" of context "main" of FOLDER/config is "c", but there is no such cluster.',
  ],
  [
    'a user that is not there',
    {users: null},
    '"user" of context "main" of FOLDER/config is "u", but there is no such user.',
  ],
  ['a list that is none', {users: {u: 1}}, '"users" of FOLDER/config must be a list.'],
  [
    'an entry without a name',
    {users: [{user: {}}]},
    '"users" of FOLDER/config: number 1 must have a "name" and a "user".',
  ],
  ['broken YAML', 'users:\n- name: u\n  token: "secret', 'The kubeconfig FOLDER/config is not valid YAML (line 3).'],
  ['a text', 'hello', 'The kubeconfig FOLDER/config must hold clusters, users and contexts.'],
])('says what is wrong with a kubeconfig: %s', async (_, change, message) => {
  const path = write('config', typeof change === 'string' ? change : {...configOf(), ...change});
  expect(await tryOut(path)).toBe(message);
});

test.each<[string, Readonly<Record<string, Fields>>, string]>([
  [
    'no server',
    {cluster: {server: ''}},
    '"server" of cluster "c" of FOLDER/config must be an address such as https://cluster.example:6443.',
  ],
  [
    'http to another machine',
    {cluster: {server: 'http://cluster.example'}},
    '"server" of cluster "c" of FOLDER/config is http: credentials would be sent in the clear: use https.',
  ],
  [
    'certificates that nobody checks, and an authority to check them',
    {cluster: {'insecure-skip-tls-verify': true}},
    'cluster "c" of FOLDER/config has both "insecure-skip-tls-verify" and a "certificate-authority": remove the first, so that the certificate is checked.',
  ],
  [
    'a switch that is a text',
    {cluster: {'insecure-skip-tls-verify': 'yes'}},
    '"insecure-skip-tls-verify" of cluster "c" of FOLDER/config must be true or false.',
  ],
  [
    'an authority that is none',
    {cluster: {'certificate-authority-data': 'aGVsbG8='}},
    '"certificate-authority-data" of cluster "c" of FOLDER/config: must be certificates in PEM (-----BEGIN CERTIFICATE-----).',
  ],
  [
    'an authority that is missing',
    {cluster: {'certificate-authority-data': '', 'certificate-authority': 'ca.pem'}},
    '"certificate-authority" of cluster "c" of FOLDER/config: the file FOLDER/ca.pem cannot be read: no such file or directory.',
  ],
  [
    'a proxy of another kind',
    {cluster: {'proxy-url': 'socks4://127.0.0.1:1080'}},
    '"proxy-url" of cluster "c" of FOLDER/config: must be the address of an HTTP or SOCKS5 proxy, such as http://proxy.example:3128 or socks5://proxy.example:1080.',
  ],
  [
    'a certificate without a key',
    {user: {'client-certificate': 'a.pem'}},
    'user "u" of FOLDER/config has "client-certificate" but no "client-key": both are needed.',
  ],
  [
    'a certificate and a plugin',
    {
      user: {
        'client-certificate-data': base64(authority.server.cert),
        'client-key-data': base64(authority.server.key),
        exec: {apiVersion: 'client.authentication.k8s.io/v1', command: 'login'},
        token: undefined,
      },
    },
    'user "u" of FOLDER/config has both "client-certificate" and "exec": remove one.',
  ],
  ['a token that is a number', {user: {token: 5}}, '"token" of user "u" of FOLDER/config must be a string.'],
  [
    'a token file that is missing',
    {user: {tokenFile: 'token'}},
    '"tokenFile" of user "u" of FOLDER/config: the file FOLDER/token cannot be read: no such file or directory.',
  ],
  [
    'a password',
    {user: {username: 'admin', password: 'secret'}},
    '"username" and "password" of user "u" of FOLDER/config are not supported, nor are they by Kubernetes since 1.19: use a token, a client certificate or an exec plugin.',
  ],
  [
    'groups to act as without a user',
    {user: {'as-groups': ['admins']}},
    'user "u" of FOLDER/config names groups but no user to act as: add --as or "as", which the API server requires.',
  ],
  [
    'groups that are no list',
    {user: {as: 'jane', 'as-groups': 'admins'}},
    '"as-groups" of user "u" of FOLDER/config must be a list.',
  ],
  [
    'attributes that are no lists',
    {user: {as: 'jane', 'as-user-extra': {scopes: 'all'}}},
    '"as-user-extra" of user "u" of FOLDER/config must be a list.',
  ],
  [
    'a name that would end its header',
    {user: {as: 'jane\r\nx: y'}},
    'A name to act as has characters that a header cannot carry: "jane\\r\\nx: y".',
  ],
  [
    'gcp',
    {user: {'auth-provider': {name: 'gcp'}}},
    '"auth-provider" "gcp" of user "u" of FOLDER/config is not supported: use an exec plugin instead, gke-gcloud-auth-plugin (run gcloud container clusters get-credentials again).',
  ],
  [
    'azure',
    {user: {'auth-provider': {name: 'azure'}}},
    '"auth-provider" "azure" of user "u" of FOLDER/config is not supported: use an exec plugin instead, kubelogin (run kubelogin convert-kubeconfig).',
  ],
  [
    'oidc',
    {user: {'auth-provider': {name: 'oidc', config: {'id-token': 'secret'}}}},
    '"auth-provider" "oidc" of user "u" of FOLDER/config is not supported: use an exec plugin instead, kubelogin (kubectl oidc-login).',
  ],
])('refuses with a sentence: %s', async (_, parts, message) => {
  expect(await tryOut(write('config', configOf(parts)))).toBe(message);
});

test('acts as the user of the kubeconfig; each part of the command line wins over it, as for kubectl', async () => {
  const user = {as: 'jane', 'as-groups': ['admins'], 'as-uid': '7', 'as-user-extra': {scopes: ['all']}};
  const kubeconfigs = [write('config', configOf({user}))];
  const sentBy = async (actAs?: ClusterChoice['actAs']) => {
    const {client, actsAs} = await open({kubeconfigs, actAs});
    await client.get('/version').finally(() => client.close());
    const {'impersonate-user': name, 'impersonate-group': group, 'impersonate-uid': uid} = lastHeaders;
    return {actsAs, name, group, uid, scopes: lastHeaders['impersonate-extra-scopes']};
  };
  const whole = {actsAs: 'jane', name: 'jane', group: 'admins', uid: '7', scopes: 'all'};
  expect(await sentBy()).toEqual(whole);
  expect(await sentBy({user: 'bob'})).toEqual({...whole, actsAs: 'bob', name: 'bob'});
  expect(await sentBy({groups: ['readers']})).toEqual({...whole, group: 'readers'});
});

test('a certificate that nobody checks is accepted where the kubeconfig asks for it, and said', async () => {
  const cluster = {'insecure-skip-tls-verify': true, 'certificate-authority-data': ''};
  const {client, isUnverified} = await open({kubeconfigs: [write('config', configOf({cluster}))]});
  expect([await client.get('/version'), isUnverified]).toEqual([{}, true]);
  await client.close();
  // Without the switch, the same certificate is not believed.
  const checked = write('checked', configOf({cluster: {'certificate-authority-data': ''}}));
  expect(await tryOut(checked)).toMatch(/is not signed by a known authority/);
});

test('says where it looked when there is no kubeconfig', async () => {
  await expect(open({})).rejects.toThrow(
    `There is no kubeconfig at ${folder.path}/.kube/config: log in to a cluster, or name the file in KUBECONFIG.`,
  );
  await expect(open({homeFolder: undefined})).rejects.toThrow('There is no home folder');
});

test('a folder in the place of a kubeconfig, or one that is too large or that others may write to, is named', async () => {
  expect(await tryOut(folder.path)).toBe('The kubeconfig FOLDER is a folder, not a file');
  expect(await tryOut(write('large', 'x'.repeat(1024 * 1024 + 1)))).toBe(
    'The kubeconfig FOLDER/large is larger than 1 MB',
  );
  const open = write('open', '{}');
  chmodSync(open, 0o622);
  expect(await tryOut(open)).toBe('The kubeconfig FOLDER/open may be written by others: run chmod go-w FOLDER/open');
});

/** What may stand in the place of a file, and what is said of it. */
const places: readonly [string, (path: string) => void, string][] = [
  ['a FIFO', path => execFileSync('mkfifo', [path]), 'is a FIFO, not a file'],
  ['a folder', path => mkdirSync(path), 'is a folder, not a file'],
  ['a device', path => symlinkSync('/dev/zero', path), 'is a device, not a file'],
  ['a large file', path => writeFileSync(path, 'x'.repeat(1024 * 1024 + 1)), 'is larger than 1 MB'],
  [
    'a file that others may write to',
    path => {
      writeFileSync(path, 'x');
      chmodSync(path, 0o606);
    },
    'may be written by others: run chmod go-w FOLDER/there',
  ],
  [
    'a file in a folder of everybody',
    path => {
      mkdirSync(join(folder.path, 'open'));
      writeFileSync(join(folder.path, 'open/there'), 'x');
      chmodSync(join(folder.path, 'open'), 0o777);
      symlinkSync(join(folder.path, 'open/there'), path);
    },
    'lies in FOLDER/open, where others may replace it: run chmod o-w FOLDER/open',
  ],
];

test.each(places)('%s is refused wherever a file is named, before anything is sent or run', async (_, place, words) => {
  const path = join(folder.path, 'there');
  place(path);
  const named: readonly Readonly<Record<string, Fields>>[] = [
    {user: {tokenFile: 'there'}},
    {user: {'client-certificate': 'there', 'client-key': 'there'}},
    {cluster: {'certificate-authority': 'there', 'certificate-authority-data': ''}},
  ];
  for (const parts of named) {
    expect(await tryOut(write('config', configOf(parts)))).toContain(`the file FOLDER/there ${words}`);
  }
  // Any one of KUBECONFIG's files decides what is run.
  const runs = join(folder.path, 'runs');
  const exec = {apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: [runs]};
  write('config', configOf({user: {token: '', exec}}));
  const env = {PATH: process.env.PATH, KUBECONFIG: `${join(folder.path, 'config')}:${path}`};
  expect(await tryOut('', {kubeconfigs: undefined, env})).toBe(`The kubeconfig FOLDER/there ${words}`);
  expect([seen, existsSync(runs)]).toEqual([[], false]);
});

test.skipIf(process.getuid?.() !== 0)('a file of another user is refused', async () => {
  const path = write('token', 'x');
  chownSync(path, 12_345, 12_345);
  expect(await tryOut(write('config', configOf({user: {tokenFile: 'token'}})))).toContain(
    'the file FOLDER/token belongs to user 12345, not to you or root: use a file of your own',
  );
});
