import {type BranchLog, createBranchLog, type LogWindow} from '#log/ingest/branch-log.ts';
import {numbersOf, sourceIndexesOf} from '#log/ingest/numbered.ts';
import {comparePods} from '#log/ingest/pods.ts';
import type {Entry, LineEntry} from '#log/line/entry.ts';
import {instantToMs, latestOf} from '#log/line/instant.ts';
import type {Numbering} from '#log/window/window-claims.ts';
import {readLine} from '#log/window/window-line.ts';
import {countOf} from './judge-log.ts';
import {createSubject, identityOf, linesOf, type Subject, type SubjectOptions} from './subject.ts';

/** A way in which others get it wrong, or in which this engine could. */
export type Mutant = {
  readonly name: string;
  readonly create: (options: SubjectOptions) => Subject;
};

const seeing =
  (see: (lines: readonly string[], log: BranchLog) => readonly string[]) =>
  (options: SubjectOptions): Subject =>
    createSubject({...options, see: (window, log) => ({...window, lines: see(window.lines, log)})});

const remembering =
  (remember: (log: BranchLog) => BranchLog) =>
  (options: SubjectOptions): Subject =>
    createSubject({...options, remember});

type Say = NonNullable<SubjectOptions['say']>;

const saying =
  (say: Say) =>
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

const withoutGapIf = (
  isExcused: (
    log: BranchLog,
    window: LogWindow<readonly string[]>,
    last: LogWindow<readonly string[]> | undefined,
  ) => boolean,
) =>
  saying((added, log, window, last) =>
    isExcused(log, window, last) ? added.filter(({kind}) => kind !== 'gap') : added,
  );

const seeingNumbers =
  (see: (numbering: Numbering) => Numbering) =>
  (options: SubjectOptions): Subject =>
    createSubject({
      ...options,
      see: window => ({...window, numbering: window.numbering && see(window.numbering)}),
    });

/** Holds what it was handed, in the order in which that came. */
const appending = (
  options: SubjectOptions,
  choose: (
    window: LogWindow<readonly string[]>,
    last: LogWindow<readonly string[]> | undefined,
    added: readonly Entry[],
  ) => readonly LineEntry[],
): Subject => {
  const printed: LineEntry[] = [];
  const subject = createSubject({
    ...options,
    say: (added, _log, window, last) => {
      printed.push(...choose(window, last, added));
      return added;
    },
  });
  return {...subject, lines: () => printed};
};

const entryOf = (raw: string): LineEntry => {
  const line = readLine(raw);
  return {kind: 'line', id: 0, at: line?.at ?? 0n, raw, textIndex: line?.textIndex ?? 0, late: false};
};

const byTime = (a: LineEntry, b: LineEntry): number => (a.at < b.at ? -1 : Number(a.at > b.at));

const identityOfRaw = (raw: string): string => identityOf(entryOf(raw));

const frontOf = ({lines}: LogWindow<readonly string[]>): string | undefined =>
  lines.find(raw => readLine(raw) !== undefined);

