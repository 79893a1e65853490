import type {SourceName} from '#log/line/entry.ts';
import {type PartName, partOfName} from '#log/reading/vocabulary.ts';
import {levelOfRank, levelRank} from '#log/tokens/level-words.ts';
import type {Work} from '#log/work.ts';
import {type IncidentFinding, isChange, isOfMissing, isTrouble, type Who} from '../incident-finding.ts';
import {fieldsOfLine} from './line-fields.ts';
import {seriesKeyOf} from './read-chunk.ts';
import {readEvent} from './read-event.ts';
import {type LogEvents, linesAt, placesBetween, type Series} from './read-events.ts';

/** Maximum lines of a finding that are read, and of the others of the same time: some ten microseconds each. */
const ownMax = 2000;
const othersMax = 3000;

/** Fewer lines point to nobody. */
const linesMin = 20;
/** Whose lines these are mostly has at least half of them, and so many times the share of the others. */
const shareMin = 0.5;
const timesMin = 2;
/** A log-likelihood ratio that chance reaches in one of a thousand findings, before the fields tried are counted. */
const evidenceMin = 7;
/** More would not be read. */
const whoMax = 3;

/** More fields, and values of each, are not told apart. */
const fieldsMax = 100;
const valuesMax = 500;

/** These fields of a line say what is wrong and when, not with whom. */
const saying: ReadonlySet<PartName> = new Set<PartName>([
  ...(['time', 'level', 'severityNumber', 'logger', 'message', 'status', 'request', 'exception', 'nested'] as const),
  ...(['exceptionMessage', 'stack', 'bytes', 'seconds', 'millis', 'micros', 'nanos', 'duration'] as const),
]);
/** Names that many lines have by their form. */
const noField = /^(?:https?|at|in|by|to|from|for|line|code|errno|reason|cause|caller|thread|pid|seq)$/i;

/** Names of who or what may have a fault; other fields may only go with what a line says. */
const owner =
  /(?:^|[._-])(?:pod|container|host|node|server|instance|machine|vm|worker|version|release|build|revision|commit|image|tag|region|zone|az|country|geo|dc|datacenter|cluster|namespace|tenant|customer|account|org|shop|site|upstream|backend|peer|path|uri|url|route|endpoint|client|ip|agent|ua|browser|platform|os|device|app|locale|lang|currency|shard|partition|canary|variant|flag|experiment|feature|db|database|provider|method)(?:_?(?:name|id|code|addr|ip|version))?$|hostname|useragent|user agent/i;

/** Versions are worth naming, though all others have the same one. */
export const versionName = /(?:^|[._-])(?:version|release|build|revision|commit|image|tag)$/i;

/** After so many lines there is a pause. */
const linesPerPause = 64;

function* eachLine<T>(lines: Iterable<T | undefined>, take: (line: T) => void): Work<void> {
  let count = 0;
  for (const line of lines) {
    if (line !== undefined) {
      take(line);
    }
    if (line === undefined || ++count % linesPerPause === 0) {
      yield;
    }
  }
}

type Tally = {lines: number; readonly values: Map<string, number>};

/** Reads fields, and those of a line only once: the findings of one incident have most lines in common. */
const createWhoReader = () => {
  const known = new Map<
    string,
    {readonly rank: number; readonly source: SourceName | undefined; readonly fields: WhoFields}
  >();
  return (text: string, rank: number, source: SourceName | undefined): WhoFields => {
    const before = known.get(text);
    if (before?.rank === rank && before.source === source) {
      return before.fields;
    }
    const fields = fieldsOfLine(text, rank, source);
    known.set(text, {rank, source, fields});
    return fields;
  };
};

type WhoFields = ReturnType<typeof fieldsOfLine>;

/**
 * Finds what is common among the lines of a finding and not among the others of the same time, the most telling first.
 * None of what stopped, and none of few lines.
 */
export function* findWho(
  finding: IncidentFinding,
  events: LogEvents,
  readFields: ReturnType<typeof createWhoReader> = fieldsOfLine,
): Work<readonly Who[]> {
  const span = spanOf(finding, events);
  const places = ownPlaces(finding, events, span);
  if (places.length < linesMin) {
    return [];
  }
  const own = new Map<string, Tally>();
  const isOwn = ownTest(finding);
  let ownLines = 0;
  yield* eachLine(linesAt(events, places), ({text, rank, source}) => {
    if (isOwn(text, rank)) {
      ownLines++;
      for (const [name, value] of readFields(text, rank, source)) {
        tally(own, name, value);
      }
    }
  });
  const wanted = [...own]
    .filter(([name]) => isTelling(name, finding))
    .flatMap(([name, {values}]) => {
      const [value = '', count = 0] = [...values].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0]);
      const isSaid = value.length > 1 && finding.subject.includes(value);
      return count >= Math.max(linesMin, shareMin * ownLines) && !isSaid ? [{name, value, count}] : [];
    });
  if (wanted.length === 0) {
    return [];
  }
  const others = new Map<string, Tally>();
  yield* eachLine(linesAt(events, placesBetween(events, span, othersMax)), ({text, rank, source}) => {
    const fields = isOwn(text, rank) ? undefined : readFields(text, rank, source);
    for (const {name, value} of fields === undefined ? [] : wanted) {
      const said = fields?.get(name);
      if (said !== undefined) {
        tally(others, name, said === value ? value : '');
      }
    }
  });
  const corrected = evidenceMin + Math.log(Math.max(1, own.size));
  const all = wanted.flatMap(({name, value, count}) => {
    const {lines, values} = others.get(name) ?? {lines: 0, values: new Map<string, number>()};
    const [share, part] = [count / ownLines, (values.get(value) ?? 0) / Math.max(1, lines)];
    const evidence = evidenceOfShares(count, ownLines, values.get(value) ?? 0, lines);
    const isMostly = lines >= linesMin && share >= timesMin * part && evidence >= corrected;
    const isAlike = lines >= linesMin && share === 1 && versionName.test(name);
    return isMostly || isAlike
      ? [{who: {field: name, value, share, others: part}, evidence: isMostly ? evidence : 0, rank: rankOf(name)}]
      : [];
  });
  return all
    .toSorted((a, b) => a.rank - b.rank || b.evidence - a.evidence)
    .toSorted((a, b) => Number(a.evidence === 0) - Number(b.evidence === 0))
    .slice(0, whoMax)
    .map(({who}) => who);
}

