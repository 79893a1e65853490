import type {LineBuffer} from '#log/buffer/buffer.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import type {BranchLog, NotLines} from '#log/ingest/branch-log.ts';
import type {Pod} from '#log/ingest/pods.ts';
import type {PodMarker, SourceName} from '#log/line/entry.ts';
import {earliestOf, type Instant, parseInstant} from '#log/line/instant.ts';
import type {ShapeTable} from '#log/traits/shape-table.ts';
import type {IncidentSource} from './verdict.ts';

/** Returns what a log alone says about its branch. */
export const sourceOfLog = (
  {buffer, pods, wholeSince, proof, notLines}: BranchLog,
  shapes: ShapeTable,
): IncidentSource & {hasEnded(name: SourceName): boolean} => {
  const ended = endedStreams(buffer);
  return {
    buffer,
    shapes,
    podNames: pods.map(({name}) => name),
    wholeSince,
    proof,
    knownChanges: pods.flatMap(createdPod),
    notLinesFrom: firstNotLine(notLines),
    hasEnded: ({pod}) => pod !== undefined && ended.has(pod),
  };
};

/** Returns the names of the streams that were read to their end. */
const endedStreams = ({chunks}: LineBuffer): ReadonlySet<string> => {
  const ended = new Set<string>();
  for (const {marker} of chunks.flatMap(markersOf)) {
    if (marker.kind === 'pod') {
      if (marker.change === 'gone' && marker.ending !== undefined) {
        ended.add(marker.name);
      } else {
        ended.delete(marker.name);
      }
    }
  }
  return ended;
};

/** Returns the time of the line before the first item that is no line; before any line, if that is the first item. */
const firstNotLine = (items: NotLines): Instant | undefined =>
  earliestOf(items.map(({after}) => parseInstant(after?.slice(0, after.indexOf(' ')) ?? '') ?? 0n));

/** These markers are in no buffer. */
const noId = 0;

const createdPod = ({name, createdAt}: Pod): readonly PodMarker[] => {
  const at = parseInstant(createdAt ?? '');
  return at === undefined ? [] : [{kind: 'pod', id: noId, at, change: 'appeared', name, since: undefined}];
};
