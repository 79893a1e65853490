import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {runCommand} from '../run-command.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('print');
  writeFileSync(path('a.log'), `${line(1, 'INFO begin')}${line(3, 'ERROR broken')}  at here\n${line(5, 'INFO end')}`);
  writeFileSync(path('b.log'), `${line(2, 'INFO other')}${line(4, 'ERROR other')}`);
});
afterEach(() => {
  if (existsSync(path('logs'))) {
    chmodSync(path('logs'), 0o700);
  }
  folder.remove();
});

const path = (name: string): string => join(folder.path, name);
const line = (second: number, text: string): string => `2026-11-21T14:00:0${second}Z ${text}\n`;
const print = (...args: readonly string[]) =>
  runCommand(['open', ...args], {homeFolder: folder.path, env: {XDG_CONFIG_HOME: path('config')}});

test('without a terminal, lines are printed as they were written, and nothing is left behind', async () => {
  expect(await print(path('a.log'))).toEqual({
    code: 0,
    stdout: `${line(1, 'INFO begin')}${line(3, 'ERROR broken')}  at here\n${line(5, 'INFO end')}`,
    stderr: '',
  });
  expect(readdirSync(folder.path).toSorted()).toEqual(['a.log', 'b.log']);
});

test('a path that is no site needs no command', async () => {
  expect((await runCommand([path('b.log')], {homeFolder: folder.path})).stdout).toBe(
    `${line(2, 'INFO other')}${line(4, 'ERROR other')}`,
  );
});

test('a site wins over a file of the same name, and the other is offered', async () => {
  writeFileSync(
    path('config.toml'),
    `default_context = "prod"
[contexts.prod]
base_url = "http://127.0.0.1:9/dev-v1"
tenant = "t"
auth_mode = "a"
token_command = ["echo", "t"]
[[contexts.prod.sites]]
id = "${path('a.log')}"
`,
  );
  const {code, stderr} = await runCommand([path('a.log'), '--config', path('config.toml')], {homeFolder: folder.path});
  expect(code).toBe(2);
  expect(stderr).toContain(`${path('a.log')} is opened as a site; branchlog open ${path('a.log')} opens the file`);
});

test('several files are in order of time, and the filters are those of logs', async () => {
  expect((await print(path('a.log'), path('b.log'), '--level', 'error', '--prefix')).stdout).toBe(
    `[a.log] ${line(3, 'ERROR broken')}[a.log]   at here\n[b.log] ${line(4, 'ERROR other')}`,
  );
  expect((await print(path('a.log'), path('b.log'), '--tail', '2')).stdout).toBe(
    `${line(4, 'ERROR other')}${line(5, 'INFO end')}`,
  );
  expect((await print(path('a.log'), '--since', '2026-11-21T14:00:04Z', '--format', 'raw')).stdout).toBe(
    line(5, 'INFO end'),
  );
  expect((await print(path('a.log'), path('b.log'), '--to', '2026-11-21T14:00:03Z', '--tail', '2')).stdout).toBe(
    `${line(3, 'ERROR broken')}  at here\n`,
  );
  expect((await print(path('a.log'), '--to', '2026-11-21T14:00:04Z')).stdout).toBe(
    `${line(1, 'INFO begin')}${line(3, 'ERROR broken')}  at here\n`,
  );
  expect((await print(path('a.log'), '--until', 'broken')).stdout).toBe(
    `${line(1, 'INFO begin')}${line(3, 'ERROR broken')}`,
  );
});

test('records name the file, and the end is one of them', async () => {
  const {stdout} = await print(path('a.log'), path('b.log'), '--format', 'json', '--tail', '1', '--summary');
  const [first, last] = stdout
    .trimEnd()
    .split('\n')
    .map(row => JSON.parse(row));
  expect(first).toEqual({
    kind: 'line',
    timestamp: '2026-11-21T14:00:05.000000000Z',
    text: '2026-11-21T14:00:05Z INFO end',
    pod: 'a.log',
  });
  expect(last).toMatchObject({kind: 'end', reason: 'done', lines: 1, gaps: 0, proof: 'counted'});
});

test('records of pieces of a long line say so, so that it can be put together', async () => {
  const long = line(6, `INFO ${'é'.repeat(90_000)} end`);
  writeFileSync(path('a.log'), `${line(5, 'INFO short')}${long}${line(7, 'INFO next')}`);
  const {stdout} = await print(path('a.log'), '--format', 'json');
  const records = stdout
    .trimEnd()
    .split('\n')
    .map(each => JSON.parse(each));
  expect(records.map(({part}) => part)).toEqual([undefined, true, true, undefined, undefined]);
  expect(
    `${records
      .slice(1, 4)
      .map(({text}) => text)
      .join('')}\n`,
  ).toBe(long);
});

test('a byte order mark is no part of the first line', async () => {
  const records = `\uFEFF${line(1, 'ERROR first')}${line(2, 'INFO second')}`;
  writeFileSync(path('marked.log'), records);
  writeFileSync(path('marked.log.gz'), gzipSync(records));
  const shown = records.slice(1);
  expect((await print(path('marked.log'))).stdout).toBe(shown);
  expect((await print(path('marked.log'), '--tail', '2')).stdout).toBe(shown);
  expect((await print(path('marked.log.gz'))).stdout).toBe(shown);
  expect((await print(path('marked.log'), '--level', 'error')).stdout).toBe(line(1, 'ERROR first'));
});

