import type {LineEntry} from '../../../src/log/line/entry.ts';
import type {Faults} from './find-faults.ts';
import type {ClusterLine} from './simulated-cluster.ts';
import {identityOf} from './subject.ts';
import type {Watched} from './watch-looks.ts';

/** Lines that arrived after the first answer with lines in it was given, and that no answer showed. */
export const findUnseen = ({arrived, looks}: Watched): readonly ClusterLine[] => {
  const shown = new Set(looks.flatMap(look => look.shown));
  const first = looks.find(look => look.shown.length > 0);
  const last = looks.at(-1);
  return first === undefined
    ? []
    : arrived.slice(first.arrivedCount, last?.arrivedCount).filter(line => !shown.has(line));
};

/** Lines that no answer showed, and no marker stands for. */
export const findSilentlyLost = (watched: Watched): readonly ClusterLine[] => {
  const marks = watched.marks.filter(mark => mark.kind !== 'quiet' || mayBeQuiet(watched, mark.lookIndex));
  return findUnseen(watched).filter(
    line =>
      !marks.some(({from, to, pod}) => from <= line.at && line.at <= to && (pod === undefined || pod === line.pod)),
  );
};

/** Nobody can know what came and went where a window has fewer lines than the service was seen to hold; a full one is cut by count. */
const mayBeQuiet = ({looks}: Watched, lookIndex: number): boolean =>
  (looks[lookIndex]?.window.lines.length ?? 0) <
  Math.max(...looks.slice(0, lookIndex).map(({window}) => window.lines.length));

/** Lines held, or handed out, more often than the service has them; fragments of lines that were shown whole. */
export const findTwice = ({arrived, looks, held}: Watched): Faults => {
  const emitted = countOf(arrived.map(({identity}) => identity));
  // What follows tells a fragment: there and here the same line stands behind it.
  const isTold = ({fragment, shown, isLagging}: Watched['looks'][number], index: number): boolean => {
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
  const displaced = findDisplaced(looks);
  const anyFragments = new Set(looks.flatMap(({fragment}) => (fragment === undefined ? [] : [fragment.raw])));
  const tooMany = (lines: readonly LineEntry[], where: string): Faults =>
    [...countOf(lines.map(identityOf))].flatMap(([identity, count]) => {
      const most = emitted.get(identity);
      if (most === undefined) {
        const isTorn = fragments.has(identity) || !(anyFragments.has(identity) || identity.includes('=== log of'));
        return isTorn ? [`${where}, and no line of the service: ${identity}`] : [];
      }
      return count > most && !displaced.has(identity) ? [`${where} ${count} times, not ${most}: ${identity}`] : [];
    });
  const handedOut = looks.flatMap(({added}) => added.filter(entry => entry.kind === 'line'));
  return [...tooMany(held, 'held'), ...tooMany(handedOut, 'handed out')];
};

/**
 * Lines without a timestamp that stand between two other lines than in the answer before: by their text alone nobody can tell them
 * from new ones, nor after that which of several equal ones is held.
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
          last[place - 1] !== shown[index - 1] &&
          last[place + 1] !== shown[index + 1];
        return isDisplaced ? [line.identity] : [];
      });
    }),
  );
};

/** Times that decrease in what is held, and lines of one container and time that stand in another order than in an answer. */
export const findMisplaced = ({arrived, looks, held}: Watched): Faults => {
  const backwards = held.findIndex((line, index) => (held[index - 1]?.at ?? line.at) > line.at);
  if (backwards !== -1) {
    return [`time decreases at ${held[backwards]?.raw}`];
  }
  // Where an older answer, or older lines in the place of a pod that went, fill a gap, nobody can know how they stand to lines of the same time
  // that are not beside them.
  const podCount = new Set(looks.flatMap(({truePods}) => truePods)).size;
  if (looks.some(({isLagging, truePods}) => isLagging || truePods.length < podCount)) {
    return [];
  }
  // Of copies that a window's front parts nobody can know which are there, nor how lines of the same time stand to them.
  const copies = countOf(arrived.map(({at, identity}) => `${at} ${identity}`));
  const unclear = new Set(
    arrived.filter(({at, identity}) => (copies.get(`${at} ${identity}`) ?? 0) > 1).map(({at}) => at),
  );
  const places = new Map(held.map((line, index) => [identityOf(line), index]));
  return looks.flatMap(({shown}) => {
    const lastOf = new Map<string, ClusterLine>();
    return shown
      .filter(({at, isStamped}) => isStamped && !unclear.has(at))
      .flatMap(line => {
        const last = lastOf.get(line.source);
        lastOf.set(line.source, line);
        const isBefore = (places.get(line.identity) ?? 0) < (places.get(last?.identity ?? '') ?? -1);
        return last?.at === line.at && isBefore ? [`out of order: ${line.raw} ahead of ${last.raw}`] : [];
      });
  });
};

/** Lines that an answer showed and that are not held, though the buffer has room for them. */
export const findDropped = ({looks, held, floor}: Watched): Faults => {
  const counts = countOf(held.map(identityOf));
  const floorAt = floor ?? -1n;
  // Of copies no more can be told apart than one answer shows at once.
  return looks.flatMap(({shown}) => {
    const atOnce = countOf(shown.map(({identity}) => identity));
    return shown
      .filter(({identity, at}) => at > floorAt && (counts.get(identity) ?? 0) < (atOnce.get(identity) ?? 0))
      .map(({raw}) => `shown and not held: ${raw}`);
  });
};

/** Gaps that end before they begin. */
export const findInverted = ({looks}: Watched): Faults =>
  looks.flatMap(({gap}) =>
    gap === undefined || gap.after < gap.before ? [] : [`a gap from ${gap.after} to ${gap.before}`],
  );

export const countOf = (values: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
};
