import type {Scope} from '#app/parts/scope.ts';
import type {BranchFacts, Facts} from '#app/state/facts.ts';
import type {Change, Marker} from '#log/line/entry.ts';
import {formatInstant, type Instant, instantFromMs} from '#log/line/instant.ts';
import {sourceOfKey} from '#log/words/source-words.ts';
import type {Tally} from '../export/tally.ts';

/** The log file that a manifest describes. */
export type SavedFile = {
  /** File name without the folder. */
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of the file, hexadecimal. */
  readonly sha256: string;
};

/** What is written of a log that leaves the program: which lines of which branches, and by which version. */
export type ExportInput = {
  readonly facts: Facts;
  readonly tally: Tally;
  readonly chosen: Scope['chosen'];
  /** Version of branchlog. */
  readonly version: string;
};

export type ManifestInput = ExportInput & {readonly file: SavedFile};

/** Incremented when a field changes its meaning or is removed; added fields do not count. */
const formatVersion = 1;

/**
 * Returns the manifest saved beside a log file: whose lines it holds, of which time, and what may be missing. JSON in
 * printable ASCII, times in UTC.
 */
export const formatManifest = ({facts, tally, chosen, file, version}: ManifestInput): string => {
  const {context, site, branches, filters, savedAtMs} = facts;
  const manifest = {
    format: 'branchlog manifest',
    formatVersion,
    branchlog: version,
    savedAt: formatInstant(instantFromMs(savedAtMs)),
    context: {name: context.name, host: context.host},
    site: {id: site.id, name: site.name},
    branches: branches.map(describeBranch),
    file: {...file, lines: tally.lineCount},
    range: {first: timeOf(tally.firstAt), last: timeOf(tally.lastAt)},
    chosen,
    filters,
    sources: describeSources(tally),
    lateLines: tally.lateCount,
    gaps: tally.gapCount,
    markers: tally.markers.map(({source, marker}) => ({
      branchId: branches[source]?.id,
      at: formatInstant(marker.at),
      ...describeMarker(marker),
    })),
    markersLeftOut: tally.markersLeftOut,
  };
  return `${toAscii(JSON.stringify(manifest, undefined, 2))}\n`;
};

/** Left out if the service does not say who wrote a line. */
const describeSources = ({lineCounts}: Tally): readonly object[] | undefined =>
  lineCounts.size === 0 ? undefined : [...lineCounts].map(([key, lines]) => ({...sourceOfKey(key), lines}));

const timeOf = (at: Instant | undefined): string | null => (at === undefined ? null : formatInstant(at));

/** Only a log whose service numbers its lines is whole since a time; any other is joined since then. */
const describeBranch = ({horizon, held, ...facts}: BranchFacts) => ({
  ...facts,
  horizon: timeOf(horizon),
  wholeSince: timeOf(held?.proof === 'counted' ? held.since : undefined),
  joinedSince: timeOf(held?.proof === 'counted' ? undefined : held?.since),
  proof: held?.proof ?? null,
  restsOn: held?.restsOn ?? null,
});

const describeMarker = (marker: Marker): object => {
  switch (marker.kind) {
    case 'gap':
      return {
        kind: 'gap',
        after: formatInstant(marker.after),
        before: formatInstant(marker.before),
        reason: marker.reason,
        proof: marker.proof,
        newLines: marker.newLines,
        source: marker.source,
        missingLines: marker.missingLines,
        why: marker.why,
      };
    case 'pod':
      return {kind: 'pod', change: marker.change, name: marker.name, since: timeOf(marker.since)};
    case 'quiet':
      return {kind: 'quiet', since: formatInstant(marker.since)};
    case 'change':
      return {kind: 'change', happenedAt: timeOf(marker.happenedAt), change: describeChange(marker.change)};
    case 'horizon':
      return {kind: 'horizon'};
    default:
      return marker satisfies never;
  }
};

const describeChange = (change: Change): object => {
  switch (change.kind) {
    case 'status':
      return {kind: 'status', before: change.before, now: change.now};
    case 'activity':
      return {kind: 'activity', action: change.action, status: change.status, createdBy: change.createdBy};
    case 'trouble':
      return {kind: 'trouble', who: change.who, reason: change.reason};
    default:
      return change satisfies never;
  }
};

/** Escapes everything but printable ASCII: names are foreign text, and the file may be printed to a terminal. */
const toAscii = (json: string): string =>
  json.replace(/[^\n -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
