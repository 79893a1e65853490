import {describe, expect, test} from 'vitest';
import {parseArguments} from '#cli/arguments/args.ts';
import {readLogsOptions} from '#cli/arguments/logs-options.ts';
import {createLogPrinter} from '#cli/logs/print/log-printer.ts';
import type {Entry} from '#log/line/entry.ts';
import {parseInstant} from '#log/line/instant.ts';
import type {HeldFrom} from '#log/line/unread.ts';

const stamp = (second: number): string => `2026-11-21T14:00:${String(second).padStart(2, '0')}.000000000Z`;
const at = (second: number) => parseInstant(stamp(second)) ?? 0n;
const line = (second: number, text = `line ${second}`, late = false): Entry => ({
  kind: 'line',
  id: second,
  at: at(second),
  raw: `${stamp(second)} ${text}`,
  textIndex: stamp(second).length + 1,
  late,
});
const gap = (after: number, before: number): Entry => ({
  kind: 'gap',
  id: before,
  at: at(before),
  after: at(after),
  before: at(before),
  reason: 'share',
});
const held = (second: number, why: HeldFrom['why'] = 'file'): HeldFrom => ({at: at(second), why});

/** Prints by the flags of `logs`; what is said in between begins with `! `. */
const open = (
  flags: readonly string[],
  {names = [] as readonly string[], isAsWritten = false, part = undefined as string | undefined} = {},
) => {
  const written: string[] = [];
  const say = (sentence: string) => void written.push(`! ${sentence}`);
  const control = new AbortController();
  const printer = createLogPrinter({
    options: readLogsOptions(parseArguments(['logs', 'shop', 'web', ...flags]), () => undefined),
    ...{isAsWritten, part},
    output: {
      write: async text =>
        void written.push(
          ...String(text)
            .split('\n')
            .filter(row => row !== ''),
        ),
    },
    say,
    formatText: ({raw, textIndex}) => raw.slice(textIndex),
    labels: names.map(name => ({name, prefix: `${name} | `})),
    signal: control.signal,
  });
  const print = (entries: readonly Entry[], {isOfFirst = true, serviceTimeMs = undefined as number | undefined} = {}) =>
    printer.print({
      entries: entries.map((entry, index) => ({entry, branchIndex: names.length > 1 ? index % 2 : 0, isOfFirst})),
      serviceTimeMs,
    });
  return {printer, print, written, control};
};

const lines = (from: number, to: number): readonly Entry[] =>
  Array.from({length: to - from + 1}, (_, index) => line(from + index));

describe('a log is printed', () => {
  test.each<readonly [flags: readonly string[], isAsWritten: boolean, row: string]>([
    [[], false, 'line 1'],
    [['--format', 'raw'], false, `${stamp(1)} line 1`],
    [['--format', 'raw'], true, 'line 1'],
    [['--format', 'json'], false, expect.stringContaining('"text":"line 1"')],
  ])('as %j', async (flags, isAsWritten, row) => {
    const {print, written, printer} = open(flags, {isAsWritten});
    expect(await print([line(1)])).toBe('goOn');
    expect([written, printer.counts]).toEqual([[row], {lines: 1, gaps: 0, late: 0}]);
  });

  test.each([
    [undefined, '! pod web-1 appeared'],
    ['file', '! file web-1 appeared'],
  ])('which consists of pods or of what it is: %s', async (part, row) => {
    const {print, written} = open([], {part});
    await print([{kind: 'pod', id: 1, at: at(1), change: 'appeared', name: 'web-1', isWhole: false, since: undefined}]);
    expect(written).toEqual([row]);
  });

  test('with the name of each of several branches, also where something is missing', async () => {
    const {print, written, printer} = open([], {names: ['a', 'b']});
    await print([line(1), line(2), gap(2, 3), line(4, 'late', true)]);
    expect(written).toEqual([
      'a | line 1',
      'b | line 2',
      expect.stringMatching(/^! a: .*lines may be missing/),
      'b | late',
    ]);
    expect([printer.counts, printer.hasGap]).toEqual([{lines: 3, gaps: 1, late: 1}, true]);
  });

  test('with the lines around one that matches, and a mark where lines are left out between them', async () => {
    const {print, written} = open(['--grep', '[37]', '--after', '1']);
    await print(lines(1, 9));
    expect(written).toEqual(['line 3', 'line 4', '--', 'line 7', 'line 8']);
    const plain = open(['--grep', '[37]']);
    await plain.print(lines(1, 9));
    expect(plain.written).toEqual(['line 3', 'line 7']);
  });
});

