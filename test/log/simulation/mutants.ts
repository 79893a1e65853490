import type {BranchLog, LogWindow} from '../../../src/log/branch-log.ts';
import type {Entry, LineEntry} from '../../../src/log/entry.ts';
import {instantToMs} from '../../../src/log/instant.ts';
import {readLine} from '../../../src/log/window-line.ts';
import {createSubject, identityOf, linesOf, type Subject, type SubjectOptions} from './subject.ts';

/** A way in which others get it wrong, or in which this engine could. */
export type Mutant = {readonly name: string; readonly create: (options: SubjectOptions) => Subject};

const seeing =
  (see: (lines: readonly string[], log: BranchLog) => readonly string[]) =>
  (options: SubjectOptions): Subject =>
    createSubject({...options, see: (window, log) => ({...window, lines: see(window.lines, log)})});

const remembering =
  (remember: (log: BranchLog) => BranchLog) =>
  (options: SubjectOptions): Subject =>
    createSubject({...options, remember});

const saying =
  (say: (added: readonly Entry[], log: BranchLog, window: LogWindow) => readonly Entry[]) =>
  (options: SubjectOptions): Subject =>
    createSubject({...options, say});

const showing =
  (show: (lines: readonly LineEntry[]) => readonly LineEntry[]) =>
  (options: SubjectOptions): Subject =>
    createSubject({...options, show});

const notIn = (
  lines: readonly string[],
  held: ReadonlySet<string>,
  identify: (raw: string) => string,
): readonly string[] => lines.filter(raw => !held.has(identify(raw)));

const textOfRaw = (raw: string): string => raw.slice(readLine(raw)?.textIndex ?? 0);

const milliIdentity = (raw: string): string => {
  const line = readLine(raw);
  return line === undefined ? raw : `${instantToMs(line.at)} ${raw.slice(line.textIndex)}`;
};

const withoutGapIf = (isExcused: (log: BranchLog, window: LogWindow, added: readonly Entry[]) => boolean) =>
  saying((added, log, window) => (isExcused(log, window, added) ? added.filter(({kind}) => kind !== 'gap') : added));

const isKnown = (raw: string, log: BranchLog): boolean => log.before?.raws.includes(raw) === true;

/** Holds what it was handed, in the order in which that came. */
const appending = (
  options: SubjectOptions,
  choose: (window: LogWindow, log: BranchLog, added: readonly Entry[]) => readonly LineEntry[],
): Subject => {
  const printed: LineEntry[] = [];
  const subject = createSubject({
    ...options,
    say: (added, log, window) => {
      printed.push(...choose(window, log, added));
      return added;
    },
  });
  return {take: subject.take, lines: () => printed};
};

const entryOf = (raw: string): LineEntry => {
  const line = readLine(raw);
  return {kind: 'line', id: 0, at: line?.at ?? 0n, raw, textIndex: line?.textIndex ?? 0, late: false};
};

/** Every one of these is to be found out by one property at least. */
export const mutants: readonly Mutant[] = [
  {
    name: 'a watermark: what is as old as the newest line held, or older, is dropped',
    create: seeing((lines, log) =>
      lines.filter(raw => (readLine(raw)?.at ?? 1n << 99n) > (log.buffer.newestLine?.at ?? -1n)),
    ),
  },
  {
    name: 'a watermark: what is older than the newest line held is dropped',
    create: seeing((lines, log) =>
      lines.filter(raw => (readLine(raw)?.at ?? 1n << 99n) >= (log.buffer.newestLine?.at ?? -1n)),
    ),
  },
  {name: 'a set instead of a count: equal lines are one', create: seeing(lines => [...new Set(lines)])},
  {
    name: 'the text alone is the identity',
    create: seeing((lines, log) => notIn(lines, new Set(linesOf(log).map(({raw}) => textOfRaw(raw))), textOfRaw)),
  },
  {
    name: 'milliseconds: what is equal to the millisecond is one line',
    create: seeing((lines, log) => {
      const seen = new Set(linesOf(log).map(({raw}) => raw));
      const held = new Set(linesOf(log).map(({raw}) => milliIdentity(raw)));
      return lines.filter(raw => seen.has(raw) || !held.has(milliIdentity(raw)));
    }),
  },
  {
    name: 'timestamps compared as text',
    create: showing(lines => lines.toSorted((a, b) => (a.raw < b.raw ? -1 : a.raw > b.raw ? 1 : 0))),
  },
  {
    name: 'lines without a readable timestamp are dropped',
    create: seeing(lines => lines.filter(raw => readLine(raw) !== undefined)),
  },
  {
    name: 'late lines are put at the end',
    create: options => appending(options, (_window, _log, added) => added.filter(entry => entry.kind === 'line')),
  },
  {name: 'equal timestamps are reversed', create: seeing(lines => lines.toReversed())},
  {
    name: 'every window is put behind what is there',
    create: options => appending(options, ({lines}) => lines.map(entryOf)),
  },
  {
    name: 'what no line of the window before equals is new',
    create: options => appending(options, ({lines}, log) => lines.filter(raw => !isKnown(raw, log)).map(entryOf)),
  },
  {
    name: 'the newest line proves the log whole, also where each pod is cut on its own',
    create: withoutGapIf(({buffer}, {lines}) => lines.some(raw => raw === buffer.newestLine?.raw)),
  },
  {
    name: 'any line of the newest timestamp proves the log whole, held or not',
    create: withoutGapIf(({buffer}, {lines}) => lines.some(raw => readLine(raw)?.at === buffer.newestLine?.at)),
  },
  {
    name: 'where each pod is cut on its own, only what left is counted and not what came',
    create: withoutGapIf((log, {lines, pods}) => {
      const left = log.before?.raws.filter(raw => !lines.includes(raw)).length ?? 0;
      return left < lines.length / Math.max(1, pods.length) && left < (log.before?.raws.length ?? 0);
    }),
  },
  {
    name: 'no floor: what left the buffer is forgotten',
    create: remembering(log => ({...log, buffer: {...log.buffer, evictedThrough: undefined}})),
  },
  {
    name: 'always a gap where something is new',
    create: saying((added, {buffer: {newestLine}}) =>
      newestLine !== undefined && added.length > 0
        ? [...added, {kind: 'gap', id: 0, at: newestLine.at, after: newestLine.at, before: newestLine.at + 1_000_000n}]
        : added,
    ),
  },
  {name: 'never a gap', create: withoutGapIf(() => true)},
  {
    name: 'a pod that goes is not noticed',
    create: options => createSubject({...options, see: window => ({...window, pods: []})}),
  },
  {
    name: 'the window before is forgotten now and then',
    create: remembering(log => ({...log, before: log.buffer.lineCount % 2 === 0 ? undefined : log.before})),
  },
  {
    name: 'the newest line held, of whichever pod, must be there',
    create: saying((added, log, {lines}) => {
      const newest = log.buffer.newestLine;
      const identities = new Set(lines.map(raw => identityOf(entryOf(raw))));
      const isMissing = newest !== undefined && added.length > 0 && !identities.has(identityOf(newest));
      return isMissing && newest !== undefined
        ? [...added, {kind: 'gap', id: 0, at: newest.at, after: newest.at, before: newest.at}]
        : added;
    }),
  },
];
