import {execFile, spawnSync} from 'node:child_process';
import {readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import packageJson from '../../package.json' with {type: 'json'};
import {builtProgram, compiledOnce, executable} from '../support/built-program.ts';
import {makeBuiltBranch} from '../support/fake-records.ts';
import {fakeToken, startFakeService} from '../support/fake-service.ts';
import {createTempFolder} from '../support/temp-folder.ts';

/** Runs the built program with a variable; FOLDER in its value stands for a folder, whose new files are returned, too. */
const runWith = (name: string, value: string): readonly unknown[] => {
  const folder = createTempFolder('environment');
  onTestFinished(() => folder.remove());
  writeFileSync(join(folder.path, 'hook.cjs'), 'process.stderr.write("the hook ran")');
  writeFileSync(join(folder.path, 'broken.cnf'), 'broken [[[');
  const env = {
    ...{PATH: process.env.PATH, HOME: join(folder.path, 'home'), ...compiledOnce},
    [name]: value.replaceAll('FOLDER', folder.path),
  };
  const {command, launcher} = builtProgram;
  const {status, stdout, stderr} = spawnSync(command, [launcher, '--version'], {env, encoding: 'utf8'});
  const files = readdirSync(folder.path).filter(file => !['hook.cjs', 'broken.cnf', 'home'].includes(file));
  return [status, stdout, stderr, files];
};

const asEver = [0, `branchlog ${packageJson.version}\n`, '', []];

test.each([
  ['NODE_DEBUG_NATIVE', 'ALL'],
  ['NODE_PENDING_DEPRECATION', '1'],
  ['NODE_REDIRECT_WARNINGS', 'FOLDER/warnings'],
  ['NODE_EXTRA_CA_CERTS', '/nowhere.pem'],
  ['NODE_ICU_DATA', '/nowhere'],
  ['NODE_PATH', 'FOLDER'],
])('the program starts as ever with %s', (name, value) => {
  expect(runWith(name, value)).toEqual(asEver);
});

// With npm's package, they are taken or refused by Node before the program starts.
test.skipIf(executable === undefined).each([
  ['NODE_OPTIONS', '--require=FOLDER/hook.cjs'],
  ['NODE_OPTIONS', '--nonsense'],
  ['NODE_REPL_EXTERNAL_MODULE', 'FOLDER/hook.cjs'],
  ['OPENSSL_CONF', 'FOLDER/broken.cnf'],
])('the executable starts as ever with %s=%s', (name, value) => {
  expect(runWith(name, value)).toEqual(asEver);
});

test('NODE_DEBUG writes no request, with its token, among the output', async () => {
  const service = await startFakeService({tenant: 'acme', authMode: 'idp'});
  onTestFinished(() => service.close());
  service.setBranches('shop', [makeBuiltBranch('64a1f0c2', 'master')]);
  const {command, launcher} = builtProgram;
  const flags = ['--base-url', service.baseUrl, '--tenant', 'acme', '--auth-mode', 'idp'];
  const env = {PATH: process.env.PATH, ...compiledOnce, BRANCHLOG_TOKEN: fakeToken, NODE_DEBUG: 'http,https,net,tls'};
  const {stdout, stderr} = await promisify(execFile)(command, [launcher, 'branches', 'shop', ...flags], {env});
  expect([stdout, stderr]).toEqual([expect.stringContaining('master'), '']);
});

test.skipIf(executable !== undefined)(
  'compiled code is kept where only its user may write, whatever the mask of modes',
  () => {
    const folder = createTempFolder('cache');
    onTestFinished(() => folder.remove());
    const {command, launcher} = builtProgram;
    const env = {PATH: process.env.PATH, HOME: folder.path};
    spawnSync('sh', ['-c', 'umask 000 && exec "$0" "$@"', command, launcher, '--version'], {env});
    const made = readdirSync(folder.path, {recursive: true, withFileTypes: true});
    expect(made.length).toBeGreaterThan(3);
    const open = made.filter(entry => (statSync(join(entry.parentPath, entry.name)).mode & 0o077) !== 0);
    expect(open.map(({name}) => name)).toEqual([]);
  },
);
