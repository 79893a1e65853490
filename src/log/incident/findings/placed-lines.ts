import {levelOfRank} from '#log/tokens/level-words.ts';
import type {IncidentFinding} from '../incident-finding.ts';
import {type LineEvent, readEvent} from './read-event.ts';
import {anchorAt, type LogEvents, linesBetween, type ReadAgain, type Series, sourceOfPlace} from './read-events.ts';

/** Maximum lines read again to find the exact beginning of a series of which not all lines were read. */
const readAgainMax = 8000;

/** Maximum lines whose source is looked up. */
const askedMax = 200;

/** Adds the first and last line of a finding, and who wrote all of them where there are several. */
export const placed = (
  finding: IncidentFinding,
  events: LogEvents,
  {places}: Series,
  [start, end]: readonly [start: number, end: number],
): IncidentFinding => {
  const own = places.slice(start, Math.min(end, start + askedMax));
  const names = new Set(events.sourceCount > 1 ? own.map(place => sourceOfPlace(events, place)) : []);
  const [only] = names;
  return {
    ...finding,
    first: anchorAt(events, places[start] ?? 0),
    last: anchorAt(events, places[end - 1] ?? 0),
    only: finding.of !== 'pod' && names.size === 1 ? only : undefined,
  };
};

/** Returns what all lines of a shape have in them, so that others need not be read. */
export const longestPieceOf = (shape: string): string =>
  shape.split(/‹[^›]*›|["\\]/).reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '');

/** Reads the lines of a time again, both ends included, and yields those of a series. */
export function* readAgain(
  events: LogEvents,
  {kind, key}: Pick<Series, 'kind' | 'key'>,
  span: readonly [from: number, to: number],
): Generator<ReadAgain & {readonly event: LineEvent}> {
  let count = 0;
  const piece = longestPieceOf(kind === 'request' ? key.slice(key.indexOf('/')) : key);
  for (const line of linesBetween(events, span, text => text.includes(piece))) {
    if (line === undefined) {
      continue;
    }
    count++;
    if (count > readAgainMax) {
      return;
    }
    const event = readEvent(line.text, levelOfRank(line.rank));
    if (event[kind === 'request' ? 'request' : 'message']?.startsWith(key)) {
      yield {...line, event};
    }
  }
}
