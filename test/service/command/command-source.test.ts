import {chmodSync, existsSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parseInstant} from '#log/line/instant.ts';
import {waitFor} from '../../support/wait-for.ts';
import {createCommandFolder} from '../command-folder.ts';

/** Fixed, so that stamps can be written out. */
const nowMs = Date.UTC(2025, 0, 1);

/**
 * Its Nth run prints `errorN` to standard error and `runN`, starts `childN`, with `waitN` waits for `moreN` and prints
 * it, and ends if there is `endN`, or sleeps.
 */
const script = `echo $$ >> pids
n=$(($(wc -l < pids)))
[ -f error$n ] && cat error$n >&2
[ -f run$n ] && cat run$n
if [ -f child$n ]; then
  sh child$n &
  until [ -f started ]; do sleep 0.01; done
fi
if [ -f wait$n ]; then
  until [ -f more$n ]; do sleep 0.01; done
  cat more$n
fi
[ -f end$n ] && exit 3
exec sleep 1000
`;

type Options = {
  readonly command?: string;
  /** Further pods, as TOML. */
  readonly pods?: string;
  readonly windowLines?: number;
};

const openFolder = ({command = '["sh", "print.sh"]', pods = '', windowLines}: Options = {}) => {
  const folder = createCommandFolder({pod: `command = ${command}\n${pods}`, windowLines, nowMs});
  folder.write('print.sh', script);
  return {
    ...folder,
    read: (name: string) => readFileSync(folder.at(name), 'utf8'),
    exists: (name: string) => existsSync(folder.at(name)),
  };
};

const texts = (lines: readonly string[]): readonly string[] => lines.map(line => line.slice(31));

const isAlive = (pid: number | undefined): boolean => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a line that was written before keeps its own time, and one that is new has the time of reading', async () => {
  const folder = openFolder();
  folder.write(
    'run1',
    '2024-12-31T23:59:00.5+0000 host app[1]: old\n  at x\n2024-12-31T23:59:59+0000 host app[1]: new\n',
  );
  const backend = await folder.open();
  expect(await backend.waitForLast('new')).toEqual([
    '2024-12-31T23:59:00.500000000Z 2024-12-31T23:59:00.5+0000 host app[1]: old',
    '2024-12-31T23:59:00.500000001Z   at x',
    '2025-01-01T00:00:00.000000000Z 2024-12-31T23:59:59+0000 host app[1]: new',
  ]);
  expect((await backend.readWindow()).pods[0]?.metadata.annotations).toEqual({'branchlog/source': 'command'});
});

test('a line without a time that comes later has the time of reading, not that of the line before', async () => {
  const folder = openFolder();
  folder.write('run1', '2024-12-31T23:00:00Z old\n');
  folder.write('wait1', '');
  const backend = await folder.open();
  await backend.waitForLast('old');
  await backend.readWindow();
  folder.write('more1', 'no time\n');
  expect((await backend.waitForLast('no time'))[1]).toBe('2025-01-01T00:00:00.000000000Z no time');
});

test('a late line that a later run has keeps its own time', async () => {
  const folder = openFolder();
  folder.write('run1', '2024-12-31T00:00:01Z a\n2024-12-31T00:00:03Z c\n');
  folder.write('end1', '');
  folder.write('run2', '2024-12-31T00:00:01Z a\n2024-12-31T00:00:02Z late\n2024-12-31T00:00:03Z c\n');
  const backend = await folder.open();
  await backend.waitForLast('c');
  await waitFor(() => folder.warnings.length > 0, {what: 'the warning'});
  folder.skip(1_000);
  const lines = await waitFor(
    async () => {
      const window = await backend.readWindow();
      return window.lines.length >= 3 && window.lines;
    },
    {what: 'three lines'},
  );
  expect(lines[1]).toBe('2024-12-31T00:00:02.000000000Z 2024-12-31T00:00:02Z late');
});

test('bytes that are no text, long lines and a last line without its end are served', async () => {
  const folder = openFolder();
  folder.write('run1', Buffer.concat([Buffer.from([0x61, 0xff, 0x0a]), Buffer.from(`${'x'.repeat(70_000)}\r\nlast`)]));
  folder.write('end1', '');
  const backend = await folder.open();
  const lines = texts(await backend.waitForLast('last'));
  expect(lines).toEqual(['a\ufffd', `${'x'.repeat(65_536)} … (truncated at 64 KB)`, 'last']);
});

