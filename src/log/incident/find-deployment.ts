import {type KnownChange, markerFinding} from './findings/find-changes.ts';
import {instantOf} from './findings/rate-finding.ts';
import {anchorAt, type LogEvents, type Series, secondsOf} from './findings/read-events.ts';
import {workloadOf} from './findings/roll-out.ts';
import {versionName} from './findings/who.ts';
import {findingOf, type IncidentFinding} from './incident-finding.ts';

/** A deployment: from when on the new is there, until when the old may be, and the one before it. */
export type Deployment = {
  readonly change: IncidentFinding;
  /** Seconds since the log held begins. */
  readonly at: number;
  readonly settledAt: number;
  readonly previousAt: number | undefined;
};

/** What is so near to each other is one deployment, in seconds: pods are replaced one by one. */
const togetherSeconds = 180;
/** The last old pod ends so long after the last new one began. */
const settleSeconds = 60;
/** An old pod and the one that takes its place write so far from each other. */
const replacedWithin = 600;

type Sign = {readonly at: number; readonly change: IncidentFinding; readonly rank: number};

/**
 * Finds the last deployment: by the branch's record, by pods that others took the place of, by a version that another
 * one took the place of. Undefined if none of them tells of one.
 */
export const findDeployment = (
  events: LogEvents,
  known: readonly KnownChange[],
  podNames: readonly string[],
): Deployment | undefined => {
  const signs = [
    ...known.flatMap((each): readonly Sign[] =>
      each.marker.kind === 'change' && each.marker.change.kind !== 'trouble'
        ? [{at: secondsOf(events, each.at), change: markerFinding(each), rank: 0}]
        : [],
    ),
    ...versionSigns(events),
    ...newPods(events, known, podNames),
  ].toSorted((a, b) => a.at - b.at);
  const ends = signs.flatMap(({at}, index) => {
    const next = signs[index + 1];
    return next === undefined || next.at - at > togetherSeconds ? [index] : [];
  });
  const previous = ends.at(-2);
  const last = signs.slice((previous ?? -1) + 1);
  const [first] = last;
  const settledAt = last.at(-1)?.at;
  const told = last.toSorted((a, b) => a.rank - b.rank)[0];
  return (
    first &&
    told && {
      change: {...told.change, since: instantOf(events, first.at)},
      at: first.at,
      settledAt: (settledAt ?? first.at) + settleSeconds,
      previousAt: previous === undefined ? undefined : signs[previous]?.at,
    }
  );
};

const versionSigns = (events: LogEvents): readonly Sign[] =>
  events.fields
    .flips()
    .filter(({name}) => versionName.test(name))
    .map(({name, before, now, at, place, count}) => {
      const first = anchorAt(events, place);
      const since = instantOf(events, at);
      return {
        at,
        rank: 1,
        change: findingOf({
          ...{what: 'changed', of: 'field', subject: name, since, first, last: first},
          ...{before, now, total: count, confidence: 'sure'},
        }),
      };
    });

/** Finds pods that took the place of others: all of a workload are new, or one began where another ended. */
const newPods = (events: LogEvents, known: readonly KnownChange[], podNames: readonly string[]): readonly Sign[] => {
  const {held, series} = events;
  const sources = series.filter(({kind}) => kind === 'source');
  const isOld = (at: number): boolean => at < held.to / 100;
  // Its marker is where the log was at the answer before: the pod is there when it writes.
  const beginningOf = (pod: string, markedAt: number): number =>
    sources
      .filter(({key}) => key.split(' ')[0] === pod)
      .flatMap(({seconds}) => seconds.find(at => at >= markedAt) ?? [])
      .reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const appeared = known.flatMap(each => {
    if (each.marker.kind !== 'pod' || each.marker.change !== 'appeared') {
      return [];
    }
    const {name} = each.marker;
    const markedAt = secondsOf(events, each.at);
    const beganAt = beginningOf(name, markedAt);
    return [{name, at: Number.isFinite(beganAt) ? beganAt : markedAt, change: markerFinding(each)}];
  });
  const listed = appeared.filter(({name}) => podNames.includes(name));
  const isAllNew = (workload: string): boolean => {
    const names = podNames.filter(name => workloadOf(name) === workload);
    return names.every(name => listed.some(pod => pod.name === name && !isOld(pod.at)));
  };
  const lastOf = ({seconds}: Series): number => seconds.at(-1) ?? 0;
  const byWorkload = Map.groupBy(sources, ({key}) => workloadOf(key));
  const isReplacing = ({key, seconds: [at = 0]}: Series): boolean =>
    !isOld(at) &&
    (byWorkload.get(workloadOf(key)) ?? []).some(
      other =>
        other.key !== key &&
        (other.seconds[0] ?? 0) < at &&
        Math.abs(lastOf(other) - at) <= replacedWithin &&
        held.to - lastOf(other) > settleSeconds,
    );
  return [
    ...listed
      .filter(({name, at}) => !isOld(at) && isAllNew(workloadOf(name)))
      .map(({at, change}): Sign => ({at, change, rank: 2})),
    ...sources.filter(isReplacing).map(({key, seconds: [at = 0], places: [place = 0]}): Sign => {
      const first = anchorAt(events, place);
      const since = instantOf(events, at);
      return {
        at,
        rank: 3,
        change: findingOf({
          ...{what: 'changed', of: 'source', subject: `${key} began to write`, since, first, last: first},
          confidence: 'sure',
        }),
      };
    }),
  ];
};
