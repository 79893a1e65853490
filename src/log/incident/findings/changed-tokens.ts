import {partOfName} from '#log/reading/vocabulary.ts';
import type {Work} from '#log/work.ts';
import {findingOf, type IncidentFinding} from '../incident-finding.ts';
import {countBetween} from '../statistics/find-runs.ts';
import {fieldsOfLine} from './line-fields.ts';
import {saidIn} from './read-event.ts';
import {anchorAt, type LogEvents, linesAt, type Series} from './read-events.ts';

/** Seconds since the log held begins: what is before, what is after, and from when on no old pod writes. */
export type Sides = {readonly from: number; readonly at: number; readonly settledAt: number; readonly to: number};

/** Maximum lines of a kind that are read on either side, and in all. */
const sampleMax = 12;
const readsMax = 1500;
/** More would not be read. */
const tokensMax = 8;
/** A token that never changed before and never since, in so many lines: it is no chance. */
const steadyBefore = 6;
const steadyAfter = 4;

/** Values that are set, not measured: one line on either side is enough. */
const setting =
  /(?:^|[ ._-])(?:pool|size|limits?|max\w*|min\w*|timeouts?|ttl|retries|attempts|workers?|threads?|concurrency|replicas?|shards?|partitions?|connections?|memory|heap|cache|buffer|queue|batch|interval|delay|backoff|rate|quota|threshold|capacity|depth|mode|flags?|feature|level|region|endpoint|host|url|port|database|db|schema|driver|strategy|policy|enabled|debug|config\w*|setting)(?:$|[ ._-])/i;
/** Names of what differs from pod to pod, and of what a deployment is. */
const notASetting =
  /(?:^|[ ._-])(?:pod|container|host_?name|node|instance|pid|ip|address|client|time|date|ts|at|in|after|took|elapsed|duration|uptime|version|build|release|revision|commit|sha|image|tag|id|uuid|trace|span|request|session|user|order|job|record|seq|offset|path)$|id$/i;
const isClock = /^\d{1,4}[-/:]\d{1,2}[-/:]\d/;
/** Words of the vocabulary that are settings as well. */
const alsoSetting = /^size$/i;

/** Finds tokens that have one value before a change, and another one after it, in lines that are else the same. */
export function* findChangedTokens(events: LogEvents, sides: Sides): Work<readonly IncidentFinding[]> {
  const {from, at, settledAt, to} = sides;
  const found = new Map<string, IncidentFinding>();
  let reads = 0;
  for (const {before: old, after: series} of pairsOf(events.series, sides)) {
    if (reads > readsMax || found.size >= tokensMax) {
      break;
    }
    const settled = placesOf(series, settledAt, to + 1);
    const before = placesOf(old, from, at).slice(-sampleMax);
    const after = (settled.length >= steadyAfter ? settled : placesOf(series, at, to + 1)).slice(0, sampleMax);
    reads += before.length + after.length;
    const [was, now] = [yield* readTokens(events, before), yield* readTokens(events, after)];
    for (const [name, value] of now) {
      const valueBefore = was.get(name);
      const isSteady = before.length >= steadyBefore && after.length >= steadyAfter;
      const isOther = valueBefore !== undefined && valueBefore !== value;
      if (isOther && (isSteady || setting.test(name)) && isTelling(name, valueBefore, value)) {
        const first = anchorAt(events, after[0] ?? 0);
        const subject = name.replace(/^\d+ /, '');
        found.set(`${subject} ${valueBefore} ${value}`, {
          ...findingOf({
            ...{
              what: 'changed',
              of: 'field',
              subject,
              since: first?.at ?? events.origin,
              before: valueBefore,
              now: value,
            },
            ...{total: series.weight * countBetween(series.seconds, at, to + 1), confidence: 'sure', first},
          }),
          last: first,
        });
      }
    }
  }
  return [...found.values()];
}

type Pair = {readonly before: Series; readonly after: Series};

/** Beyond this many kinds that are only before, or only after, none is looked for on the other side. */
const loneMax = 300;

/** Returns what is said on both sides, and what is but for one word; what is said seldom is said of settings: first. */
const pairsOf = (all: readonly Series[], {from, at, to}: Sides): readonly Pair[] => {
  const pairs: Pair[] = [];
  const [gone, come]: [Series[], Series[]] = [[], []];
  for (const series of all.filter(({kind}) => kind === 'message' || kind === 'kind')) {
    const isBefore = countBetween(series.seconds, from, at) > 0;
    const isAfter = countBetween(series.seconds, at, to + 1) > 0;
    if (isBefore && isAfter) {
      pairs.push({before: series, after: series});
    } else if (isBefore !== isAfter) {
      (isBefore ? gone : come).push(series);
    }
  }
  const goneBy = new Map(gone.slice(0, loneMax).flatMap(series => withoutEach(series).map(key => [key, series])));
  for (const series of come.slice(0, loneMax)) {
    const before = withoutEach(series).flatMap(key => goneBy.get(key) ?? [])[0];
    if (before !== undefined) {
      pairs.push({before, after: series});
    }
  }
  return pairs.toSorted((a, b) => a.after.seconds.length - b.after.seconds.length);
};

/** Returns what a kind of lines says without one word of it, for each word. */
const withoutEach = ({kind, key}: Series): readonly string[] => {
  const words = key.split(/[\s=]+/);
  return words.length < 2 ? [] : words.map((_, index) => `${kind} ${index} ${words.toSpliced(index, 1).join(' ')}`);
};

const placesOf = ({seconds, places}: Series, from: number, to: number): readonly number[] =>
  places.filter((_, index) => (seconds[index] ?? 0) >= from && (seconds[index] ?? 0) < to);

const isTelling = (name: string, before: string, now: string): boolean =>
  !notASetting.test(name) &&
  (partOfName(name) === undefined || alsoSetting.test(name)) &&
  !isClock.test(before) &&
  !isClock.test(now);

/** Returns the tokens that all of some lines have alike: those with a name, and the words of what they say. */
function* readTokens(events: LogEvents, places: readonly number[]): Work<ReadonlyMap<string, string>> {
  let common: Map<string, string> | undefined;
  for (const line of linesAt(events, places)) {
    if (line === undefined) {
      yield;
      continue;
    }
    const tokens = tokensOf(line.text, line.rank);
    common = common === undefined ? tokens : new Map([...common].filter(([name, value]) => tokens.get(name) === value));
  }
  return common ?? new Map();
}

const word = /[^\s,;:=()[\]{}"']+/g;
const hasDigit = /\d/;

const tokensOf = (text: string, rank: number): Map<string, string> => {
  const tokens = new Map(fieldsOfLine(text, rank, undefined));
  const words = saidIn(text).match(word) ?? [];
  for (const [index, value] of words.entries()) {
    // `pool size 50`, `mode fast`: the words before it name it.
    const names = words.slice(Math.max(0, index - 2), index).filter(each => !hasDigit.test(each));
    const isNamed = hasDigit.test(value) ? names.length > 0 : setting.test(names.at(-1) ?? '');
    if (isNamed && ![...tokens.values()].includes(value)) {
      tokens.set(`${index} ${names.join(' ')}`, value);
    }
  }
  return tokens;
};
