import type {ChangeMarker, PodMarker} from '#log/line/entry.ts';
import {type Instant, instantToMs} from '#log/line/instant.ts';
import {levelOfRank} from '#log/tokens/level-words.ts';
import {describeMarker} from '#log/words/describe-marker.ts';
import type {Work} from '#log/work.ts';
import {findingOf, type IncidentFinding} from '../incident-finding.ts';
import {beforeSeconds, countBetween} from '../statistics/find-runs.ts';
import {readEvent, saidIn} from './read-event.ts';
import {anchorAt, type LogEvents, linesBetween, type ReadAgain} from './read-events.ts';

/** A change of a branch or its pods. `isInLog`: its marker is an entry of the log. */
export type KnownChange = {
  readonly source: number;
  readonly marker: ChangeMarker | PodMarker;
  readonly at: Instant;
  readonly isInLog: boolean;
  readonly part?: string | undefined;
};

/** More would not be read. */
const changesMax = 10;
/** Changes that follow the onset by more are its consequences. */
const sinceSeconds = 30;

/** Words that report a change, in any line. */
const telling =
  /\b(?:migrat(?:ions?|ed|ing)|deploy(?:ed|ing|ment)?|roll(?:ed|ing)?[ -]?(?:back|out)|releas(?:e|ed|ing)|upgrad(?:e|ed|ing)|(?:re)?start(?:ed|ing)?|boot(?:ed|ing)|listening|shut(?:ting)? ?down|stopp(?:ed|ing)|terminat(?:ed|ing)|reload(?:ed|ing)?|config(?:uration)? (?:changed|updated|loaded|reloaded|applied)|feature flag|fail(?:ed|ing)? ?over|scal(?:ed|ing)|promoted|elected|rotated|OOM ?Killed|SIGTERM|SIGKILL)\b/i;
const restarting =
  /\b(?:restart(?:ed|ing)?|OOM ?Killed|SIGKILL|SIGTERM|exit(?:ed)? (?:with )?(?:code|status)?|crash(?:ed|loop\w*))\b/i;

/** In seconds: what is so far from an onset counts half. Without one, it matters less when something was. */
const nearOnset = 120;
const nearNow = 3600;

/** A shape that came so rarely before is rare. */
const rareMax = 2;
/** With more kinds of rare lines, rarity says nothing, and only the telling ones count. */
const rareKindsMax = 20;
/** More lines are not read whole for what is rare among them: some fifty milliseconds. */
const readWholeMax = 10_000;

/** If a word for a change is in this many lines, it is usual there. */
const wordReadsMax = 400;

/** Changes told by the branch's record or by a field matter however old they are. */
const weights = {branch: 4, field: 3.5, pod: 2.5, restart: 3, telling: 2, rare: 0.6} as const;

type Candidate = {readonly finding: IncidentFinding; readonly weight: number};

/** `known`: what the branch and its pods tell. A quick look reads no lines again. */
export type ChangesWanted = {
  readonly onset: Instant | undefined;
  readonly known: readonly KnownChange[];
  /** From when on all that was written is held. */
  readonly wholeSince: Instant | undefined;
  readonly isQuick: boolean;
};

/**
 * Finds what changed in the fifteen minutes before an onset, or before now if there is none: in the branch and its
 * pods, in fields, in rare lines. The nearest and rarest first. Side by side: it claims no cause.
 */
export function* findChanges(
  events: LogEvents,
  {onset, known, wholeSince, isQuick}: ChangesWanted,
): Work<readonly IncidentFinding[]> {
  const {held, origin} = events;
  const to = onset === undefined ? held.to : Number(onset - origin) / 1e9;
  const span = [Math.max(held.from, to - beforeSeconds), Math.min(held.to, to + sinceSeconds)] as const;
  const candidates = [
    ...known.map(
      (each): Candidate => ({
        finding: markerFinding(each),
        weight: each.marker.kind === 'pod' ? weights.pod : weights.branch,
      }),
    ),
    ...events.fields.flips().map(({name, before, now, place, count, isClear}): Candidate => {
      const first = anchorAt(events, place);
      return {
        finding: findingOf({
          ...{what: 'changed', of: 'field', subject: name, since: first?.at ?? origin, first, last: first},
          ...{before, now, total: count, confidence: isClear ? 'sure' : 'weak'},
        }),
        weight: weights.field,
      };
    }),
    ...podCandidates(events, known, to, Number((wholeSince ?? origin) - origin) / 1e9),
    ...(isQuick ? [] : yield* lineCandidates(events, span, onset)),
  ];
  const nearSeconds = onset === undefined ? nearNow : nearOnset;
  const scoreOf = ({finding, weight}: Candidate): number => {
    const seconds = instantToMs((onset ?? origin + BigInt(Math.round(held.to * 1e9))) - finding.since) / 1000;
    return seconds > beforeSeconds && weight !== weights.field && weight !== weights.branch
      ? 0
      : (weight * (seconds < -1 ? 0.5 : 1)) / (1 + Math.abs(seconds) / nearSeconds);
  };
  return candidates
    .map(candidate => ({finding: candidate.finding, score: scoreOf(candidate)}))
    .filter(({score}) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, changesMax)
    .map(({finding, score}) => ({...finding, evidence: score}));
}