describe('the last lines', () => {
  test('are counted as they are shown, over all first windows', async () => {
    const {print, written, printer} = open(['--tail', '2', '--grep', '[1-4]']);
    await print(lines(1, 9));
    expect(written).toEqual(['line 3', 'line 4']);
    await print([line(1)]);
    expect([written.length, printer.counts.lines]).toEqual([3, 3]);
  });

  test('none are those that come from now on', async () => {
    const {print, written} = open(['--tail', '0', '--follow']);
    await print(lines(1, 3));
    await print([line(4)], {isOfFirst: false});
    expect(written).toEqual(['line 4']);
  });

  test('of several branches do not count or drop what is newer', async () => {
    const {written, printer} = open(['--tail', '1', '--follow']);
    await printer.print({
      entries: [
        {entry: line(1), branchIndex: 0, isOfFirst: true},
        {entry: line(2), branchIndex: 0, isOfFirst: false},
        {entry: line(3), branchIndex: 0, isOfFirst: true},
        {entry: line(4), branchIndex: 0, isOfFirst: false},
      ],
      serviceTimeMs: undefined,
    });
    expect(written).toEqual(['line 2', 'line 3', 'line 4']);
  });
});

describe('a range', () => {
  test('ends at its times, by the newest line', async () => {
    const {print, written} = open(['--since', '5s', '--to', '2s']);
    await print([...lines(1, 5), gap(9, 10), ...lines(6, 10)]);
    expect(written).toEqual(['line 5', 'line 6', 'line 7', 'line 8']);
  });

  test('is by the clock of the service, if it sends one, and stays', async () => {
    const {print, written, printer} = open(['--since', '5s']);
    await print(lines(1, 9), {serviceTimeMs: Date.UTC(2026, 10, 21, 14, 0, 12)});
    expect(written).toEqual(['line 7', 'line 8', 'line 9']);
    await print([line(6), line(10)], {serviceTimeMs: Date.UTC(2026, 10, 21, 14, 0, 30)});
    expect([written.slice(3), printer.lastPollAtMs]).toEqual([['line 10'], Date.UTC(2026, 10, 21, 14, 0, 30)]);
    await print([]);
    expect(printer.lastPollAtMs).toBe(Date.UTC(2026, 10, 21, 14, 0, 30));
  });

  test('that ends before the lines begin says so', async () => {
    const {print, written} = open(['--to', '2026-11-21T14:00:03Z']);
    await print(lines(4, 5));
    expect(written).toEqual([`! nothing before --to was read: the lines begin at ${stamp(4)}`]);
  });
});

describe('where a log reaches back less than was asked for, that is said', () => {
  test.each<readonly [why: HeldFrom['why'], words: string | undefined]>([
    ['asked', 'no older lines were read'],
    ['unread', 'no older lines were read'],
    ['file', "a node's log file begins there"],
    ['memory', 'no more lines fit into kube_buffer_mb'],
    ['start', undefined],
  ])('why: %s', async (why, words) => {
    const {print, printer, written} = open(['--since', '2026-11-21T14:00:01Z']);
    printer.noteHeld(held(3, why));
    await print([line(3)]);
    expect(written).toEqual([
      ...(words ? [`! held from ${stamp(3)} only, --since asks for more: ${words}`] : []),
      'line 3',
    ]);
    expect(printer.shortFrom).toBe(words ? at(3) : undefined);
  });

  test('and where all lines of containers were asked for, of which the oldest did not fit', async () => {
    const {print, printer, written} = open([], {part: 'container'});
    printer.noteHeld(held(3, 'memory'));
    await print([line(3)]);
    expect(written).toEqual([`! held from ${stamp(3)} only: no more lines fit into buffer_mb`, 'line 3']);
    expect(printer.lacksHeld).toBe(true);
    const other = open([]);
    other.printer.noteHeld(held(3, 'asked'));
    await other.print([line(3)]);
    expect(other.written).toEqual(['line 3']);
  });

  test('of a service that does not say so, from the oldest line that it shows on', async () => {
    const {print, printer, written} = open(['--since', '2026-11-21T14:00:01Z', '--format', 'json']);
    printer.noteHeld({at: at(3), why: 'window'});
    await print([line(3)]);
    expect(written.slice(0, 2)).toEqual([
      `! held from ${stamp(3)} only, --since asks for more: the service shows no older lines`,
      `{"kind":"held","from":"${stamp(3)}","asked":"${stamp(1)}","why":"the service shows no older lines"}`,
    ]);
    expect(printer.lacksHeld).toBe(true);
  });

  test.each(['--fail-on-gap', '--require-proof'])('and ends it with %s', async flag => {
    const {print, printer} = open(['--since', '2026-11-21T14:00:01Z', '--follow', flag]);
    printer.noteHeld({at: at(3), why: 'window'});
    expect(await print([line(3)])).toBe('stop');
    const whole = open(['--since', '2026-11-21T14:00:03Z', '--follow', flag]);
    whole.printer.noteHeld({at: at(3), why: 'window'});
    expect(await whole.print([line(3)])).toBe('goOn');
  });

  test('once, and of several branches of that which reaches back the least', async () => {
    const {print, printer, written} = open(['--tail', '3']);
    printer.noteHeld(held(2));
    printer.noteHeld(held(4));
    printer.noteHeld(held(3));
    printer.noteHeld(undefined);
    await print([line(5)]);
    await print([line(6)]);
    expect(written).toEqual([
      `! held from ${stamp(4)} only, --tail finds 1 of 3 lines: a node's log file begins there`,
      'line 5',
      'line 6',
    ]);
  });

  test.each([[[held(4, 'start'), held(3, 'memory')]], [[held(3, 'memory'), held(4, 'start')]]])(
    'also of one beside another that only began later, in any order',
    async both => {
      const {print, printer, written} = open(['--since', '2026-11-21T14:00:01Z']);
      for (const each of both) {
        printer.noteHeld(each);
      }
      await print([line(5)]);
      expect(written[0]).toBe(
        `! held from ${stamp(3)} only, --since asks for more: no more lines fit into kube_buffer_mb`,
      );
      expect(printer.lacksHeld).toBe(true);
    },
  );

  test('but not where as many lines or as old ones were found', async () => {
    const tail = open(['--tail', '1']);
    tail.printer.noteHeld(held(5));
    await tail.print([line(5)]);
    const since = open(['--since', '2026-11-21T14:00:03Z']);
    since.printer.noteHeld(held(3));
    await since.print([line(5)]);
    expect([tail.written, since.written]).toEqual([['line 5'], ['line 5']]);
  });
});

