import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, test} from 'vitest';
import {createExecPlugin, runPlugin} from '#service/kubernetes/cluster/exec-plugin.ts';
import {createTempFolder, type TempFolder} from '../../../support/temp-folder.ts';
import {waitFor} from '../../../support/wait-for.ts';

const v1 = 'client.authentication.k8s.io/v1';
let folder: TempFolder;

beforeEach(() => {
  folder = createTempFolder('plugin');
  return () => folder.remove();
});

/** Writes a shell script beside the kubeconfig. Each run leaves a line in `runs`. */
const writePlugin = (script: string): void => {
  const path = join(folder.path, 'plugin');
  writeFileSync(path, `#!/bin/sh\necho run >> '${folder.path}/runs'\n${script}\n`);
  chmodSync(path, 0o755);
};

const countRuns = (): number =>
  existsSync(join(folder.path, 'runs')) ? readFileSync(join(folder.path, 'runs'), 'utf8').split('\n').length - 1 : 0;

type Fields = Readonly<Record<string, unknown>>;

const create = (exec: Fields = {}, cluster: Fields = {}) =>
  createExecPlugin(
    {
      title: 'user "u" of /config',
      folder: folder.path,
      fields: {exec: {apiVersion: v1, command: './plugin', interactiveMode: 'Never', ...exec}},
    },
    {title: 'cluster "c" of /config', folder: folder.path, fields: cluster},
    {PATH: process.env.PATH, HOME: '/home/dev'},
  );

const credential = (status: Fields, apiVersion = v1): string =>
  JSON.stringify({apiVersion, kind: 'ExecCredential', status});

const print = (status: Fields, apiVersion = v1): string => `echo '${credential(status, apiVersion)}'`;

const fault = async (promise: Promise<unknown>): Promise<string> =>
  await promise.then(
    () => 'no error',
    (error: Error) => `${Reflect.get(error, 'kind')}: ${error.message}`.replaceAll(folder.path, 'FOLDER'),
  );

test('takes the token that a plugin prints, and runs it once for all who ask', async () => {
  writePlugin(print({token: 'of-plugin'}));
  const plugin = create();
  const read = await Promise.all([plugin.read(false), plugin.read(false), plugin.read(false)]);
  expect(read).toEqual(Array(3).fill({token: 'of-plugin', certificate: undefined, key: undefined}));
  await plugin.read(false);
  expect(countRuns()).toBe(1);
});

test('a plugin that others may write to is not run', async () => {
  writePlugin(print({token: 'of-plugin'}));
  chmodSync(join(folder.path, 'plugin'), 0o757);
  expect(await fault(create().read(false))).toBe(
    'auth: "exec" of user "u" of /config (plugin) may be written by others: run chmod go-w FOLDER/plugin',
  );
  expect(countRuns()).toBe(0);
});

test('takes a certificate with its key, and the older version of the interface', async () => {
  const v1beta1 = 'client.authentication.k8s.io/v1beta1';
  writePlugin(print({clientCertificateData: 'CERT', clientKeyData: 'KEY'}, v1beta1));
  expect(await create({apiVersion: v1beta1}).read(false)).toEqual({token: undefined, certificate: 'CERT', key: 'KEY'});
});

test('tells the plugin its arguments, its environment, and where it logs in if that is asked for', async () => {
  writePlugin(`
printf '%s' "$1|$2|$REGION|$HOME" > '${folder.path}/args'
printf '%s' "$KUBERNETES_EXEC_INFO" > '${folder.path}/info'
${print({token: 't'})}`);
  const exec = {args: ['get-token', '--with space'], env: [{name: 'REGION', value: 'eu'}]};
  const cluster = {
    server: 'https://c.example',
    'certificate-authority-data': 'UEVN',
    'tls-server-name': 'c',
    extensions: [{name: 'client.authentication.k8s.io/exec', extension: {audience: 'a'}}],
  };
  const info = () => JSON.parse(readFileSync(join(folder.path, 'info'), 'utf8'));
  await create(exec, cluster).read(false);
  expect(readFileSync(join(folder.path, 'args'), 'utf8')).toBe('get-token|--with space|eu|/home/dev');
  expect(info()).toEqual({apiVersion: v1, kind: 'ExecCredential', spec: {interactive: false}});
  await create({...exec, provideClusterInfo: true}, cluster).read(false);
  expect(info().spec.cluster).toEqual({
    server: 'https://c.example',
    'tls-server-name': 'c',
    'certificate-authority-data': 'UEVN',
    config: {audience: 'a'},
  });
});