/** Tells of a change that the branch or its pods tell. */
export const markerFinding = ({source, marker, at, isInLog, part}: KnownChange): IncidentFinding => {
  const anchor = isInLog ? {source, id: marker.id, at: marker.at} : undefined;
  const isRestart = marker.kind === 'change' && marker.change.kind === 'trouble';
  const told = marker.kind === 'change' ? {...marker, happenedAt: undefined} : marker;
  const subject = describeMarker(told, 'row', undefined, undefined, part);
  return findingOf({
    what: isRestart ? 'restart' : 'changed',
    ...{of: 'pod', subject, since: at, first: anchor, last: anchor, confidence: 'sure'},
  });
};

/** So many lines of somebody that are missing where all is held are no chance. */
const missedMin = 10;

/**
 * Finds who began to write, where others wrote before: not who only begins where the held lines do, or where those that
 * a quick look takes happen to begin. `from`: seconds from when on all is held.
 */
const podCandidates = (
  events: LogEvents,
  known: readonly KnownChange[],
  to: number,
  from: number,
): readonly Candidate[] =>
  events.series
    .filter(({kind}) => kind === 'source')
    .flatMap(({key, seconds, places}): readonly Candidate[] => {
      const [at = 0] = seconds;
      const isKnown = known.some(({marker}) => marker.kind === 'pod' && key.startsWith(marker.name));
      const first = anchorAt(events, places[0] ?? 0);
      return isKnown ||
        first === undefined ||
        at < events.held.to / 100 ||
        (at - from) * seconds.length < missedMin * (events.held.to - at) ||
        at < to - beforeSeconds ||
        at > to + sinceSeconds
        ? []
        : [
            {
              finding: findingOf({
                what: 'changed',
                of: 'source',
                subject: `${key} began to write`,
                since: first.at,
                first,
                last: first,
              }),
              weight: weights.pod,
            },
          ];
    });

/** Finds lines of kinds that hardly came before, and that say what happened or are few. */
function* lineCandidates(
  events: LogEvents,
  span: readonly [from: number, to: number],
  onset: Instant | undefined,
): Work<readonly Candidate[]> {
  const counts = new Map(
    events.series
      .filter(({kind}) => kind === 'message' || kind === 'kind')
      .map(({key, seconds}) => [key, seconds.length]),
  );
  const isReadWhole = onset !== undefined && countBetween(events.clock, ...span) * events.weight <= readWholeMax;
  const reads = new Map<string, number>();
  const isWanted = (text: string): boolean => {
    const word = telling.exec(text)?.[0];
    const count = word === undefined ? 0 : (reads.get(word) ?? 0) + 1;
    if (word !== undefined) {
      reads.set(word, count);
    }
    return isReadWhole || (word !== undefined && count <= wordReadsMax);
  };
  const rare = new Map<string, {readonly line: ReadAgain; readonly isTelling: boolean; count: number}>();
  for (const line of linesBetween(events, span, isWanted)) {
    if (line === undefined) {
      yield;
      continue;
    }
    const {message, request} = readEvent(line.text, levelOfRank(line.rank));
    if (message !== undefined && request === undefined && (counts.get(message) ?? 0) * events.weight <= rareMax) {
      const found = rare.get(message);
      rare.set(message, {line, isTelling: telling.test(line.text), count: (found?.count ?? 0) + 1});
    }
  }
  const all = [...rare.values()].filter(({count}) => count <= rareMax);
  const isRarityTelling = all.filter(({isTelling}) => !isTelling).length <= rareKindsMax;
  return all
    .filter(({isTelling}) => isTelling || isRarityTelling)
    .map(({line, isTelling}): Candidate => {
      const first = anchorAt(events, line.place);
      const isRestart = restarting.test(line.text);
      return {
        finding: findingOf({
          what: isRestart ? 'restart' : 'changed',
          of: 'message',
          subject: saidIn(line.text),
          since: first?.at ?? events.origin,
          ...{first, last: first},
        }),
        weight: isRestart ? weights.restart : isTelling ? weights.telling : weights.rare,
      };
    });
}
