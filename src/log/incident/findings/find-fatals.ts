import {levelOfRank, levelRank} from '#log/tokens/level-words.ts';
import type {Work} from '#log/work.ts';
import {findingOf, type IncidentFinding} from '../incident-finding.ts';
import {silenceMin} from '../statistics/find-runs.ts';
import {instantOf} from './rate-finding.ts';
import {seriesKeyOf} from './read-chunk.ts';
import {readEvent} from './read-event.ts';
import {anchorAt, type LogEvents} from './read-events.ts';

const errorRank = levelRank('error');

/** If there are more such lines, every nth is read. */
const readMax = 2000;
/** As many kinds as somebody reads. */
const kindsMax = 5;

/** Finds what tells, within the time asked, of the end of a process or a node: one line is enough. */
export function* findFatals(events: LogEvents): Work<readonly IncidentFinding[]> {
  const {asked, held} = events;
  const found = events.fatals.filter(({at}) => at >= asked.from && at <= held.to);
  const step = Math.max(1, Math.ceil(found.length / readMax));
  const kinds = new Map<string, {readonly of: 'kind' | 'message'; readonly places: number[]; last: number}>();
  for (let nth = 0; nth < found.length; nth += step) {
    const {at, place, text, rank} = found[nth] ?? {at: 0, place: 0, text: '', rank: 0};
    const {message, request} = readEvent(text, levelOfRank(rank));
    // Who asks for a page about it does not tell of it.
    const subject = message ?? (rank >= errorRank ? request : undefined);
    if (subject !== undefined) {
      const key = seriesKeyOf(subject);
      const kind = kinds.get(key) ?? {of: rank >= errorRank ? 'kind' : 'message', places: [], last: at};
      kind.places.push(place);
      kind.last = at;
      kinds.set(key, kind);
    }
    yield;
  }
  return [...kinds]
    .toSorted(([, a], [, b]) => b.last - a.last)
    .slice(0, kindsMax)
    .map(([subject, {of, places, last}]): IncidentFinding => {
      const [first, newest] = [places[0] ?? 0, places.at(-1) ?? 0].map(place => anchorAt(events, place));
      const at = instantOf(events, last);
      return findingOf({
        ...{what: 'fatal', of, subject, since: first?.at ?? at, first, last: newest, confidence: 'sure'},
        until: held.to - last > silenceMin ? at : undefined,
        total: places.length * step,
        evidence: places.length,
      });
    });
}
