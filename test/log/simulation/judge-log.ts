import type {LineEntry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {judgedAs} from './excuses.ts';
import type {Faults} from './find-faults.ts';
import type {Sent} from './sent-lines.ts';
import {type ClusterLine, clusterStartAt, second} from './simulated-cluster.ts';
import {identityOf} from './subject.ts';
import type {LossMark, Watched, WatchedLook} from './watch-looks.ts';

/**
 * Lines that arrived after the first answer was given, and that no answer showed; without those that came twice.
 */
export const findUnseen = ({arrived, looks}: Watched): readonly ClusterLine[] => {
  const shown = new Set(looks.flatMap(look => look.shown));
  const identities = new Set(looks.flatMap(look => look.shown.map(({identity}) => identity)));
  const [first] = looks;
  const arrivedCount = looks.reduce((most, look) => Math.max(most, look.arrivedCount), 0);
  return first === undefined
    ? []
    : arrived
        .slice(first.arrivedCount, arrivedCount)
        .filter(line => !shown.has(line) && !(line.isResent && identities.has(line.identity)));
};

/** Lines that no answer showed, and no marker stands for that came with the answer at an index, or before it. */
export const findSilentlyLost = (
  watched: Watched,
  lastIndexOf: (line: ClusterLine) => number = () => Number.POSITIVE_INFINITY,
): readonly ClusterLine[] => {
  const marks = watched.marks
    .filter(mark => mark.kind !== 'quiet' || mayBeQuiet(watched, mark.lookIndex))
    .map(mark => ({mark, step: stepWritten(watched.looks.slice(mark.firstIndex, mark.lookIndex + 1))}));
  return findUnseen(watched).filter(line => {
    const lastIndex = lastIndexOf(line);
    return !marks.some(({mark, step}) => mark.firstIndex <= lastIndex && standsFor(mark, line, step));
  });
};

const standsFor = ({from, to, pod}: LossMark, line: ClusterLine, step: bigint): boolean =>
  from <= line.at && line.at - (line.at % step) <= to && (pod === undefined || pod === line.pod);

/** The step of the stamps as answers wrote them: what is lost would have been written like that. */
export const stepWritten = (looks: readonly WatchedLook[]): bigint =>
  10n ** BigInt(9 - Math.min(9, ...looks.map(mostDecimals)));

/** Each answer is asked for often. */
const decimalsOf = new WeakMap<WatchedLook, number>();
const mostDecimals = (look: WatchedLook): number => {
  const most =
    decimalsOf.get(look) ??
    look.raws.reduce((most, raw) => (most === 9 ? most : Math.max(most, countDecimals(raw))), 0);
  decimalsOf.set(look, most);
  return most;
};
const countDecimals = (raw: string): number => /^\S+:\d\d[.,](\d{1,9})Z /.exec(raw)?.[1]?.length ?? 0;

/** So few new lines at once come of a log that is nearly silent. */
const quietLinesMax = 2;
const quietLooks = 3;

/**
 * Nobody can know what came and went in a log that was nearly silent before its windows came back empty or with other
 * lines; one that was busy is not silent all at once.
 */
const mayBeQuiet = ({looks}: Watched, lookIndex: number): boolean => {
  // What an empty log was before its first line is no silence: its time is known.
  if (!looks.slice(0, lookIndex).some(({shown}) => shown.length > 0)) {
    return false;
  }
  const counts = looks.slice(0, lookIndex).map(({shown}, index) => {
    const before = new Set(looks[index - 1]?.shown);
    return index === 0 ? 0 : shown.filter(line => !before.has(line)).length;
  });
  return counts
    .filter((_, index) => looks[index]?.isBlank === false)
    .slice(-quietLooks)
    .every(count => count <= quietLinesMax);
};

/** Lines held, or handed out, more often than the service has them; fragments of lines that were shown whole. */
export const findTwice = ({arrived, looks, held, sent, options}: Watched): Faults => {
  const emitted = countOf(arrived.map(({identity}) => identity));
  // What follows tells a fragment: there and here the same line stands after it.
  const isTold = ({fragment, shown, isLagging}: WatchedLook, index: number): boolean => {
    const before = looks[index - 1]?.shown ?? [];
    const place = fragment === undefined || isLagging ? -1 : before.indexOf(fragment.line);
    return place !== -1 && before[place + 1] === shown[0];
  };
  const rawsOf = (told: boolean): readonly string[] =>
    looks.flatMap((look, index) =>
      look.fragment !== undefined && isTold(look, index) === told ? [look.fragment.raw] : [],
    );
  // Of equal ones nobody can say which is held.
  const untold = new Set(rawsOf(false));
  const fragments = new Set(rawsOf(true).filter(raw => !untold.has(raw)));
  // Numbers tell them.
  const family = judgedAs(options);
  const displaced = family === 'said' || family === 'inferred' ? findDisplaced(looks) : new Set<string>();
  const anyFragments = new Set(looks.flatMap(({fragment}) => (fragment === undefined ? [] : [fragment.raw])));
  const tooMany = (lines: readonly LineEntry[], where: 'held' | 'handed out'): Faults =>
    [...countOf(lines.map(line => nameOf(line, sent)))].flatMap(([name, count]) => {
      const begun = sent.beginnings.get(name);
      if (begun !== undefined && !emitted.has(name)) {
        // A line that is still being written may be handed out as far as it is there, and then whole; what is held is
        // the whole of it.
        const most = where === 'handed out' || !sent.whole.has(begun) ? 1 : 0;
        return count > most && !sent.sharedBeginnings.has(name)
          ? [`${where} ${count} times, not ${most}, and only the beginning of a line: ${name}`]
          : [];
      }
      const most = emitted.get(name);
      if (most === undefined) {
        const isTorn = fragments.has(name) || !(anyFragments.has(name) || name.includes('=== log of'));
        return isTorn ? [`${where}, and no line of the service: ${name}`] : [];
      }
      return count > most && !displaced.has(name) ? [`${where} ${count} times, not ${most}: ${name}`] : [];
    });
  const handedOut = looks.flatMap(({added}) => added.filter(entry => entry.kind === 'line'));
  return [...tooMany(held, 'held'), ...tooMany(handedOut, 'handed out')];
};

/** A line's identity as the service knows it, however it was written; its text where it is no line of the service. */
export const nameOf = (line: LineEntry, {lines, beginnings}: Sent): string =>
  lines.get(line.raw)?.identity ?? (beginnings.has(line.raw) ? line.raw : identityOf(line));

/**
 * Lines without a timestamp that stand between two other lines with one than in the answer before: by their text alone
 * nobody can tell them from new ones, nor after that which of several equal ones is held.
 */
const findDisplaced = (looks: Watched['looks']): ReadonlySet<string> => {
  let before: readonly ClusterLine[] = [];
  return new Set(
    looks.flatMap(({shown}) => {
      const last = before;
      const places = new Map(last.map((line, index) => [line, index]));
      before = shown.length > 0 ? shown : before;
      return shown.flatMap((line, index) => {
        const place = places.get(line);
        const isDisplaced =
          place !== undefined &&
          !line.isStamped &&
          stampedBeside(last, place, -1) !== stampedBeside(shown, index, -1) &&
          stampedBeside(last, place, 1) !== stampedBeside(shown, index, 1);
        return isDisplaced ? [line.identity] : [];
      });
    }),
  );
};

const stampedBeside = (lines: readonly ClusterLine[], from: number, step: number): ClusterLine | undefined => {
  let index = from + step;
  while (lines[index]?.isStamped === false) {
    index += step;
  }
  return lines[index];
};

/**
 * Times that decrease in what is held, and lines of one container and time that stand in another order than they
 * arrived.
 */
export const findMisplaced = ({arrived, looks, held, sent, options}: Watched): Faults => {
  const backwards = held.findIndex((line, index) => (held[index - 1]?.at ?? line.at) > line.at);
  if (backwards !== -1) {
    return [`time decreases at ${held[backwards]?.raw}`];
  }
  // Where an older answer, or older lines in the place of a pod that went, fill a gap, nobody can know how they stand
  // to lines of the same time that are not beside them. Nor in what order lines of one time came where windows are
  // shown newest first.
  const podCount = new Set(looks.flatMap(({truePods}) => truePods)).size;
  if (options.show === 'reversed' || looks.some(({isLagging, truePods}) => isLagging || truePods.length < podCount)) {
    return [];
  }
  // Of copies that a window's front parts nobody can know which are there, nor how lines of the same time stand to
  // them.
  const copies = countOf(arrived.map(({key}) => key));
  const unclear = new Set(arrived.filter(({key}) => (copies.get(key) ?? 0) > 1).map(({at}) => at));
  const places = new Map(held.map((line, index) => [nameOf(line, sent), index]));
  // Lines of one time are ties only where their stamps were first written alike.
  const written = new Map<ClusterLine, string>();
  for (const {shown, raws} of looks) {
    for (const [index, line] of shown.entries()) {
      written.set(line, written.get(line) ?? raws[index]?.slice(0, raws[index]?.indexOf(' ')) ?? '');
    }
  }
  return looks.flatMap(({shown}) => {
    const lastOf = new Map<string, ClusterLine>();
    return shown
      .filter(({at, isStamped}) => isStamped && !unclear.has(at))
      .flatMap(line => {
        const last = lastOf.get(line.source);
        lastOf.set(line.source, line);
        const [place, lastPlace] = [places.get(line.identity), places.get(last?.identity ?? '')];
        const isBefore = place !== undefined && lastPlace !== undefined && place < lastPlace;
        return last?.at === line.at && written.get(last) === written.get(line) && isBefore
          ? [`out of order: ${line.raw} ahead of ${last.raw}`]
          : [];
      });
  });
};

/** Lines that an answer showed and that are not held, though the buffer has room for them. */
export const findDropped = ({arrived, looks, held, floor, sent}: Watched): Faults => {
  const counts = countOf(held.map(line => nameOf(line, sent)));
  const emitted = countOf(arrived.map(({identity}) => identity));
  const floorAt = floor ?? -1n;
  // Of copies no more can be told apart than one answer shows at once.
  const dropped = looks.flatMap(({shown, torn}) => {
    const whole = torn.size === 0 ? shown : shown.filter(line => !torn.has(line));
    const atOnce = countOf(whole.flatMap(({identity}) => ((emitted.get(identity) ?? 0) > 1 ? [identity] : [])));
    return whole
      .filter(line => line.at > floorAt && (counts.get(line.identity) ?? 0) < (atOnce.get(line.identity) ?? 1))
      .map(({raw}) => `shown and not held: ${raw}`);
  });
  const begun = new Set([...counts.keys()].map(name => sent.beginnings.get(name)));
  const neverWhole = [...sent.beginnings].flatMap(([raw, line]) =>
    sent.whole.has(line) || line.at <= floorAt || begun.has(line) || sent.sharedBeginnings.has(raw) ? [] : [line],
  );
  return [...dropped, ...neverWhole.map(({raw}) => `its beginning was shown and nothing of it is held: ${raw}`)];
};

/**
 * Items that are no strings, of which no gap tells in the first answer that has them; where each line has a number, in
 * the first with numbers.
 */
export const findUntoldItems = ({looks}: Watched): Faults => {
  const areNumbered = looks.some(({window}) => window.numbering !== undefined);
  const told = new Set<ClusterLine>();
  let isDue = false;
  return looks.flatMap(({noStrings, gap, window}, index) => {
    isDue ||= noStrings.some(line => !told.has(line));
    for (const line of noStrings) {
      told.add(line);
    }
    const isUntold = isDue && gap === undefined && (window.numbering !== undefined || !areNumbered);
    isDue &&= gap === undefined && !isUntold;
    return isUntold ? [`no gap at answer ${index}, which has an item that is no string`] : [];
  });
};

/** Gaps that end before they begin, and those that a time bounds that is no clock's: the service's own is never a day off. */
export const findMisdated = ({looks}: Watched): Faults =>
  looks.flatMap(({gap, wholeSince, window: {serviceAt}}, index) => {
    const isFar = (at: Instant): boolean =>
      serviceAt !== undefined && (at < clusterStartAt - day || at > serviceAt + day);
    return [
      ...(gap !== undefined && gap.after >= gap.before ? [`a gap from ${gap.after} to ${gap.before}`] : []),
      ...(gap !== undefined && (isFar(gap.after) || isFar(gap.before))
        ? [`misdated: a gap from ${gap.after} to ${gap.before}`]
        : []),
      ...(wholeSince !== undefined && isFar(wholeSince)
        ? [`misdated: whole since ${wholeSince} at answer ${index}`]
        : []),
    ];
  });
const day = 86_400n * second;

export const countOf = (values: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
};
