import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {builtProgram} from '../support/built-program.ts';
import {makeBuiltBranch} from '../support/fake-records.ts';
import type {PtyProgram} from '../support/pty-program.ts';
import {createShortFolder, type TempFolder} from '../support/temp-folder.ts';
import {firstWindow} from './sample-log.ts';
import {type SampleService, sampleBranches, sampleToken, startSampleService} from './sample-service.ts';

const {command: builtCommand, launcher} = builtProgram;

let service: SampleService;
let folder: TempFolder;
beforeAll(async () => {
  service = await startSampleService();
  service.setBranches('5f3c0a12', [...sampleBranches, ...branches.map(name => makeBuiltBranch(`b-${name}`, name))]);
  branchesLeft = [...branches];
  folder = createShortFolder('export');
});
beforeEach(() => {
  service.setWindow(firstWindow);
  for (const name of fileNames()) {
    rmSync(join(folder.path, name), {recursive: true});
  }
});
afterEach(async ({task}) => {
  // Nobody knows what a test that failed left on the screen.
  if (task.result?.state === 'fail') {
    await shared?.close();
    shared = undefined;
  }
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

const {lines} = firstWindow;

/** Each is more than text to a terminal, a shell or an editor. */
const hostileLines = [
  '2026-11-21T14:10:00.000000000Z red \u001b[31mred\u001b[0m and \u001b]52;c;aGFja2Vk\u0007',
  '2026-11-21T14:10:01.000000000Z \u009b2J ‮gninnur‬ \u0000\u0007 é 日本 👩‍👩‍👧',
  '2026-11-21T14:10:02.000000000Z ```` # <b>|$(touch /tmp/x)`touch /tmp/y`\'"\\',
];

/** A branch for each test that uses the shared program: it finds a log that nobody has opened yet. */
const branches = [...'abcdefghijklmnop'].map(letter => `export-${letter}`);
let branchesLeft: string[];

/** One program, in which each test goes from the sites to a branch of its own, with the log it gives. */
let shared: PtyProgram | undefined;
const openShared = async (
  given: readonly string[] = lines,
): Promise<{program: PtyProgram; branch: string; setLines: (given: readonly string[]) => void}> => {
  const branch = branchesLeft.shift();
  if (branch === undefined) {
    throw new RangeError('more tests than branches');
  }
  const setLines = (logged: readonly string[]): void =>
    service.setLog(`b-${branch}`, () => ({...firstWindow, lines: logged}));
  setLines(given);
  const env = {PAGER: join(folder.path, 'pager'), BRANCHLOG_TOKEN: sampleToken};
  shared ??= service.open({columns: 100, rows: 14, cwd: folder.path, env});
  const program = shared;
  // Before it reads its keys, the terminal would show them.
  await program.waitFor(rows => /^ (?:branchlog|shop)/.test(rows[0] ?? ''));
  program.press(...Array<string>(5).fill('Esc'));
  await program.waitFor(rows => /^ branchlog/.test(rows[0] ?? '') && rows[2]?.startsWith(' ▸ shop ') === true);
  program.press('Enter');
  await program.waitFor('● master');
  program.press('/', branch);
  await program.waitFor(`/ ${branch}█`);
  program.press('Enter');
  await program.waitFor(rows => rows[0]?.startsWith(` shop › ${branch}`) === true && rows.join().includes('following'));
  return {program, branch, setLines};
};

/** What the shared program runs as its pager in this test. */
const writePager = (script: string): void =>
  writeFileSync(join(folder.path, 'pager'), `#!/bin/sh\n${script}`, {mode: 0o755});

const shows = async (program: PtyProgram, wanted: string | RegExp): Promise<void> =>
  void (await program.waitFor(wanted));

/**
 * Runs a command on the lines. Returns what resolves when it, or the program after it, has printed so: what an earlier
 * test ran is still on the shell's screen.
 */
const pipeTo = async (program: PtyProgram, command: string): Promise<(wanted: string) => Promise<void>> => {
  program.press('|', command);
  await shows(program, `${command}█`);
  const before = program.output().length;
  program.press('Enter');
  return async wanted =>
    void (await program.waitFor(() => program.output().slice(before).includes(wanted), {what: wanted}));
};

/** Clears what an input line was opened with, types another text and takes it. */
const enter = (program: PtyProgram, text: string): void => program.press('Ctrl+U', text, 'Enter');

const copied = (program: PtyProgram): readonly string[] =>
  program.events.oscs
    .filter(osc => osc.startsWith('52;c;'))
    .map(osc => Buffer.from(osc.slice('52;c;'.length), 'base64').toString());

const rawLines = (path: string): readonly string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);

const fileNames = (): readonly string[] => readdirSync(folder.path).toSorted();

test('y copies the lines that are picked as they were received', async () => {
  const {program} = await openShared();
  const before = copied(program).length;
  program.press('y');
  await shows(program, 'choose a line, y copies it');
  program.press('k', 'v', 'k', 'y');
  await shows(program, /sent 2 lines, [\d,]+ bytes, to the terminal's clipboard/);
  expect(copied(program).slice(before)).toEqual([lines.slice(-3, -1).join('\n')]);
});

test('what is on the screen is copied, markers left out, whatever is in the lines', async () => {
  const {program} = await openShared(hostileLines);
  const before = copied(program).length;
  program.press(':', 'copy visible', 'Enter');
  await shows(program, /sent 3 lines, [\d,]+ bytes/);
  expect(copied(program).slice(before)).toEqual([hostileLines.join('\n')]);
});

test('what a clipboard does not take is told with what to do', async () => {
  const long = Array.from({length: 8}, (_, index) => `2026-11-21T14:10:0${index}.000000000Z ${'x'.repeat(15_000)}`);
  const {program} = await openShared(long);
  const before = copied(program).length;
  program.press(':', 'copy visible', 'Enter');
  await shows(program, /8 lines is too much .* of at most 74,994 bytes; s saves/);
  expect(copied(program).slice(before)).toEqual([]);
});

test('s saves the lines as they were received, and beside them what they are', async () => {
  const {program, branch} = await openShared([...lines, ...hostileLines]);
  program.press('s');
  await shows(program, `save lines to ./shop-${branch}-20261121T1412`);
  program.press('Enter');
  await shows(program, 'saved 25 lines');
  const [log = '', manifest = '', ...others] = fileNames();
  expect([log, manifest, others]).toEqual([
    expect.stringMatching(new RegExp(`^shop-${branch}-20261121T1412\\d\\dZ\\.log$`)),
    `${log}.manifest.json`,
    [],
  ]);
  const bytes = readFileSync(join(folder.path, log));
  expect(bytes.toString()).toBe([...lines, ...hostileLines].map(line => `${line}\n`).join(''));
  expect(statSync(join(folder.path, log)).mode & 0o777).toBe(0o600);
  const text = readFileSync(join(folder.path, manifest), 'utf8');
  expect(text).toMatch(/^[\n -~]*$/);
  expect(text).not.toContain(sampleToken);
  expect(JSON.parse(text)).toMatchObject({
    savedAt: expect.stringMatching(/^2026-11-21T14:12:/),
    context: {name: 'production', host: expect.stringMatching(/^127\.0\.0\.1:/)},
    site: {id: '5f3c0a12', name: 'shop'},
    branches: [{id: `b-${branch}`, name: branch, horizon: '2026-11-21T14:00:00.118000000Z', polls: {failed: 0}}],
    file: {
      name: log,
      lines: 25,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    },
    range: {first: '2026-11-21T14:00:00.118000000Z', last: '2026-11-21T14:10:02.000000000Z'},
    chosen: 'all',
    gaps: 0,
    markers: [{kind: 'horizon', branchId: `b-${branch}`}],
  });
});

test('filters and picks say what is saved, and a path may begin with ~', async () => {
  const {program} = await openShared();
  program.press('f', '/product/45', 'Enter');
  await shows(program, '1 of 22');
  program.press('s');
  enter(program, '~/filtered.log');
  await shows(program, 'saved 1 line,');
  expect(rawLines(join(program.home, 'filtered.log'))).toEqual([lines[5]]);
  expect(JSON.parse(readFileSync(join(program.home, 'filtered.log.manifest.json'), 'utf8'))).toMatchObject({
    chosen: 'filtered',
    filters: {includes: ['/product/45'], excludes: [], isComplete: true},
  });
  program.press('x', 'G', 'v', 'k', 'v', 'k', 's');
  enter(program, 'picked.log');
  await shows(program, 'saved 2 lines,');
  expect(rawLines(join(folder.path, 'picked.log'))).toEqual(lines.slice(-3, -1));
});

test('a file that is there is replaced only when its path is taken twice', async () => {
  writeFileSync(join(folder.path, 'kept.log'), 'mine');
  const {program} = await openShared();
  program.press('s');
  enter(program, 'kept.log');
  await shows(program, 'already exists, Enter replaces kept.log');
  program.press('Esc');
  await shows(program, 'following');
  expect(readFileSync(join(folder.path, 'kept.log'), 'utf8')).toBe('mine');
  program.press('s');
  enter(program, 'kept.log');
  await shows(program, 'already exists');
  program.press('Enter');
  await shows(program, 'saved 22 lines');
  expect(rawLines(join(folder.path, 'kept.log'))).toEqual(lines);
});

test('what can not be saved is told, leaves nothing behind, and the log goes on', async () => {
  mkdirSync(join(folder.path, 'folder'));
  const {program} = await openShared();
  const fails = async (path: string, sentence: string): Promise<void> => {
    program.press('s');
    enter(program, path);
    await shows(program, sentence);
  };
  await fails('nowhere/x.log', 'nowhere/x.log could not be saved: there is no such file or folder');
  await fails('folder', 'folder is a folder: add the name of a file');
  await fails('/dev/null', '/dev/null is not a regular file');
  if (process.platform === 'linux') {
    await fails('/proc/branchlog.log', '/proc/branchlog.log could not be saved');
  }
  expect(fileNames()).toEqual(['folder']);
  program.press('g');
  await shows(program, 'the service held nothing older');
});

test('a device that is full leaves nothing behind, and the log goes on', async () => {
  const long = Array.from({length: 40}, (_, index) => `2026-11-21T14:10:${index + 10}.000000000Z ${'x'.repeat(1000)}`);
  service.setWindow({...firstWindow, lines: long});
  // No file may grow past 16 kB.
  const program = service.open({
    command: '/bin/bash',
    args: ['-c', `ulimit -f 16; exec "${builtCommand}" "${launcher}" shop master`],
    columns: 100,
    rows: 14,
    cwd: folder.path,
  });
  await shows(program, 'following');
  program.press('s');
  enter(program, 'full.log');
  await shows(program, 'full.log could not be saved: the file is too large');
  expect(fileNames()).toEqual([]);
  program.press('g');
  await shows(program, 'the service held nothing older');
});

test('S saves a note with the markers and the marks', async () => {
  const {program, branch} = await openShared([...lines, ...hostileLines]);
  program.press('M', 'why *this*?', 'Enter');
  await shows(program, 'marked');
  program.press('S');
  await shows(program, `save a note to ./incident-shop-${branch}-2026`);
  enter(program, 'note.md');
  await shows(program, 'mark and 1 marker');
  const note = readFileSync(join(folder.path, 'note.md'), 'utf8');
  expect(note).toMatch(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]*$/);
  expect(note).toContain(`# Incident: shop › ${branch}\n`);
  expect(note).toContain('- Lines: 25 lines, 0 errors among them, 0 came late');
  expect(note).toContain('> why \\*this\\*?');
  const fenced = /\n(`{3,})text\n([\s\S]*?)\n\1\n/.exec(note);
  expect(fenced?.[1]).toBe('`````');
  expect(fenced?.[2]?.split('\n')).toHaveLength(6);
  expect(fenced?.[2]).toContain(hostileLines[2]);
});

test('p gives the terminal to the pager, which gets the lines safe to draw, and takes it again', async () => {
  // It reads its keys as a pager does, and waits for one.
  writePager(`cat > "${folder.path}/paged"
env > "${folder.path}/env"
stty -a </dev/tty | grep -o -w -e '-*icanon' -e '-*echo' > "${folder.path}/stty"
echo the pager is here
while [ ! -e go ]; do sleep 0.05; done
read -r word </dev/tty
echo "$word" > "${folder.path}/word"
`);
  const {program} = await openShared([...lines, ...hostileLines]);
  program.press('V');
  await shows(program, 'the pager is here');
  expect(program.altScreenActive()).toBe(false);
  expect(program.cursorShown()).toBe(true);
  // To branchlog these would be commands.
  program.press('gGqs', 'Enter');
  // It reads only later, so that whoever else reads the terminal would have taken it.
  await shows(program, 'gGqs');
  writeFileSync(join(folder.path, 'go'), '');
  await shows(program, 'following');
  expect(program.altScreenActive()).toBe(true);
  expect(readFileSync(join(folder.path, 'word'), 'utf8')).toBe('gGqs\n');
  expect(rawLines(join(folder.path, 'stty'))).toEqual(['icanon', 'echo']);
  expect(readFileSync(join(folder.path, 'env'), 'utf8')).not.toContain(sampleToken);
  const paged = rawLines(join(folder.path, 'paged'));
  expect(paged.slice(1, 23)).toEqual(lines);
  expect(paged).toHaveLength(26);
  expect(paged.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  // The keys are ours again.
  program.press('g');
  await shows(program, 'the service held nothing older');
});

test('a pager that ends before it has read all is no harm', async () => {
  const many = Array.from(
    {length: 5000},
    (_, index) => `2026-11-21T14:00:00.${String(index).padStart(9, '0')}Z ${'x'.repeat(100)}`,
  );
  writePager('exit 0');
  const {program} = await openShared(many);
  const openings = (): number => program.output().split('\u001b[?1049h').length;
  const before = openings();
  program.press('V');
  await program.waitFor(() => openings() === before + 1, {what: 'the screen again'});
  await shows(program, 'following');
});

test('a pager that can not be started is told', async () => {
  const {program} = await openShared();
  program.press('V');
  await shows(program, 'pager ended with 127');
});

test('| runs a command on the lines as they were received, and what it prints stays until Enter', async () => {
  const {program} = await openShared([...lines, ...hostileLines]);
  program.press('|', 'tee got | wc -l; exit 3', 'Enter');
  await shows(program, /^\s*25$/m);
  await shows(program, 'ended with 3, press Enter to return');
  expect(program.altScreenActive()).toBe(false);
  program.press('Enter');
  await shows(program, 'tee got | wc -l; exit 3 ended with 3');
  expect(rawLines(join(folder.path, 'got'))).toEqual([...lines, ...hostileLines]);
  program.press('g');
  await shows(program, 'the service held nothing older');
});

test('Ctrl-C ends the command and not branchlog', async () => {
  const {program} = await openShared();
  // One process: a shell that starts another may get the signal in between, and then waits for it.
  const printed = await pipeTo(program, `sh -c 'echo it runs; exec sleep 1000'`);
  await printed('it runs\r\n');
  program.press('Ctrl+C');
  await printed('ended with 130, press Enter to return');
  program.press('Enter');
  await shows(program, 'following');
});

test.each(['./survivor', 'cat | ./survivor'])(
  'a program that Ctrl-C does not end keeps the terminal: %s',
  async command => {
    // A shell would not do: a signal that comes just before it reads is not told before there is something to read.
    writeFileSync(
      join(folder.path, 'survivor'),
      `#!${process.execPath}
process.on('SIGINT', () => console.log('interrupted'));
process.stdin.resume().on('end', () => {
  require('node:fs').createReadStream('/dev/tty', 'utf8').on('data', typed => {
    console.log('got ' + typed.trim());
    if (typed === 'bye\\n') {
      process.exit();
    }
  });
  console.log('it runs');
});
`,
      {mode: 0o755},
    );
    const {program} = await openShared();
    const printed = await pipeTo(program, command);
    await printed('it runs\r\n');
    program.press('Ctrl+C');
    await printed('interrupted\r\n');
    // Whoever else read the terminal would take one of them.
    for (const word of ['still here', 'and still', 'and again', 'bye']) {
      program.press(word, 'Enter');
      await printed(`got ${word}\r\n`);
    }
    await printed('press Enter to return');
    const [, after = ''] = program.output().slice(program.output().lastIndexOf('interrupted')).split('got bye');
    expect(after).toContain('press Enter to return');
    program.press('Enter');
    await shows(program, 'following');
  },
);

test('Ctrl-Z in the command stops both, and fg goes on with it', async () => {
  const shell = service.open({
    command: '/bin/bash',
    args: ['--norc', '--noprofile', '-i'],
    columns: 100,
    rows: 14,
    cwd: folder.path,
    env: {PS1: 'prompt> ', NODE: builtCommand, LAUNCHER: launcher},
  });
  await shows(shell, 'prompt>');
  shell.press('"$NODE" "$LAUNCHER" shop master', 'Enter');
  await shows(shell, 'following');
  shell.press('|', 'echo it runs; read -r word </dev/tty; echo "got $word"', 'Enter');
  await shows(shell, /^it runs$/m);
  shell.press('Ctrl+Z');
  await shows(shell, 'Stopped');
  shell.press('fg', 'Enter');
  await shell.waitFor(rows => rows.join('\n').includes('fg\n'), {what: 'the shell to have read fg'});
  shell.press('again', 'Enter');
  await shows(shell, 'got again');
  await shows(shell, 'press Enter to return');
  shell.press('Enter');
  await shows(shell, 'following');
  shell.press('q');
  await shell.waitFor(() => !shell.altScreenActive(), {what: "the shell's screen"});
});

test('the log is watched on while another program has the terminal', async () => {
  const {program, setLines} = await openShared();
  const printed = await pipeTo(program, 'cat > /dev/null');
  await printed('press Enter to return');
  setLines([...lines, ...hostileLines]);
  program.press('Enter');
  await shows(program, 'red');
  expect(existsSync(join(folder.path, 'got'))).toBe(false);
});