test('a line whose end does not come is served as it stands, and then its rest', async () => {
  const folder = openFolder();
  folder.write('run1', 'first\nenter a n');
  folder.write('wait1', '');
  const backend = await folder.open();
  await backend.waitForLast('first');
  folder.skip(2_000);
  await backend.waitForLast('enter a n');
  folder.write('more1', 'ame: ok\nnext\n');
  expect(texts(await backend.waitForLast('next'))).toEqual(['first', 'enter a n', 'ame: ok', 'next']);
});

test('a line that was served in two parts is not served again when it is repeated', async () => {
  const folder = openFolder();
  folder.write('run1', '2024-12-31T23:59:59Z a');
  folder.write('wait1', '');
  folder.write('end1', '');
  folder.write('run2', '2024-12-31T23:59:59Z abc\n2024-12-31T23:59:59Z d\n');
  const backend = await folder.open();
  await folder.waitForRuns(1);
  await waitFor(
    async () => {
      folder.skip(2_000);
      return (await backend.readWindow()).lines.length === 1;
    },
    {what: 'the first part'},
  );
  folder.write('more1', 'bc\n');
  await backend.waitForLast('bc');
  await waitFor(() => folder.warnings.length > 0, {what: 'the warning'});
  folder.skip(1_000);
  expect(texts(await backend.waitForLast('d'))).toEqual(['2024-12-31T23:59:59Z a', 'bc', '2024-12-31T23:59:59Z d']);
  expect((await backend.readWindow()).arrivals).toMatchObject({dropped: 0});
});

test('all of a large output is taken', async () => {
  const folder = openFolder();
  const lines = Array.from({length: 20_000}, (_, index) => `2024-12-31T00:00:00Z line ${index} ${'.'.repeat(40)}\n`);
  folder.write('run1', lines.join(''));
  const backend = await folder.open();
  await backend.waitForLast(lines.at(-1)?.trim() ?? '');
  const {arrivals} = await backend.readWindow();
  expect(arrivals).toMatchObject({last: 20_000, dropped: 19_000});
});

test('a command that ends is started again after a pause; repeated lines are not doubled and prove that none is missing', async () => {
  const folder = openFolder();
  folder.write('run1', '2024-12-31T00:00:01Z a\n2024-12-31T00:00:02Z b\n');
  folder.write('end1', '');
  folder.write('run2', '2024-12-31T00:00:02Z b\n2024-12-31T00:00:03Z c\n');
  const backend = await folder.open();
  await backend.waitForLast('b');
  await waitFor(() => folder.warnings.length > 0, {what: 'the warning'});
  expect(folder.countRuns()).toBe(1);
  folder.skip(1_000);
  expect(texts(await backend.waitForLast('c'))).toEqual([
    '2024-12-31T00:00:01Z a',
    '2024-12-31T00:00:02Z b',
    '2024-12-31T00:00:03Z c',
  ]);
  expect((await backend.readWindow()).arrivals).toMatchObject({last: 3, dropped: 0});
  expect(folder.warnings).toEqual([
    'The command of pod app (sh) ended with exit code 3: it restarts after a pause, and readers see a gap unless it repeats its last lines.',
  ]);
});

test('a command that does not repeat its last lines leaves a gap', async () => {
  const folder = openFolder();
  folder.write('run1', '2024-12-31T00:00:01Z a\n');
  folder.write('end1', '');
  folder.write('run2', '2024-12-31T00:00:05Z e\n');
  const backend = await folder.open();
  await backend.waitForLast('a');
  await waitFor(() => folder.warnings.length > 0, {what: 'the warning'});
  folder.skip(1_000);
  expect(texts(await backend.waitForLast('e'))).toEqual(['2024-12-31T00:00:01Z a', '2024-12-31T00:00:05Z e']);
  // The loss has a number between the two lines.
  expect((await backend.readWindow()).arrivals).toMatchObject({last: 3, dropped: 2});
});

test('a command that prints nothing after a restart leaves a gap once it had the time to', async () => {
  const folder = openFolder();
  folder.write('run1', '2024-12-31T00:00:01Z a\n');
  folder.write('end1', '');
  const backend = await folder.open();
  await backend.waitForLast('a');
  await waitFor(() => folder.warnings.length > 0, {what: 'the warning'});
  folder.skip(1_000);
  await folder.waitForRuns(2);
  expect((await backend.readWindow()).arrivals).toMatchObject({last: 1, dropped: 0});
  folder.skip(2_000);
  expect((await backend.readWindow()).arrivals).toMatchObject({last: 2, dropped: 2});
  // One loss, however often it is started after that in vain.
  process.kill((await folder.waitForRuns(2)) ?? 0, 'SIGKILL');
  await waitFor(() => folder.warnings.length > 1, {what: 'the second warning'});
  folder.skip(2_000);
  await folder.waitForRuns(3);
  folder.skip(2_000);
  await backend.readWindow();
  expect((await backend.readWindow()).arrivals).toMatchObject({last: 2, dropped: 2});
});

