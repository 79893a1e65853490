import {appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {builtProgram} from '../support/built-program.ts';
import {startEngineDouble} from '../support/docker/start-engine-double.ts';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';

let home: TempFolder;
let program: PtyProgram | undefined;
beforeEach(() => {
  home = createTempFolder('open');
});
afterEach(async () => {
  await program?.close();
  program = undefined;
  home.remove();
});

const path = (name: string): string => join(home.path, name);
const line = (second: number, text: string): string =>
  `2026-11-21T14:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}Z ${text}\n`;

const open = (...args: readonly string[]): PtyProgram => {
  program = startPtyProgram({home, args, columns: 80, rows: 24});
  return program;
};

/** Runs a command line of a shell, in which `branchlog` is the built program. */
const runInShell = (words: string): PtyProgram => {
  const {command, launcher} = builtProgram;
  const script = `branchlog() { '${command}' '${launcher}' "$@"; }; ${words}`;
  program = startPtyProgram({home, command: 'sh', args: ['-c', script]});
  return program;
};

test('a file opens at its end, is followed, and leaves nothing behind', async () => {
  writeFileSync(path('app.log'), Array.from({length: 60}, (_, index) => line(index, `line ${index}`)).join(''));
  const screen = open(path('app.log'));
  await screen.waitFor(rows => /^ open › app\.log/.test(rows[0] ?? '') && rows.some(row => row.includes('line 59')));
  expect(screen.output()).not.toMatch(/Asking|connecting/);
  appendFileSync(path('app.log'), line(61, 'appended'));
  await screen.waitFor('appended');
  screen.press('g');
  await screen.waitFor('── the log begins here');
  screen.press('q');
  expect(await screen.exitCode()).toBe(0);
  expect([existsSync(path('.config')), existsSync(path('.local'))]).toEqual([false, false]);
});

test('a time before what was read of a long file is read back to, and g reads back to its first line where that is near', async () => {
  const count = 20_000;
  const all = Array.from({length: count}, (_, index) => line(Math.floor(index / 100), `line ${index} of many`));
  writeFileSync(path('long.log'), all.join(''));
  const screen = open(path('long.log'));
  await screen.waitFor(`line ${count - 1} of many`);
  screen.press('T');
  await screen.waitFor('go to the time');
  screen.press('2026-11-21 14:01:00', 'Enter');
  await screen.waitFor('line 6000 of many');
  screen.press('g');
  await screen.waitFor('── the log begins here');
  expect(screen.screenText().some(row => row.includes('line 0 of many'))).toBe(true);
});

test('a search and a time go far before what was read at first, show the lines around, and End returns to the newest', async () => {
  // 8 MB, of which the newest lines are read at first.
  const rest = 'with some more words than a line needs';
  const all = Array.from({length: 120_000}, (_, index) => line(Math.floor(index / 100), `line ${index} ${rest}`));
  writeFileSync(path('long.log'), all.join(''));
  const screen = open(path('long.log'));
  const waitForNewest = (): Promise<unknown> =>
    screen.waitFor(
      rows => /› long\.log +live/.test(rows[0] ?? '') && rows.some(row => row.includes('line 119999 with')),
    );
  await waitForNewest();
  screen.press('/');
  screen.press('re:40017|119990', 'Enter');
  await screen.waitFor(/▸.*line 119990 with/);
  screen.press('N');
  await screen.waitFor(
    rows => /› long\.log +part +whole .* to /.test(rows[0] ?? '') && rows.some(row => /▸.*line 40017 with/.test(row)),
  );
  await screen.waitFor('1 of 1 in the lines read');
  screen.press('N');
  await screen.waitFor('no more hits above, up to the beginning');
  // Between the part and the newest lines, which are in memory, there is none.
  screen.press('n');
  await screen.waitFor(rows => !/ part /.test(rows[0] ?? '') && rows.some(row => /▸.*line 119990 with/.test(row)));
  screen.press('End');
  await waitForNewest();
  screen.press('Esc');
  await screen.waitFor(rows => !rows.some(row => row.includes('/re:40017')));
  screen.press('T');
  await screen.waitFor('go to the time');
  screen.press('2026-11-21 14:05:00', 'Enter');
  await screen.waitFor(/▸.*line 30000 with/);
  await screen.waitFor(/below, then more/);
  screen.press('g');
  await screen.waitFor(
    rows => /› long\.log +part/.test(rows[0] ?? '') && rows.some(row => row.includes('line 0 with')),
  );
  await screen.waitFor('── the log begins here');
  screen.press('Esc');
  await waitForNewest();
  screen.press('g');
  await screen.waitFor('line 0 with');
});

test('a search in a file of gigabytes tells how far it is, leaves the keys alive, and is cancelled', async () => {
  writeFileSync(path('huge.log'), line(0, 'first'));
  truncateSync(path('huge.log'), 12_000_000_000);
  appendFileSync(
    path('huge.log'),
    `\n${Array.from({length: 2_000}, (_, index) => line(index, `line ${index}`)).join('')}`,
  );
  const screen = open(path('huge.log'));
  await screen.waitFor('line 1999');
  screen.press('/');
  screen.press('nowhere', 'Enter');
  await screen.waitFor(/searching huge\.log +[\d.]+ of 12 GB/);
  screen.press('PageUp');
  await screen.waitFor(rows => !rows.some(row => row.includes('line 1999')));
  screen.press('Esc');
  await screen.waitFor('the search of the unread part was cancelled');
});

test('a pipe is read while keys come from the terminal, and its end is told', async () => {
  const screen = runInShell('{ echo first; sleep 1; echo second; } | branchlog');
  await screen.waitFor('second');
  await screen.waitFor('── stdin ended');
  await screen.waitFor(rows => (rows[0] ?? '').includes('times of arrival'));
  screen.press('v', 'Enter');
  await screen.waitFor(rows => rows.some(row => row.trim() === 'time of arrival'));
  screen.press('Esc', 'Esc');
  screen.press('g');
  await screen.waitFor('── the log begins here');
  screen.press('q');
  expect(await screen.exitCode()).toBe(0);
});

test('the exit code of a command is told where it ended', async () => {
  const screen = open('open', '--', 'sh', '-c', 'echo works; exit 3');
  await screen.waitFor(/works[\s\S]*── sh ended with exit code 3/);
});

test('with -F, what fits on the screen is printed, and more is shown on the screens', async () => {
  const small = runInShell('seq 3 | branchlog open -F; echo code $?');
  await small.waitFor(/^1\s*\n2\s*\n3\s*\ncode 0/);
  expect([await small.exitCode(), small.altScreenActive(), small.output().includes('\u001b[?1049h')]).toEqual([
    0,
    false,
    false,
  ]);
  await small.close();
  const large = runInShell('seq 100 | branchlog open -F');
  await large.waitFor(rows => /open › stdin/.test(rows[0] ?? '') && rows.some(row => /▸ .* 1$/.test(row.trimEnd())));
  expect(large.altScreenActive()).toBe(true);
});

test('as a pager it begins at the first line, and a pipe that is named at the last', async () => {
  const pager = runInShell('seq 5000 | branchlog');
  await pager.waitFor(rows => rows.some(row => /▸ .* 1$/.test(row.trimEnd())));
  await pager.waitFor(/5,\d\d\d newer below|4,9\d\d newer below/);
  pager.press(' ');
  await pager.waitFor(rows => rows.some(row => / 22$/.test(row.trimEnd())) && !rows.some(row => / 1$/.test(row)));
  pager.press('End');
  await pager.waitFor('── stdin ended');
  await pager.close();
  const named = runInShell('seq 5000 | branchlog open -');
  await named.waitFor('── stdin ended');
});

test('flags of printing print on a terminal, too: the screens have their own filters', async () => {
  writeFileSync(path('app.log'), `${line(1, 'INFO starts')}${line(2, 'ERROR fails')}`);
  const printed = open('open', path('app.log'), '--level', 'error');
  expect(await printed.exitCode()).toBe(0);
  expect([printed.screenText()[0], printed.output().includes('\u001b[?1049h')]).toEqual([
    '2026-11-21T14:00:02Z ERROR fails',
    false,
  ]);
});

test('what is wrong with a name is said before the screens open', async () => {
  const screen = open('open', path('missing.log'));
  await screen.waitFor('There is no file');
  expect(await screen.exitCode()).toBe(2);
});

test('filters with a name work on the log of containers, too, and are kept', async () => {
  const engine = await startEngineDouble();
  const web = engine.create('web');
  web.write('GET /healthz');
  web.write('GET /shop');
  mkdirSync(path('.config/branchlog'), {recursive: true});
  writeFileSync(path('.config/branchlog/config.toml'), '[filters]\nnoise = "-GET /healthz"\n');
  program = startPtyProgram({home, args: ['open', '--docker', 'web'], env: {DOCKER_HOST: engine.host}});
  await program.waitFor('GET /healthz');
  program.press('&');
  await program.waitFor('noise');
  program.press('Enter');
  await program.waitFor('filters noise in use');
  program.press('Esc');
  await program.waitFor(/^ filter {3}− GET \/healthz {3}1 of 2/m);
  program.press(':', 'save filters', 'Enter');
  await program.waitFor('keep the filters as');
  program.press('quiet', 'Enter', 'q');
  expect(await program.exitCode()).toBe(0);
  expect(JSON.parse(readFileSync(path('.local/state/branchlog/filters.json'), 'utf8'))).toEqual([
    {name: 'quiet', filters: ['-GET /healthz']},
  ]);
});