test('of a file with nothing but NUL bytes that is said', async () => {
  writeFileSync(path('nul.log'), Buffer.alloc(10_000));
  writeFileSync(path('nul.log.gz'), gzipSync(Buffer.alloc(10_000)));
  const words = (name: string): string => `branchlog: ${name} has no lines so far, only NUL bytes.\n`;
  expect(await print(path('nul.log'))).toEqual({code: 0, stdout: '', stderr: words(path('nul.log'))});
  expect(await print(path('nul.log'), '--tail', '5')).toEqual({code: 0, stdout: '', stderr: words(path('nul.log'))});
  expect(await print(path('nul.log.gz'))).toEqual({code: 0, stdout: '', stderr: words('nul.log.gz')});
  writeFileSync(path('empty.log'), '');
  expect(await print(path('empty.log'))).toEqual({code: 0, stdout: '', stderr: ''});
  expect((await print(path('nul.log'), path('b.log'))).stderr).toBe(words(path('nul.log')));
});

test('the lines after a hole are there, however large it is', async () => {
  const hole = path('hole.log');
  const after = `${line(1, 'first')}${line(2, 'second')}${line(3, 'third')}`;
  writeFileSync(hole, 'before\n');
  truncateSync(hole, 40_000_123);
  appendFileSync(hole, after);
  truncateSync(hole, 80_000_000);
  appendFileSync(hole, 'last\n');
  expect((await print(hole)).stdout).toBe(`before\n${after}last\n`);
  truncateSync(hole, 40_000_123 + after.length);
  expect((await print(hole, '--tail', '3')).stdout).toBe(after);
  expect((await print(hole, '--tail', '2')).stdout).toBe(`${line(2, 'second')}${line(3, 'third')}`);
  const {stdout, stderr} = await print(hole, '--tail', '5');
  expect(stdout).toBe(after);
  expect(stderr).toMatch(/^branchlog: held from \S+ only, --tail finds 3 of 5 lines: no older lines were read\n$/);
});

describe.skipIf(process.geteuid?.() === 0)(
  'what may not be read among others is left out by name, and the code says so',
  () => {
    const leftOut = (name: string): string =>
      `branchlog: ${path(name)} cannot be read (permission denied): it is left out.\n`;

    test('of several names', async () => {
      chmodSync(path('b.log'), 0);
      expect(await print(path('a.log'), path('b.log'), '--tail', '1')).toEqual({
        code: 1,
        stdout: line(5, 'INFO end'),
        stderr: leftOut('b.log'),
      });
      expect(await print(path('a.log'), path('b.log'), '--level', 'fatal', '--until', 'nothing')).toMatchObject({
        code: 8,
      });
    });

    test('of a folder, each of them', async () => {
      mkdirSync(path('logs'));
      for (const name of ['c.log', 'd.log', 'e.log']) {
        writeFileSync(path(`logs/${name}`), line(1, name), {mode: name === 'd.log' ? 0o600 : 0});
      }
      const {code, stdout, stderr} = await print(path('logs'));
      expect([code, stdout]).toEqual([1, line(1, 'd.log')]);
      expect(stderr.split('\n').toSorted()).toEqual(['', leftOut('logs/c.log').trim(), leftOut('logs/e.log').trim()]);
    });

    test('of a folder that may not be entered', async () => {
      mkdirSync(path('logs'));
      writeFileSync(path('logs/c.log'), line(1, 'c'));
      chmodSync(path('logs'), 0o400);
      expect(await print(path('logs'), path('a.log'), '--tail', '1')).toEqual({
        code: 1,
        stdout: line(5, 'INFO end'),
        stderr: `branchlog: ${path('logs/*.log')} cannot be examined (permission denied): what is new there is not read until it can be.\n`,
      });
      expect((await print(path('logs'))).code).toBe(2);
    });
  },
);

test('a gap says what is wrong with the file, in which no service has a part', async () => {
  writeFileSync(path('old.log.gz'), Buffer.concat([gzipSync(line(1, 'INFO begin')), Buffer.from('more')]));
  const {stdout, stderr} = await print(path('old.log.gz'));
  expect([stdout, stderr]).toEqual([
    line(1, 'INFO begin'),
    expect.stringMatching(
      /^branchlog: possible gap in old\.log\.gz, \S+ to \S+, lines may be missing: the file cannot be read any further \(it goes on with bytes that are not gzip\)\n$/,
    ),
  ]);
});

test('what is wrong with a name ends the command with 2', async () => {
  expect(await print(path('missing.log'))).toEqual({
    code: 2,
    stdout: '',
    stderr: `branchlog: There is no file ${path('missing.log')}.\n`,
  });
});

test('of a file without times, --since leaves out what was written before, or says that it cannot', async () => {
  writeFileSync(path('none.log'), 'one\ntwo\n');
  expect(await print(path('none.log'), '--since', '10m')).toEqual({
    code: 0,
    stdout: 'one\ntwo\n',
    stderr: `branchlog: no line of ${path('none.log')} has a time that can be read: --since leaves out none of them\n`,
  });
  const lastWeek = Date.now() / 1000 - 7 * 86_400;
  utimesSync(path('none.log'), lastWeek, lastWeek);
  expect(await print(path('none.log'), '--since', '10m')).toEqual({code: 0, stdout: '', stderr: ''});
});

test('a time without a year is not later than the file was written', async () => {
  writeFileSync(path('syslog'), 'Dec 24 10:00:00 web app: old\nMar  2 10:00:00 web app: new\n');
  const written = Date.UTC(2025, 2, 2, 12) / 1000;
  utimesSync(path('syslog'), written, written);
  const {stdout} = await print(path('syslog'), '--format', 'json');
  const times = stdout
    .trim()
    .split('\n')
    .map(row => new Date(JSON.parse(row).timestamp).getFullYear());
  expect(times).toEqual([2024, 2025]);
});