/** Maximum findings that are asked who they are about: a tenth of a second each. */
const findingsMax = 3;

/** Adds to the first findings that are more than chance whose lines they are mostly. */
export function* withWho(
  findings: readonly IncidentFinding[],
  events: LogEvents,
  part = 'pod',
): Work<readonly IncidentFinding[]> {
  const named = (who: readonly Who[]): readonly Who[] =>
    who.map(each => (each.field === 'pod' ? {...each, field: part} : each));
  const asked = new Set(findings.filter(isTrouble).slice(0, findingsMax));
  const told: IncidentFinding[] = [];
  // At most `findingsMax` times `ownMax` and `othersMax` lines, and gone with this call.
  const readFields = createWhoReader();
  for (const finding of findings) {
    told.push(asked.has(finding) ? {...finding, who: named(yield* findWho(finding, events, readFields))} : finding);
  }
  return told;
}

const rankOf = (name: string): number => (owner.test(name) ? 0 : 1);

const isTelling = (name: string, {of}: IncidentFinding): boolean => {
  const part = partOfName(name);
  const isOfRequest = part === 'path' || part === 'method';
  return !(
    noField.test(name) ||
    (part !== undefined && saying.has(part)) ||
    (isOfRequest && (of === 'failed' || of === 'request'))
  );
};

const tally = (tallies: Map<string, Tally>, name: string, value: string): void => {
  let found = tallies.get(name);
  if (found === undefined) {
    if (tallies.size >= fieldsMax) {
      return;
    }
    found = {lines: 0, values: new Map()};
    tallies.set(name, found);
  }
  found.lines++;
  const count = found.values.get(value);
  if (count !== undefined || found.values.size < valuesMax) {
    found.values.set(value, (count ?? 0) + 1);
  }
};

/** Returns the log-likelihood ratio of two shares; 0 if the first is not the larger one. */
export const evidenceOfShares = (count: number, all: number, otherCount: number, others: number): number => {
  if (all === 0 || others === 0 || count * others <= otherCount * all) {
    return 0;
  }
  const term = (seen: number, of: number, share: number): number =>
    seen === 0 ? 0 : seen * Math.log(seen / (of * share));
  const [share, rest] = [(count + otherCount) / (all + others), (all + others - count - otherCount) / (all + others)];
  return (
    term(count, all, share) +
    term(all - count, all, rest) +
    term(otherCount, others, share) +
    term(others - otherCount, others, rest)
  );
};

const spanOf = ({since, until}: IncidentFinding, {origin, held}: LogEvents): readonly [number, number] => [
  Number(since - origin) / 1e9,
  until === undefined ? held.to : Number(until - origin) / 1e9,
];

/** Returns where lines of a finding are, ascending, as far as they were read. */
const ownPlaces = (
  finding: IncidentFinding,
  {series}: LogEvents,
  [from, to]: readonly [from: number, to: number],
): readonly number[] => {
  if (isChange(finding) || isOfMissing(finding)) {
    return [];
  }
  const isOf = ({kind, key}: Series): boolean =>
    finding.of === 'errors' ? kind === 'kind' || kind === 'failed' : kind === finding.of && key === finding.subject;
  const places = series
    .filter(isOf)
    .flatMap(({seconds, places: each}) =>
      each.filter((_, index) => (seconds[index] ?? 0) >= from - 1e-6 && (seconds[index] ?? 0) <= to + 1e-6),
    );
  const step = Math.max(1, Math.ceil(places.length / ownMax));
  return places.toSorted((a, b) => a - b).filter((_, index) => index % step === 0);
};

const errorRank = levelRank('error');

/** Tells the lines of a finding from the others of its time. Of errors, no other error is one of the others. */
const ownTest = ({of, subject, what, before, now}: IncidentFinding): ((text: string, rank: number) => boolean) => {
  const slowMs = what === 'slower' ? Math.sqrt(Number(before) * Number(now)) : 0;
  return (text, rank) => {
    if (of === 'errors' || of === 'kind' || of === 'failed' || of === 'pod') {
      return rank >= errorRank;
    }
    const {message = '', request = '', status, durationMs = 0} = readEvent(text, levelOfRank(rank));
    switch (of) {
      case 'status':
        return String(status) === subject;
      case 'request':
        return seriesKeyOf(request) === subject && durationMs >= slowMs;
      case 'message':
        return seriesKeyOf(message) === subject;
      case 'source':
      case 'field':
        return false;
      default:
        return of satisfies never;
    }
  };
};