test('a command that fails again and again is one warning, and leaves the other pods alone', async () => {
  const folder = openFolder({
    command: '["./missing", "--token", "secret"]',
    pods: '[[sites.branches.pods]]\nname = "web"\nfiles = ["web.log"]\n',
  });
  folder.write('web.log', 'one\n');
  const first = await folder.open();
  expect(texts(await first.waitForLast('one'))).toEqual(['one']);
  await first.close();
  const backend = await folder.open();
  for (let round = 0; round < 5; round += 1) {
    folder.skip(40_000);
    await backend.readWindow();
    await backend.readWindow();
  }
  folder.write('web.log', 'one\ntwo\n');
  await backend.waitForLast('two');
  const {lines, arrivals, unreadable} = await backend.readWindow();
  expect(texts(lines)).toEqual(['one', 'two']);
  expect(arrivals).toMatchObject({last: 2, dropped: 0});
  expect(unreadable).toEqual({pods: 1, of: 2, why: 'the command missing cannot be started (no such program)'});
  const warning =
    'The command of pod app (missing) cannot be started (no such program): it restarts after a pause, and readers see a gap unless it repeats its last lines.';
  // Once by each of the two services.
  expect(folder.warnings).toEqual([warning, warning]);
});

test('a command that failed is unreadable until its next run prints something', async () => {
  const folder = openFolder({command: '["sh", "-c", "test -e ready && echo line && exec sleep 600"]'});
  const backend = await folder.open();
  const {unreadable} = await waitFor(
    async () => {
      const window = await backend.readWindow();
      return window.unreadable !== undefined && window;
    },
    {what: 'the command to fail'},
  );
  expect(unreadable).toEqual({pods: 1, of: 1, why: 'the command sh ended with exit code 1'});
  folder.write('ready', '');
  folder.skip(120_000);
  await backend.waitForLast('line');
  expect((await backend.readWindow()).unreadable).toBeUndefined();
});

test('a program that others may write to is not run, and the warning says what to do', async () => {
  const folder = openFolder({command: '["./tool"]'});
  folder.write('tool', '#!/bin/sh\necho run >> pids\necho line\n');
  chmodSync(folder.at('tool'), 0o777);
  const backend = await folder.open();
  await backend.readWindow();
  await waitFor(() => folder.warnings.length > 0, {what: 'the warning'});
  expect(folder.countRuns()).toBe(0);
  expect(folder.warnings[0]).toBe(
    `The command of pod app (tool) cannot be started (it may be written by others: run chmod go-w ${folder.at('tool')}): it restarts after a pause, and readers see a gap unless it repeats its last lines.`,
  );
  chmodSync(folder.at('tool'), 0o755);
  folder.skip(40_000);
  await backend.waitForLast('line');
});

test('a restart of the service doubles nothing, and shows what came meanwhile', async () => {
  const folder = openFolder();
  folder.write('run1', '2024-12-31T00:00:01Z a\n2024-12-31T00:00:02Z b\n');
  folder.write('run2', '2024-12-31T00:00:01Z a\n2024-12-31T00:00:02Z b\n2024-12-31T00:00:03Z c\n');
  const first = await folder.open();
  const before = await first.waitForLast('b');
  await first.close();
  const second = await folder.open();
  const after = await second.waitForLast('c');
  expect(after.slice(0, 2)).toEqual(before);
  expect((await second.readWindow()).arrivals).toMatchObject({last: 3, dropped: 0});
});