test('runs it again when the credentials have ended', async () => {
  writePlugin(print({token: 'old', expirationTimestamp: '2020-01-01T00:00:00Z'}));
  const plugin = create();
  await plugin.read(false);
  writePlugin(print({token: 'new', expirationTimestamp: '2999-01-01T00:00:00+09:00'}));
  expect((await plugin.read(false)).token).toBe('new');
  await plugin.read(false);
  expect(countRuns()).toBe(2);
});

test('runs it again when the credentials are refused, but not at once when the new ones are refused too', async () => {
  let nowMs = 1_000_000;
  const plugin = createExecPlugin(
    {title: 'user "u"', folder: folder.path, fields: {exec: {apiVersion: v1, command: './plugin'}}},
    {title: 'cluster "c"', folder: folder.path, fields: {}},
    {PATH: process.env.PATH},
    () => nowMs,
  );
  const read = async (token: string): Promise<string | undefined> => {
    writePlugin(print({token}));
    return (await plugin.read(true)).token;
  };
  await read('first');
  nowMs += 2_000;
  expect(await read('second')).toBe('second');
  nowMs += 1_999;
  expect(await read('third')).toBe('second');
  nowMs += 1;
  expect(await read('fourth')).toBe('fourth');
  // The clock was an hour ahead, and is set right.
  nowMs -= 3_600_000;
  expect(await read('fifth')).toBe('fifth');
});

test.each<[string, string, string]>([
  ['fails', 'echo secret >&2; exit 3', 'ended with exit code 3: run it by hand to see why.'],
  ['is killed', 'kill -9 $$', 'was ended by SIGKILL: run it by hand to see why.'],
])('a plugin that %s is named, without what it wrote', async (_, script, words) => {
  writePlugin(script);
  expect(await fault(create({args: ['--password=secret']}).read(false))).toBe(
    `auth: "exec" of user "u" of /config (plugin) ${words}`,
  );
});

const said = (script: string): Promise<unknown> => {
  writePlugin(script);
  return create()
    .read(false)
    .then(
      () => 'no error',
      (error: Error) => Reflect.get(error, 'operatorDetail'),
    );
};

test('what a plugin that fails wrote is for the operator: made safe, without secrets', async () => {
  const line = 'SSO session expired. Run: aws sso login';
  expect(await said(`echo '${line}' >&2; exit 255`)).toBe(`It wrote: ${line}.`);
  expect(await said(`printf 'one\\r\\n\\033[2Jtwo\\n\\n  password=hunter2\\n' >&2; exit 1`)).toBe(
    'It wrote: one ␛two password=********.',
  );
  expect(await said('exit 1')).toBeUndefined();
  expect(await said('echo not read >&2; echo hello')).toBeUndefined();
});

test('of much that a plugin wrote, the end is told', async () => {
  expect(await said('for i in 1 2 3 4 5 6 7 8 9; do echo "line $i" >&2; done; exit 1')).toBe(
    'It wrote: line 5 line 6 line 7 line 8 line 9.',
  );
  const detail = await said(`head -c 3000000 /dev/zero | tr '\\0' 'x ' >&2; echo >&2; echo the end >&2; exit 1`);
  expect(String(detail)).toMatch(/ the end\.$/);
  expect(String(detail).length).toBeLessThan(320);
});

