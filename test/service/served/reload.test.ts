import {appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createTempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';
import {runService} from '../run-service.ts';
import {fetchAnswer} from '../start-service.ts';

const branch = (id: string, log: string, more = ''): string => `
[[sites]]
id = "${id}"
${more}
[[sites.branches]]
id = "m1"
name = "master"
status = "UP"
[[sites.branches.pods]]
name = "web-0"
files = ["log/${log}"]
`;

const head = 'listen = "127.0.0.1:0"\ntenant = "acme"\n';

/** The service in this process, with signals from the test. */
const start = async (config: string, options: {logsRequests?: boolean} = {}) => {
  const folder = createTempFolder('reload');
  onTestFinished(() => folder.remove());
  mkdirSync(join(folder.path, 'log'));
  // A file that appears later is found by the next scan.
  writeFileSync(join(folder.path, 'log/shop.log'), '');
  const {signals, ended, ...service} = await runService(folder.path, config, options);
  return {
    ...service,
    folder: folder.path,
    append: (name: string, text: string) => appendFileSync(join(folder.path, 'log', name), text),
    /** Asks for so many reloads at once, and ends the service when none is left to do. */
    storm: async (count: number) => {
      for (let sent = 0; sent < count; sent += 1) {
        signals.emit('SIGHUP');
      }
      signals.emit('SIGTERM');
      await ended;
    },
    textsOf: async (site: string) => {
      const {lines} = await fetchAnswer(folder.path, service.baseUrl, `${site}/branches/m1`);
      return lines.map(line => line.slice(31));
    },
  };
};

test('warnings hold nothing that a terminal obeys or hides, and nothing of a name is lost', async () => {
  const service = await start(head + branch('shop', '\\u202Egol\\u009B31m\\u200B.log'));
  await fetchAnswer(service.folder, service.baseUrl);
  const warning = await waitFor(
    () =>
      service
        .stderr()
        .split('\n')
        .find(line => line.includes('is missing')),
    {what: 'the warning'},
  );
  expect(warning).toMatch(/^[ -~]+$/);
  expect(JSON.parse(warning).message).toContain('\u202egol\u009b31m\u200b.log is missing');
});

test('a reload keeps what is read, opens what is new, and forgets what is gone', async () => {
  const service = await start(head + branch('shop', 'shop.log') + branch('old', 'old.log'));
  service.append('shop.log', 'one\n');
  const {folder, baseUrl} = service;
  const before = (await fetchAnswer(folder, baseUrl)).header;
  service.append('new.log', 'new\n');
  await service.reload(head + branch('shop', 'shop.log') + branch('new', 'new.log'));
  service.append('shop.log', 'two\n');
  expect(await service.textsOf('shop')).toEqual(['one', 'two']);
  expect(await service.textsOf('new')).toEqual(['new']);
  expect(await service.textsOf('old')).toEqual([]);
  const series = (header: string) => /series=\w+/.exec(header)?.[0];
  expect(series((await fetchAnswer(folder, baseUrl)).header)).toBe(series(before));
});

test('a branch whose settings changed goes on where it was left', async () => {
  const service = await start(head + branch('shop', 'shop.log'));
  service.append('shop.log', 'one\ntwo\n');
  expect(await service.textsOf('shop')).toEqual(['one', 'two']);
  service.append('shop.log', 'three\n');
  await service.reload(`window_lines = 2\n${head}${branch('shop', 'shop.log')}`);
  service.append('shop.log', 'four\n');
  expect(await service.textsOf('shop')).toEqual(['three', 'four']);
});

test('an invalid config leaves everything as it is, and the log says why', async () => {
  const service = await start(head + branch('shop', 'shop.log'));
  service.append('shop.log', 'one\n');
  await service.reload('listen = 7');
  expect(service.stderr()).toContain('The config was not reloaded; the previous one stays in effect: ');
  expect(service.stderr()).toContain('line 1: listen: expected a string');
  service.append('shop.log', 'two\n');
  expect(await service.textsOf('shop')).toEqual(['one', 'two']);
});

test('a reload opens no config that is not a file: the pipe of nobody would stop the service', async () => {
  const service = await start(head + branch('shop', 'shop.log'));
  const path = join(service.folder, 'serve.toml');
  rmSync(path);
  symlinkSync('/dev/null', path);
  await service.reload('');
  expect(service.stderr()).toContain(`stays in effect: the config file ${path} is a device, not a file`);
});

test('a storm of signals is one reload beside the one under way', async () => {
  const service = await start(head + branch('shop', 'shop.log'));
  await service.storm(1000);
  expect(service.stderr().match(/were reloaded/g)?.length).toBeLessThanOrEqual(2);
});

test('a reload takes new tokens and says what has to wait for the next start', async () => {
  const service = await start(head + branch('shop', 'shop.log'));
  service.append('shop.log', 'one\n');
  const oldToken = readFileSync(join(service.folder, 'token'), 'utf8').trim();
  rmSync(join(service.folder, 'token'));
  await service.reload(
    `state = "other"\n${head}${branch('shop', 'shop.log')}${branch('own', 'x.log', 'token_file = "own"')}`,
  );
  expect(service.stderr()).toContain('The new value of state in the config takes effect at the next start.');
  expect(await service.textsOf('shop')).toEqual(['one']);
  const statusWith = async (site: string, token: string) => {
    const headers = {authorization: `Bearer ${token}`, tenant: 'acme', 'auth-mode': 'local'};
    return (await fetch(`${service.baseUrl}/sites/${site}/branches`, {headers})).status;
  };
  expect(await statusWith('shop', oldToken)).toBe(401);
  expect(service.stderr()).toContain(`Created a token in ${join(service.folder, 'token')}.`);
  const ownToken = readFileSync(join(service.folder, 'own'), 'utf8').trim();
  expect([await statusWith('own', ownToken), await statusWith('shop', ownToken)]).toEqual([200, 403]);
});

test('requests are logged only if that is asked for, and no token ever', async () => {
  const quiet = await start(head + branch('shop', 'shop.log'));
  await quiet.textsOf('shop');
  expect(quiet.stderr()).not.toContain('"path"');
  const loud = await start(head + branch('shop', 'shop.log'), {logsRequests: true});
  await loud.textsOf('shop');
  const token = readFileSync(join(loud.folder, 'token'), 'utf8').trim();
  await fetch(`${loud.baseUrl}/sites/${token}/branches?token=${token}`, {
    headers: {authorization: token, cookie: token},
  });
  // A warning names the file that is missing.
  await loud.reload(head + branch('shop', `${token}.log`));
  await waitFor(() => loud.stderr().includes('is missing'), {what: 'the warning'});
  expect(loud.stderr()).toContain('"path":"/dev-v1/sites/shop/branches/m1/logs"');
  expect(loud.stderr()).toContain('log/[token].log is missing');
  expect(loud.stderr()).not.toContain(token);
});

test('a token that can be guessed ends the start with 2, and a reload changes nothing', async () => {
  const folder = createTempFolder('reload');
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'token');
  writeFileSync(path, 'changeme', {mode: 0o600});
  const refused = await runService(folder.path, head);
  expect(await refused.ended).toBe(2);
  expect(refused.stderr()).toBe(
    `branchlog: The token file ${path} has a token of fewer than 16 characters, which can be guessed: remove the file to get a random one at the next start.\n`,
  );
  writeFileSync(path, 'changeme-0123456789');
  const service = await runService(folder.path, head);
  writeFileSync(path, 'changeme');
  await service.reload(head);
  expect(service.stderr()).toContain('The config was not reloaded; the previous one stays in effect: The token file');
});
