import type {SaveTarget, Scope} from '#app/parts/log-parts.ts';
import {type Change, type Marker, type SourceName, textOf} from '#log/line/entry.ts';
import {formatInstant, type Instant, instantFromMs} from '#log/line/instant.ts';
import {type Follow, followNothing} from '#log/reading/continuation.ts';
import {readError} from '#log/traits/line-traits.ts';
import type {SourcedEntry} from '#log/view/log-view.ts';
import {sourceKey, sourceOfKey} from '#log/words/source-words.ts';
import type {BranchFacts, Facts} from './exporter.ts';

/** File names have at most 255 bytes: two parts of this length leave room for the time and the suffixes. */
const partCharsMax = 60;

/**
 * Returns the default path for lines or an incident note: in the current folder, with a name that every file system
 * accepts.
 */
export const defaultPath = (
  {
    site,
    branches,
    savedAtMs,
  }: Pick<Facts, 'site' | 'savedAtMs'> & {readonly branches: readonly Pick<BranchFacts, 'name'>[]},
  what: SaveTarget['what'],
): string => {
  const place = [makeSafe(site.name ?? site.id), nameBranches(branches), stampOf(savedAtMs)].join('-');
  return what === 'lines' ? `./${place}.log` : `./${what}-${place}.md`;
};

const nameBranches = (branches: readonly Pick<BranchFacts, 'name'>[]): string => {
  const name = makeSafe(branches[0]?.name ?? '');
  return branches.length > 1 ? `${name}-and-${branches.length - 1}-more` : name;
};

const makeSafe = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .slice(0, partCharsMax)
    .replace(/^[-.]+|[-.]+$/g, '') || 'unnamed';

/** `20261121T140211Z` */
const stampOf = (ms: number): string => new Date(ms).toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');

/** Counts over the entries of a scope. */
export type Tally = {
  readonly lineCount: number;
  /** Errors, each with its trace. */
  readonly errorCount: number;
  /** Lines that came after newer ones. */
  readonly lateCount: number;
  /** Times of the first and the last line. */
  readonly firstAt: Instant | undefined;
  readonly lastAt: Instant | undefined;
  readonly gapCount: number;
  /** The lines of each source, by `sourceKey`; none if the service says it of no line. */
  readonly lineCounts: ReadonlyMap<string, number>;
  /** In order; only the first ones are kept. */
  readonly markers: readonly SourcedMarker[];
  readonly markersLeftOut: number;
};

type SourcedMarker = {readonly source: number; readonly marker: Marker};

/** Beyond this many markers, the lines tell more about a log. */
const markersMax = 10_000;

/** Counts entries passed to it in order. */
export const createTally = (): {
  readonly take: (entries: readonly SourcedEntry[]) => void;
  readonly result: () => Tally;
} => {
  const markers: SourcedMarker[] = [];
  /** By the line's source, or else by its branch: a source is an object of one branch. */
  const follows = new Map<SourceName | number, Follow>();
  const lineCounts = new Map<string, number>();
  let [lineCount, errorCount, lateCount, gapCount, markersLeftOut] = [0, 0, 0, 0, 0];
  let firstAt: Instant | undefined;
  let lastAt: Instant | undefined;
  return {
    take: entries => {
      for (const {source, entry} of entries) {
        if (entry.kind === 'line') {
          lineCount += 1;
          const writer = entry.source ?? source;
          const {follow, isError} = readError(follows.get(writer) ?? followNothing, textOf(entry));
          follows.set(writer, follow);
          errorCount += isError ? 1 : 0;
          lateCount += entry.late ? 1 : 0;
          if (entry.source !== undefined) {
            const key = sourceKey(entry.source);
            lineCounts.set(key, (lineCounts.get(key) ?? 0) + 1);
          }
          firstAt ??= entry.at;
          lastAt = entry.at;
        } else {
          gapCount += entry.kind === 'gap' ? 1 : 0;
          if (markers.length < markersMax) {
            markers.push({source, marker: entry});
          } else {
            markersLeftOut += 1;
          }
        }
      }
    },
    result: () => ({lineCount, errorCount, lateCount, firstAt, lastAt, gapCount, lineCounts, markers, markersLeftOut}),
  };
};

/** The log file that a manifest describes. */
type SavedFile = {
  /** File name without the folder. */
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of the file, hexadecimal. */
  readonly sha256: string;
};

/** The input of a manifest: which lines of which branches, and by which version. */
export type ExportInput = {
  readonly facts: Facts;
  readonly tally: Tally;
  readonly chosen: Scope['chosen'];
  /** Version of branchlog. */
  readonly version: string;
};

type ManifestInput = ExportInput & {readonly file: SavedFile};

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