/** Lines of the window that are in it more often than they are held. */
const countNew = ({lines}: LogWindow<readonly string[]>, log: BranchLog): number => {
  const held = countOf(linesOf(log).map(identityOf));
  return [...countOf(lines.map(identityOfRaw))].reduce(
    (sum, [identity, count]) => sum + Math.max(0, count - (held.get(identity) ?? 0)),
    0,
  );
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
    create: options => appending(options, (_window, _last, added) => added.filter(entry => entry.kind === 'line')),
  },
  {name: 'equal timestamps are reversed', create: seeing(lines => lines.toReversed())},
  {
    name: 'every window is put after what is there',
    create: options => appending(options, ({lines}) => lines.map(entryOf)),
  },
  {
    name: 'what no line of the window before equals is new',
    create: options =>
      appending(options, ({lines}, last) => lines.filter(raw => last?.lines.includes(raw) !== true).map(entryOf)),
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
    create: withoutGapIf((_log, {lines, pods}, last) => {
      const left = last?.lines.filter(raw => !lines.includes(raw)).length ?? 0;
      return left < lines.length / Math.max(1, pods.length) && left < (last?.lines.length ?? 0);
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
    name: 'all but the lines is forgotten now and then',
    create: remembering(log =>
      log.buffer.lineCount % 2 === 0 ? {...createBranchLog(log.buffer.bytesMax), buffer: log.buffer} : log,
    ),
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
  {
    name: 'the newest line held proves the log whole, wherever the window begins',
    create: withoutGapIf((_log, {lines}, last) => {
      const newest = last?.lines.map(entryOf).reduce((a, b) => (b.at >= a.at ? b : a));
      return newest !== undefined && lines.includes(newest.raw);
    }),
  },
  {
    name: 'a gap begins at the newest line held, however late lines were',
    create: saying((added, {buffer: {newestLine}}) =>
      added.map(entry =>
        entry.kind === 'gap' && newestLine !== undefined && newestLine.at < entry.before
          ? {...entry, after: newestLine.at}
          : entry,
      ),
    ),
  },
  {
    name: 'a window whose first line equals one that is held is whole, whichever copy it is',
    create: withoutGapIf((log, window) => {
      const front = frontOf(window);
      return front !== undefined && linesOf(log).some(held => identityOf(held) === identityOfRaw(front));
    }),
  },
  {
    name: 'a share is one by the pods alone, though containers are cut each on its own',
    create: withoutGapIf((log, window) => {
      const front = frontOf(window);
      const isHeld = front !== undefined && linesOf(log).some(held => identityOf(held) === identityOfRaw(front));
      return isHeld && countNew(window, log) < window.lines.length / Math.max(1, window.pods.length);
    }),
  },
  {
    name: 'a pod that goes excuses all that is missing',
    create: withoutGapIf((log, {pods}) => comparePods(log.pods, pods).gone.length > 0),
  },
  {
    name: 'a pod that goes excuses all that is missing, and says so of no pod in particular',
    create: saying((added, log, {pods}) =>
      comparePods(log.pods, pods).gone.length > 0
        ? added
            .filter(({kind}) => kind !== 'gap')
            .map(entry => (entry.kind === 'pod' ? {...entry, name: 'some'} : entry))
        : added,
    ),
  },
  {
    name: 'a log stays whole since its horizon',
    create: options => {
      const subject = createSubject(options);
      return {...subject, wholeSince: () => subject.log().horizon};
    },
  },
  {
    name: 'after an empty answer nothing is missing',
    create: options => {
      let wasEmpty = false;
      return createSubject({
        ...options,
        say: (added, _log, {lines}) => {
          const isExcused = wasEmpty;
          wasEmpty = lines.length === 0;
          return isExcused ? added.filter(({kind}) => kind !== 'gap' && kind !== 'quiet') : added;
        },
      });
    },
  },
  {
    name: 'the service’s numbers are ignored',
    create: options => createSubject({...options, see: window => ({...window, arrivals: undefined})}),
  },
  {
    name: 'a gap is from the newest line held to the newest that came, whatever clocks there are',
    create: saying((added, {buffer: {newestLine}}) => {
      const newest = latestOf(added.map(entry => (entry.kind === 'line' ? entry.at : undefined)));
      return added.map(entry =>
        entry.kind === 'gap' && newestLine !== undefined && newest !== undefined && newestLine.at < newest
          ? {...entry, after: newestLine.at, before: newest}
          : entry,
      );
    }),
  },
  {
    name: 'a line that has grown is another one beside its piece',
    create: options => {
      const pieces: LineEntry[] = [];
      const subject = createSubject({
        ...options,
        say: (added, log) => {
          for (const entry of added) {
            if (entry.kind === 'line' && entry.grown === true) {
              pieces.push(...linesOf(log).filter(({at, raw}) => at === entry.at && entry.raw.startsWith(raw)));
            }
          }
          return added;
        },
      });
      return {...subject, lines: () => [...subject.lines(), ...pieces].toSorted(byTime)};
    },
  },
  {
    name: 'an older answer is believed: the next one is compared with its numbers',
    create: options => {
      let arrivals: LogWindow<readonly string[]>['arrivals'];
      return createSubject({
        ...options,
        remember: log => ({...log, arrivals: arrivals ?? log.arrivals}),
        say: (added, _log, window) => {
          ({arrivals = arrivals} = window);
          return added;
        },
      });
    },
  },
  {
    name: 'items that are no lines are dropped and nobody is told',
    create: options => createSubject({...options, see: window => ({...window, notLines: []})}),
  },
  {
    name: 'a told loss lies around the last line before it',
    create: saying(added =>
      added.map(entry =>
        entry.kind === 'gap' && entry.reason === 'told' ? {...entry, before: entry.after + 1_000_000n} : entry,
      ),
    ),
  },
  {
    name: 'losses of one source at one number are one loss, however many the service tells',
    create: seeingNumbers(numbering => ({
      ...numbering,
      losses: numbering.losses.filter(
        ({number, source}, index) =>
          numbering.losses.findIndex(other => other.number === number && other.source === source) === index,
      ),
    })),
  },
  {
    name: 'a time that a service gives is believed, whatever it is',
    create: saying((added, _log, {numbering}) => {
      const before = numbering?.losses.at(-1)?.before;
      return added.map(entry =>
        entry.kind === 'gap' && entry.reason === 'told' && before !== undefined && before > entry.before
          ? {...entry, before}
          : entry,
      );
    }),
  },
  {
    name: 'losses that are told without a time after them are no losses yet',
    create: seeingNumbers(numbering => ({
      ...numbering,
      losses: numbering.losses.filter(({before, lines}) => before !== undefined || lines !== undefined),
    })),
  },
  {
    name: 'the first lines of a log that was empty are all that came',
    create: withoutGapIf(({buffer}) => buffer.lineCount === 0),
  },
  {
    name: 'a line in another form, its end cut or a carriage return behind it, is another line',
    create: options => {
      const raws = new Map<string, string>();
      const subject = createSubject({
        ...options,
        see: window => {
          for (const raw of window.lines) {
            raws.set(raw, raw.trimEnd());
          }
          return window;
        },
      });
      const others = (): readonly LineEntry[] => {
        const held = subject.lines();
        const heldRaws = new Set(held.map(({raw}) => raw));
        const heldTexts = new Set(held.map(({raw}) => raw.trimEnd()));
        return [...raws].flatMap(([raw, text]) => (!heldRaws.has(raw) && heldTexts.has(text) ? [entryOf(raw)] : []));
      };
      return {...subject, lines: () => [...subject.lines(), ...others()].toSorted(byTime)};
    },
  },
  {
    name: 'a series that lies is called counted on and on',
    create: options => {
      let isNumbered = false;
      const subject = createSubject({
        ...options,
        see: window => {
          isNumbered = window.numbering !== undefined;
          return window;
        },
      });
      return {...subject, proof: () => (isNumbered ? 'counted' : subject.proof())};
    },
  },
  {
    name: 'a number that is known is not looked at again, though it stands for another line',
    create: options => {
      let last = 0;
      let series: string | undefined;
      return createSubject({
        ...options,
        see: window => {
          const {numbering, lines} = window;
          if (numbering === undefined || lines.length === 0) {
            return window;
          }
          last = numbering.series === series ? last : 0;
          ({series} = numbering);
          const before = last;
          const numbers = [...numbersOf(numbering, lines.length)];
          const sources = [...sourceIndexesOf(numbering, lines.length)];
          const kept = numbers.flatMap((number, index) => (number > before ? [{number, index}] : []));
          last = Math.max(last, ...numbers);
          return {
            ...window,
            lines: kept.flatMap(({index}) => lines[index] ?? []),
            numbering: {
              ...numbering,
              first: kept[0]?.number ?? last + 1,
              numbers: kept.map(({number}) => [number, 1]),
              runs: kept.map(({index}) => [sources[index] ?? 0, 1]),
            },
          };
        },
      });
    },
  },
  {
    name: 'a gap that grows is another one each time',
    create: options => {
      let id = 1_000_000;
      return createSubject({
        ...options,
        say: added =>
          added.map(entry => {
            id += 1;
            return entry.kind === 'gap' ? {...entry, id, grows: false} : entry;
          }),
      });
    },
  },
];
