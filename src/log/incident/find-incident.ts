import {type LineBuffer, timeAtIndex} from '../buffer/buffer.ts';
import {markersOf} from '../buffer/markers-of.ts';
import type {ChangeMarker, GapMarker, Marker, PodMarker} from '../line/entry.ts';
import {type Instant, latestOf} from '../line/instant.ts';
import {type Proof, weakestProof} from '../line/window-cut.ts';
import {newShapesOf, type ShapeTable, type SourcedShape} from '../shapes/shape-table.ts';
import {findError} from '../traits/find-error.ts';
import {type Anchor, anchorOf} from '../view/log-view.ts';
import {mergeBuffers} from '../view/merged-view.ts';
import {beforeNanos, findRise, type Rise, type RiseSearch} from './find-rise.ts';
import {findShares, type Shares} from './find-shares.ts';

/** What is known of one branch. */
export type IncidentSource = {
  readonly buffer: LineBuffer;
  readonly shapes: ShapeTable;
  readonly podNames: readonly string[];
  /** Nothing is known to be missing since then. */
  readonly wholeSince: Instant | undefined;
  /** On what that rests. */
  readonly proof: Proof;
  /** What its record tells, perhaps of a time before the log was opened. */
  readonly knownChanges: readonly (ChangeMarker | PodMarker)[];
};

/** A change of the branch or its pods. `isInLog`: the marker is an entry of the log. */
export type IncidentChange = {
  readonly source: number;
  readonly marker: ChangeMarker | PodMarker;
  readonly at: Instant;
  readonly isInLog: boolean;
};

export type IncidentGap = {readonly source: number; readonly marker: GapMarker};

/**
 * What stands around the last rise of errors, side by side; it claims no cause. Without a rise, what the last fifteen
 * minutes of the log brought.
 */
export type IncidentReport = {
  readonly search: RiseSearch;
  /** From fifteen minutes before the rise until it was over, or now. */
  readonly from: Instant;
  readonly to: Instant;
  /** The time of the newest line. */
  readonly newest: Instant;
  readonly firstError: Anchor | undefined;
  /** In order; the last activity that the record tells may be older than `from`. */
  readonly changes: readonly IncidentChange[];
  /** Shapes that were first shown in this time: those since the rise, then those before it, the most frequent first. */
  readonly newShapes: readonly SourcedShape[];
  readonly shares: Shares | undefined;
  readonly gaps: readonly IncidentGap[];
  /** The later of when the log held begins and since when nothing is known to be missing. */
  readonly wholeSince: Instant | undefined;
  /** On what that rests; of several branches the weakest. */
  readonly proof: Proof;
};

/** Reads what is held; takes tens of milliseconds at most, however much that is. */
export const findIncident = (sources: readonly IncidentSource[]): IncidentReport => {
  const buffers = sources.map(({buffer}) => buffer);
  const search = findRise(buffers);
  const rise = search.kind === 'rise' ? search.rise : undefined;
  const newest = latestOf(buffers.map(({newestLine}) => newestLine?.at)) ?? 0n;
  const to = rise?.course === 'over' ? rise.lastAt : newest;
  const from = (rise?.at ?? newest) - beforeNanos;
  const isSince = ({firstAt}: SourcedShape): boolean => rise !== undefined && firstAt >= rise.at;
  const podNames = [...new Set(sources.flatMap(source => source.podNames))];
  return {
    search,
    from,
    to,
    newest,
    firstError: rise && findFirstError(buffers, rise),
    changes: sources.flatMap((source, index) => changesOf(source, index, from, to)).toSorted(byTime),
    newShapes: newShapesOf(sources.map(({shapes}) => shapes))
      .filter(({firstAt}) => firstAt >= from && firstAt <= to)
      .toSorted((a, b) => Number(isSince(b)) - Number(isSince(a)) || b.count - a.count),
    shares: rise && findShares(buffers, rise, podNames),
    gaps: sources.flatMap(({buffer}, source) => gapsOf(buffer, from, to).map(marker => ({source, marker}))),
    wholeSince: latestOf(sources.flatMap(({buffer, wholeSince}) => [wholeSince, timeAtIndex(buffer, 0)])),
    proof: weakestProof(sources.map(({proof}) => proof)),
  };
};

const byTime = (a: IncidentChange, b: IncidentChange): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

const findFirstError = (buffers: readonly LineBuffer[], {at}: Rise): Anchor | undefined => {
  const view = mergeBuffers(buffers);
  const index = findError(view, {fromIndex: view.indexAtOrAfter(at) - 1, direction: 'next'});
  const [entry] = index === undefined ? [] : view.slice(index, 1);
  return entry && anchorOf(entry);
};

const markersIn = ({chunks}: LineBuffer): readonly Marker[] => chunks.flatMap(markersOf).map(({marker}) => marker);

/** Returns what changed by then, in the log and as the record tells; what both tell is from the log. */
const changesOf = (
  {buffer, knownChanges}: IncidentSource,
  source: number,
  from: Instant,
  to: Instant,
): readonly IncidentChange[] => {
  const held = markersIn(buffer)
    .filter(marker => marker.kind === 'change' || marker.kind === 'pod')
    .map((marker): IncidentChange => ({source, marker, at: timeOf(marker), isInLog: true}));
  const others = knownChanges
    .filter(marker => !held.some(each => isSame(each.marker, marker)))
    .map((marker): IncidentChange => ({source, marker, at: timeOf(marker), isInLog: false}));
  return [...held, ...others].filter(({at, isInLog, marker}) => {
    const isActivity = !isInLog && marker.kind === 'change';
    return at <= to && (at >= from || isActivity);
  });
};

const timeOf = (marker: ChangeMarker | PodMarker): Instant =>
  (marker.kind === 'change' ? marker.happenedAt : undefined) ?? marker.at;

const isSame = (a: IncidentChange['marker'], b: IncidentChange['marker']): boolean =>
  a.kind === 'change' && b.kind === 'change'
    ? a.change.kind === b.change.kind && timeOf(a) === timeOf(b)
    : a.kind === 'pod' && b.kind === 'pod' && a.name === b.name && a.change === b.change;

const gapsOf = (buffer: LineBuffer, from: Instant, to: Instant): readonly GapMarker[] =>
  markersIn(buffer)
    .filter(marker => marker.kind === 'gap')
    .filter(({after, before}) => before >= from && after <= to);