test.each<[string, string, string]>([
  ['nothing', '', 'something that is not JSON'],
  ['garbage', 'echo "token: secret"', 'something that is not JSON'],
  ['a list', 'echo "[]"', 'something that is not JSON'],
  [
    'another kind',
    `echo '{"kind":"Pod"}'`,
    'something that is not an ExecCredential of client.authentication.k8s.io/v1',
  ],
  [
    'another version',
    print({token: 'secret'}, 'client.authentication.k8s.io/v1alpha1'),
    'something that is not an ExecCredential of client.authentication.k8s.io/v1',
  ],
  ['no status', `echo '{"apiVersion":"${v1}","kind":"ExecCredential"}'`, 'an ExecCredential without "status"'],
  ['no credentials', print({}), 'neither a token nor a certificate with its key'],
  ['half a certificate', print({clientCertificateData: 'secret'}), 'neither a token nor a certificate with its key'],
  ['a number for a token', print({token: 5}), 'a "token" that is not a string'],
  ['no time', print({token: 'secret', expirationTimestamp: 'soon'}), 'an "expirationTimestamp" that is not a time'],
])('a plugin that prints %s is named, without what it printed', async (_, script, words) => {
  writePlugin(script);
  expect(await fault(create().read(false))).toBe(
    `auth: "exec" of user "u" of /config printed ${words}: run it by hand to see why.`,
  );
});

test('a plugin that fails is run again for the next request', async () => {
  writePlugin('exit 1');
  const plugin = create();
  await fault(plugin.read(false));
  writePlugin(print({token: 'now'}));
  expect((await plugin.read(false)).token).toBe('now');
});

test('a plugin that is not installed comes with the hint of the kubeconfig', async () => {
  const installHint = 'Install it:\n\n  gcloud components install gke-gcloud-auth-plugin\u001b[31m';
  expect(await fault(create({command: 'no-such-plugin-here', installHint}).read(false))).toBe(
    'auth: "exec" of user "u" of /config (no-such-plugin-here) cannot be started (no such program): ' +
      'Install it: gcloud components install gke-gcloud-auth-plugin [31m.',
  );
  expect(await fault(create({command: 'no-such-plugin-here'}).read(false))).toContain(
    'install it, or correct "command"',
  );
});

test.each<[Fields, string]>([
  [
    {apiVersion: 'client.authentication.k8s.io/v1alpha1'},
    '"apiVersion" of "exec" of user "u" of /config is "client.authentication.k8s.io/v1alpha1", but must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1: update the plugin, and let it write the kubeconfig again.',
  ],
  [{command: ''}, '"command" of "exec" of user "u" of /config is missing: name the program.'],
  [
    {interactiveMode: 'Always'},
    '"interactiveMode" of "exec" of user "u" of /config is Always, but it cannot ask for anything here: log in beforehand, and set it to IfAvailable.',
  ],
  [{args: 'get-token'}, '"args" of "exec" of user "u" of /config must be a list.'],
])('refuses settings that cannot work: %j', (exec, message) => {
  expect(() => create(exec)).toThrow(message);
});

/** One that nobody has asked for its exit code is still listed. */
const hasEnded = (pid: number): boolean => {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
};

/** A plugin that waits for a browser, with a child of its own. */
const waiting = () => `sleep 60 & echo $! > '${folder.path}/child'\nwait`;

const childId = (): Promise<number> =>
  waitFor(() => existsSync(join(folder.path, 'child')) && Number(readFileSync(join(folder.path, 'child'), 'utf8')), {
    what: 'the plugin to start',
  });

test('a plugin that does not end is ended in time, with all that it started', async () => {
  writePlugin(waiting());
  const {signal} = new AbortController();
  const run = {
    title: 'Plugin',
    command: [join(folder.path, 'plugin')],
    env: process.env,
    installHint: undefined,
    signal,
  };
  const failed = fault(runPlugin({...run, timeoutMs: 300}));
  const child = await childId();
  expect(await failed).toBe('auth: Plugin did not end within 0.3 s: run it by hand to see why.');
  await waitFor(() => hasEnded(child), {what: 'the end of the child'});
});

test('a plugin that prints without end is ended', async () => {
  writePlugin('yes secret');
  expect(await fault(create().read(false))).toBe(
    'auth: "exec" of user "u" of /config (plugin) printed far more than credentials, and was stopped.',
  );
});

test('a plugin ends with the client', async () => {
  writePlugin(waiting());
  const plugin = create();
  const failed = fault(plugin.read(false));
  const child = await childId();
  await plugin.close?.();
  expect(await failed).toBe('auth: "exec" of user "u" of /config (plugin) was stopped.');
  await waitFor(() => hasEnded(child), {what: 'the end of the child'});
});