describe('it ends', () => {
  test('at a line that is waited for, which is the last one printed', async () => {
    const {print, written, printer} = open(['--follow', '--until', 'line 3']);
    expect(await print(lines(1, 4))).toBe('goOn');
    expect(printer.hasMatched).toBe(false);
    expect(await print([line(2), line(3), line(4)], {isOfFirst: false})).toBe('stop');
    expect([written.slice(4), printer.hasMatched]).toEqual([['line 2', 'line 3'], true]);
  });

  test('also at one that is not shown, and at one that was there if that is asked for', async () => {
    const hidden = open(['--follow', '--until', 'line 3', '--grep', 'line 1']);
    expect(await hidden.print(lines(1, 4), {isOfFirst: false})).toBe('stop');
    expect(hidden.written).toEqual(['line 1']);
    const since = open(['--follow', '--until', 'line 3', '--since', '2026-11-21T14:00:02Z']);
    expect(await since.print(lines(1, 4))).toBe('stop');
    expect(since.written).toEqual(['line 2', 'line 3']);
    const once = open(['--until', 'line 3']);
    expect(await once.print(lines(1, 4))).toBe('stop');
  });

  test('at a gap, if that is asked for without a time', async () => {
    const {print, written} = open(['--follow', '--fail-on-gap']);
    expect(await print([line(1), gap(1, 2), line(3)])).toBe('stop');
    expect(written).toEqual(['line 1', expect.stringMatching(/^! /)]);
    const timed = open(['--follow', '--fail-on-gap', '--duration', '1m']);
    expect(await timed.print([line(1), gap(1, 2), line(3)])).toBe('goOn');
  });

  test('where a log is not counted, if that is asked for', () => {
    const {printer} = open(['--require-proof'], {names: ['a', 'b']});
    expect([printer.noteProof(0, 'counted', 'well'), printer.lacksProof]).toEqual(['goOn', undefined]);
    expect(printer.noteProof(1, 'inferred', 'not well')).toBe('stop');
    expect([printer.lacksProof, printer.proof]).toEqual([
      expect.stringMatching(/^b: the log is not counted: not well\. To prove/),
      'inferred',
    ]);
    printer.noteProof(1, 'inferred', 'worse');
    expect(printer.lacksProof).toContain('not well');
    const {printer: other} = open([]);
    expect([other.noteProof(0, 'inferred', 'not well'), other.lacksProof]).toEqual(['goOn', undefined]);
  });

  test('with its signal, in the middle of a large window', async () => {
    const {print, control, written} = open([]);
    const large = Array.from({length: 4_000}, (_, index) => line(index % 60));
    const printed = print(large);
    control.abort(new Error('ended'));
    await expect(printed).rejects.toThrow('ended');
    expect(written).toEqual([]);
  });
});