test('standard error becomes warnings, a bounded number of them', async () => {
  const folder = openFolder();
  folder.write('error1', `${Array.from({length: 50}, (_, index) => `trouble ${index}\x1b[31m`).join('\n')}\n`);
  folder.write('run1', 'line\n');
  const backend = await folder.open();
  await backend.waitForLast('line');
  await waitFor(() => folder.warnings.length >= 21, {what: 'the warnings'});
  expect(folder.warnings).toHaveLength(21);
  expect(folder.warnings[0]).toBe('The command of pod app (sh) writes: trouble 0 [31m');
  expect(folder.warnings[20]).toBe(
    'The command of pod app (sh) writes more errors: they are omitted for up to a minute.',
  );
});

test('closing ends the command and what it started, even if that ignores being asked', async () => {
  const folder = openFolder();
  folder.write('child1', 'trap "" TERM\necho $$ > started\nwhile :; do sleep 1; done\n');
  const backend = await folder.open();
  const pid = await folder.waitForRuns(1);
  await waitFor(() => folder.exists('started') && folder.read('started').endsWith('\n'), {what: 'the child'});
  const child = Number(folder.read('started'));
  expect([isAlive(pid), isAlive(child)]).toEqual([true, true]);
  await backend.close();
  await waitFor(() => !isAlive(pid) && !isAlive(child), {what: 'both to be gone'});
});

test('what a command leaves running ends before it is started again', async () => {
  const folder = openFolder();
  folder.write('child1', 'echo $$ > started\nexec sleep 1000\n');
  folder.write('run1', 'one\n');
  folder.write('end1', '');
  const backend = await folder.open();
  await backend.waitForLast('one');
  await waitFor(() => folder.warnings.length > 0, {what: 'the end'});
  expect(isAlive(Number(folder.read('started')))).toBe(false);
});

test('a command that ends again and again takes no line of a file beside it out of the window', async () => {
  const folder = openFolder({
    pods: '[[sites.branches.pods]]\nname = "web"\nfiles = ["web.log"]\n',
    windowLines: 10_000,
  });
  for (const run of [1, 2, 3]) {
    folder.write(`run${run}`, `2024-12-31T23:59:0${run}Z run ${run}\n`);
    folder.write(`end${run}`, '');
  }
  const lines = Array.from({length: 3_000}, (_, index) => `line ${index}\n`);
  folder.write('web.log', lines.join(''));
  const backend = await folder.open();
  for (const run of [1, 2, 3]) {
    await waitFor(async () => (await backend.readWindow()).lines.some(line => line.endsWith(`run ${run}`)), {
      what: `run ${run}`,
    });
    folder.skip(5_000);
  }
  const window = await backend.readWindow();
  const ofFile = texts(window.lines).filter(text => text.startsWith('line '));
  expect([ofFile.length, window.lines.length]).toEqual([3_000, 3_003]);
  expect(window.numbering?.losses).toHaveLength(2);
  expect(window.numbering?.losses[0]).toMatchObject({
    after: parseInstant('2024-12-31T23:59:01Z'),
    before: parseInstant('2024-12-31T23:59:02Z'),
    why: 'the command ended with exit code 3 and did not repeat its last line',
  });
  expect(window.numbering?.sources[window.numbering.losses[0]?.source ?? -1]).toEqual({pod: 'app'});
});

test.each([
  ['alone', false],
  ['and its rest', true],
])('a part of a line that was served, %s, is not served again as a whole after a restart', async (_name, isWhole) => {
  const folder = openFolder();
  folder.write('run1', '2024-12-31T23:59:58Z first\n2024-12-31T23:59:59Z half a li');
  folder.write('wait1', '');
  const backend = await folder.open();
  await backend.waitForLast('first');
  folder.skip(2_000);
  await backend.waitForLast('half a li');
  if (isWhole) {
    folder.write('more1', 'ne\n');
    await backend.waitForLast('ne');
  }
  await backend.close();
  folder.write(
    'run2',
    '2024-12-31T23:59:58Z first\n2024-12-31T23:59:59Z half a line\n  at trace\n2024-12-31T23:59:59Z last\n',
  );
  const next = await folder.open();
  const window = await next.waitForLast('last');
  expect(texts(window)).toEqual([
    ...['2024-12-31T23:59:58Z first', '2024-12-31T23:59:59Z half a li', 'ne', '  at trace'],
    '2024-12-31T23:59:59Z last',
  ]);
  expect((await next.readWindow()).numbering?.losses).toEqual([]);
});

test('a torn last line of a command that ended is not served again as a whole', async () => {
  const folder = openFolder();
  folder.write('run1', '2024-12-31T23:59:58Z first\n2024-12-31T23:59:59Z half a li');
  folder.write('end1', '');
  folder.write('run2', '2024-12-31T23:59:58Z first\n2024-12-31T23:59:59Z half a line\n2024-12-31T23:59:59Z last\n');
  const backend = await folder.open();
  await backend.waitForLast('half a li');
  await waitFor(() => folder.warnings.length > 0, {what: 'the warning'});
  folder.skip(1_000);
  expect(texts(await backend.waitForLast('last')).slice(1)).toEqual([
    ...['2024-12-31T23:59:59Z half a li', 'ne', '2024-12-31T23:59:59Z last'],
  ]);
});
