import {judgedAs, mayBeLostUnnoticed, mayBeOutsideRange} from './excuses.ts';
import type {Faults} from './find-faults.ts';
import {judgeCounted} from './judge-counted.ts';
import {countNeedless, findNeedless} from './judge-gaps.ts';
import {
  countOf,
  findDropped,
  findMisdated,
  findMisplaced,
  findSilentlyLost,
  findTwice,
  findUnseen,
  findUntoldItems,
} from './judge-log.ts';
import type {ClusterLine} from './simulated-cluster.ts';
import type {Watched} from './watch-looks.ts';
import {type Known, whatWasKnown} from './what-was-known.ts';

export type Judgement = {
  /** What must never be. */
  readonly faults: Faults;
  /** Gaps that lost nothing, though it could be known. */
  readonly falseGaps: Faults;
  /** Gaps, and those of them that lost nothing, whether anybody could know that or not. */
  readonly gapCount: number;
  readonly needlessGapCount: number;
  readonly pollCount: number;
  readonly lostCount: number;
};

/** Judges what a log made of a service's answers, by what the service knows. */
export const judgeScenario = (given: Watched): Judgement => {
  const isLying = given.looks.some(({hasLied}) => hasLied);
  // A series that lies tells nothing.
  const watched: Watched = isLying ? {...given, options: {...given.options, says: 'nothing'}} : given;
  const known = whatWasKnown(watched);
  const family = judgedAs(watched.options);
  const counted = family === 'numbered' || family === 'counted' ? judgeCounted(watched, known, family) : undefined;
  const uncounted = family === 'said' || family === 'inferred' ? family : undefined;
  return {
    faults: [
      ...(counted?.faults ?? []),
      ...(uncounted === undefined ? [] : findUnnoticed(watched, known, uncounted, isLying)),
      ...findUntoldItems(watched),
      ...findTwice(watched),
      ...findMisplaced(watched),
      ...findDropped(watched),
      ...findMisdated(watched),
      ...findEarlyWholeSince(watched),
      ...findBelievedLies(watched),
    ],
    // Whether answers of a series join that is found to lie nobody can know.
    falseGaps: [
      ...(counted?.falseGaps ?? []),
      ...(uncounted === undefined || isLying ? [] : findNeedless(watched, known, uncounted)),
    ],
    gapCount: watched.marks.filter(({kind}) => kind === 'gap').length,
    needlessGapCount: countNeedless(known),
    pollCount: watched.looks.length,
    lostCount: findUnseen(watched).length,
  };
};

/** Lines lost without a marker, though it could be known. */
const findUnnoticed = (
  watched: Watched,
  known: readonly Known[],
  family: 'said' | 'inferred',
  isLying: boolean,
): Faults => {
  const copies = countOf(watched.arrived.map(({identity}) => identity));
  const shown = new Set(watched.looks.flatMap(look => look.shown.map(({identity}) => identity)));
  const mayBeUnnoticed = mayBeLostUnnoticed(family);
  const mayBeOutside = mayBeOutsideRange(family);
  // Until a series lies, an answer without its numbers waits for the next one that has them.
  const isWaiting = ({look: {hasLied, window}}: Known): boolean =>
    isLying && !hasLied && window.numbering === undefined && window.arrivals === undefined;
  // A loss is told with the next line that comes.
  const findTold = (line: ClusterLine): Known | undefined =>
    known.find(each => each.look.arrivedCount > line.seq && each.came.length > 0 && !isWaiting(each));
  // A marker that comes much later, for another loss, tells nothing even if its range is wide enough.
  const lastIndexOf = (line: ClusterLine): number => (findTold(line)?.index ?? known.length) + 1;
  return findSilentlyLost(watched, lastIndexOf).flatMap(line => {
    const at = findTold(line);
    // Of copies nobody can say which one is there.
    const isCopy = (copies.get(line.identity) ?? 0) > 1 && shown.has(line.identity);
    if (at === undefined || isCopy || line.isNoString || mayBeUnnoticed(line, at, watched)) {
      return [];
    }
    const isMarked = at.look.added.some(
      entry => entry.kind === 'gap' || (entry.kind === 'pod' && entry.change === 'gone' && entry.name === line.pod),
    );
    if (!isMarked) {
      return [`lost without a marker at answer ${at.index}: ${line.source}, ${line.raw}`];
    }
    return mayBeOutside(line, at, watched)
      ? []
      : [`lost outside the range of the marker at answer ${at.index}: ${line.source}, ${line.raw}`];
  });
};

/** “Whole since” a time before a marker that says that lines may be missing. */
const findEarlyWholeSince = ({looks, marks}: Watched): Faults => {
  const wholeSince = looks.at(-1)?.wholeSince;
  return wholeSince === undefined
    ? []
    : marks
        .filter(({kind, from, to}) => wholeSince < (kind === 'gap' ? to : from))
        .map(({kind, from, to}) => `whole since ${wholeSince}, and yet a ${kind} from ${from} to ${to}`);
};

/** Answers that are called counted though a number stood for two lines by then. */
const findBelievedLies = ({looks}: Watched): Faults => {
  const since = looks.findIndex(({isLieShown}) => isLieShown);
  const index = looks.findIndex(({proof}, at) => since !== -1 && at >= since && proof === 'counted');
  return index === -1 ? [] : [`believed: counted at answer ${index}, though a number stood for two lines`];
};
