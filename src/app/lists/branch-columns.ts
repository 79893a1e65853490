import type {Branch} from '#api/client/answer.ts';
import {nameWords} from '#app/choices/branch-choices.ts';
import {newsWords} from '#app/choices/list-words.ts';
import type {RowNews} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import type {Tone} from '#app/rows/view-row.ts';
import type {BranchesState} from '#app/state/state.ts';
import type {KnownPulse, KnownPulses} from '#app/tail/known-pulse.ts';
import {describeStatus, notAsDescribed, worstTroubleWords} from '#app/words/describe-status.ts';
import {formatAgo, serviceNowMs} from '#app/words/format-time.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {type Pulse, pulseMinuteMs, pulseMinutesMax, pulseTrendOf} from '#log/overview/pulse.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';

/** An older count says nothing of now: then its age is shown, not its rate. */
const staleMs = 2 * pulseMinuteMs;

/** Nothing is known of a minute that nobody saw. */
const unseen = '·';
const blocks = '▁▂▃▄▅▆▇█';
/** The least errors a minute of each block, the same for all branches, so that rows can be compared. */
const blockErrors = [0, 1, 3, 10, 30, 100, 300, 1000];

/** How a branch stands by its pulse. What nobody has looked at, what is old and what is calm are told apart. */
type PulseLook = {
  /** A glyph a minute, the current one last. */
  readonly strip: string;
  /** `196/min ↑`, `31/10 s`, `4 min ago`, `not checked`; empty if all is calm. */
  readonly words: string;
  /** All of it, for a screen reader. */
  readonly spoken: string;
  readonly tone: Tone;
};

/** `nowMs`: the monotonic clock. */
export const pulseLook = (known: KnownPulse | undefined, nowMs: number): PulseLook => {
  const {pulse, failure, countedAtMs = nowMs} = known ?? {};
  const ageMs = Math.max(0, nowMs - countedAtMs);
  const strip = pulse === undefined ? unseen.repeat(pulseMinutesMax) : stripOf(pulse, ageMs);
  if (failure !== undefined) {
    return lookOf(strip, failureWords(failure), 'busy', `check failed: ${failureWords(failure)}`);
  }
  if (pulse === undefined) {
    return lookOf(strip, 'not checked', 'dim');
  }
  if (ageMs >= staleMs) {
    const age = `${Math.floor(ageMs / pulseMinuteMs)} min ago`;
    return lookOf(strip, age, 'dim', `checked ${age}`);
  }
  const {words, spoken} = rateWords(pulse);
  const tone = pulse.errors > 0 ? 'bad' : 'dim';
  const trend = pulseTrendOf(pulse);
  return trend === undefined
    ? lookOf(strip, words, tone, spoken)
    : lookOf(strip, `${words} ${trend === 'new' ? 'new' : '↑'}`, tone, `${spoken}, ${trend}`);
};

const lookOf = (strip: string, words: string, tone: Tone, spoken = words): PulseLook => ({
  strip,
  words,
  spoken,
  tone,
});

const stripOf = ({minutes, toMs}: Pulse, ageMs: number): string => {
  const seen = new Map(minutes.map(each => [each.minute, each]));
  const last = Math.floor((toMs + ageMs) / pulseMinuteMs);
  return Array.from({length: pulseMinutesMax}, (_, index) => {
    const found = seen.get(last - pulseMinutesMax + 1 + index);
    const block = found && blockErrors.findLastIndex(least => found.errors >= least);
    return block === undefined ? unseen : (blocks[block] ?? unseen);
  }).join('');
};

/** Over less than a minute the rate is that of the time that was seen. */
const rateWords = ({errors, spanMs, lines}: Pulse): Pick<PulseLook, 'words' | 'spoken'> => {
  if (spanMs === 0) {
    const words = lines === 0 ? 'no lines' : 'no times';
    return {words, spoken: words};
  }
  const count = shortCount(errors);
  if (spanMs < pulseMinuteMs) {
    const span = `${Math.max(1, Math.floor(spanMs / 1000))} s`;
    return {words: `${count}/${span}`, spoken: `${count} errors in ${span}`};
  }
  return errors === 0 ? {words: '', spoken: 'no errors'} : {words: `${count}/min`, spoken: `${count} errors a minute`};
};

/** `1,204`, `12k`: at most five characters below a million. */
const shortCount = (count: number): string =>
  count < 10_000 ? formatCount(count) : `${formatCount(Math.floor(count / 1000))}k`;

const failureWords = ({errorKind, status}: NonNullable<KnownPulse['failure']>): string => {
  const word = failureKinds[errorKind] ?? 'failed';
  return status === undefined ? word : `${word} ${status}`;
};

const failureKinds: Readonly<Partial<Record<NonNullable<KnownPulse['failure']>['errorKind'], string>>> = {
  unauthorised: 'refused',
  forbidden: 'refused',
  notFound: 'not found',
  tooManyRequests: 'refused',
  timeout: 'timed out',
  tooLarge: 'too large',
  network: 'no answer',
};

/** The input of a column of the screen's list, besides the branch. */
export type ListedWith = {
  readonly news: ReadonlyMap<string, RowNews>;
  /** What the guard told; absent if nothing is known of a guard. */
  readonly guarded?: ReadonlyMap<string, number>;
  /** The service's clock, milliseconds since 1970. */
  readonly nowMs: number;
  /** The known counts, and the monotonic clock, milliseconds; undefined if nobody looks at logs. */
  readonly pulses?: {readonly known: KnownPulses; readonly nowMs: number} | undefined;
};

export const listedWithOf = (frame: Frame, {news, guarded, probes, pulses}: BranchesState): ListedWith => ({
  news,
  guarded,
  nowMs: serviceNowMs(frame),
  pulses: probes && {known: pulses, nowMs: frame.nowMs},
});

/**
 * A column on the screen, after name and status, which are always shown. What there is no room for is dropped. A screen
 * reader reads them in list order.
 */
export type ListedColumn = {
  readonly heading: string;
  readonly words: (branch: Branch, listedWith: ListedWith) => string;
  /** Its width in cells; 0 if it has nothing to show. */
  readonly cells: (branches: readonly Branch[], listedWith: ListedWith) => number;
  readonly tone: Tone | ((branch: Branch, listedWith: ListedWith) => Tone);
  readonly isAtRight?: boolean;
  /** Spoken by a screen reader instead of `words`. */
  readonly spoken?: (branch: Branch, listedWith: ListedWith) => string;
  readonly key: 'trouble' | 'guard' | 'news' | 'pods' | 'since' | 'pulse';
};

/** A column of the list of branches. */
type BranchColumn = {
  /** Its heading where branches are printed. */
  readonly title: string;
  /** Its text in `branchlog branches`; absent if only the screen has the column. */
  readonly printed?: (branch: Branch) => {readonly text: string; readonly tone?: Tone};
  readonly listed?: ListedColumn;
};

const statusCell = (branch: Branch): {readonly text: string; readonly tone: Tone} => {
  const {words, tone, isDeployed} = describeStatus(branch.status);
  const trouble = worstTroubleWords(branch);
  // Scripts look for the status as received.
  const text = isDeployed ? words : (branch.status ?? words);
  return trouble === '' ? {text, tone} : {text: `${text}, ${trouble}`, tone: 'busy'};
};

/** The text of a field as received, or that it is malformed. */
const textCell =
  (field: 'branchType' | 'hostname' | 'updatedAt') =>
  (branch: Branch): {readonly text: string} => ({
    text: branch.malformed.includes(field) ? notAsDescribed : (branch[field] ?? ''),
  });

/** Limits the columns other than name and status: their texts are short. */
const wordCharsMax = 40;

const toldWords = (count = 0): string => (count === 0 ? '' : `${formatCount(count)} new`);

const newsOf = ({_id}: Branch, {news}: ListedWith): string => {
  const told = news.get(_id);
  return told === undefined ? '' : newsWords[told];
};

/** Where a column has no room for more. */
const malformedWord = 'malformed';

const podCount = ({replicas, malformed}: Branch): string =>
  malformed.includes('replicas') ? malformedWord : replicas === undefined ? '' : formatCount(replicas);

const podWords = ({replicas, malformed}: Branch): string =>
  malformed.includes('replicas') ? `pods ${notAsDescribed}` : replicas === undefined ? '' : countOf(replicas, 'pod');

const hasTime = ({createdAt, updatedAt}: Branch): boolean => (createdAt ?? updatedAt) !== undefined;

const sinceWords = (branch: Branch, listedWith: ListedWith): string =>
  sinceSpoken(branch, listedWith)
    .replace(/^(?:changed|made) | ago$/g, '')
    .replace(/^time .*/, malformedWord);

const sinceSpoken = ({status, createdAt, updatedAt, malformed}: Branch, {nowMs}: ListedWith): string => {
  if (malformed.includes(status === null ? 'createdAt' : 'updatedAt')) {
    return `time ${notAsDescribed}`;
  }
  const ago = formatAgo(status === null ? createdAt : updatedAt, nowMs);
  return ago === '' ? '' : `${status === null ? 'made' : 'changed'} ${ago}`;
};

/**
 * Returns a function that finds the widest text of all branches, in cells. It reads a listing once: this must not cost
 * every key a look at ten thousand branches.
 */
export const widestIn = (words: (branch: Branch) => string): ((branches: readonly Branch[]) => number) =>
  once(createWeakCache(), branches => branches.reduce((most, branch) => Math.max(most, cellWidth(words(branch))), 0));

const newsCells = Math.max(...Object.values(newsWords).map(cellWidth));

/** Returns the pulse of a branch whose log is looked at, or was; undefined of all others. */
const pulseOf = (branch: Branch, {pulses}: ListedWith): PulseLook | undefined => {
  const known = pulses?.known.get(branch._id);
  return pulses !== undefined && (known !== undefined || describeStatus(branch.status).isDeployed)
    ? pulseLook(known, pulses.nowMs)
    : undefined;
};

const pulseTone = (branch: Branch, listedWith: ListedWith): Tone => pulseOf(branch, listedWith)?.tone ?? 'dim';

const pulseWords = (branch: Branch, listedWith: ListedWith): string => {
  const look = pulseOf(branch, listedWith);
  return look === undefined ? '–' : `${look.strip} ${look.words}`.trimEnd();
};

/** The longest of each. Always the same, so that the columns stay where they are as time passes and checks come. */
const pulseCells = '····· 9,999/min new'.length;
const sinceCells = '11 months'.length;

/** All columns, from left to right. Callers must sanitise the service's words. */
export const branchColumns: readonly BranchColumn[] = [
  {title: 'NAME', printed: branch => ({text: nameWords(branch)})},
  {title: 'STATUS', printed: statusCell},
  {
    title: 'TROUBLE',
    listed: {
      heading: 'TROUBLE',
      words: worstTroubleWords,
      cells: widestIn(branch => sanitiseWord(worstTroubleWords(branch), wordCharsMax)),
      tone: 'busy',
      key: 'trouble',
    },
  },
  {
    title: 'GUARD',
    listed: {
      heading: 'GUARD',
      words: ({name}, {guarded}) => toldWords(guarded?.get(name)),
      cells: (_, {guarded}) => Math.max(0, ...[...(guarded?.values() ?? [])].map(count => toldWords(count).length)),
      tone: 'bad',
      spoken: ({name}, {guarded}) => (guarded?.has(name) ? `the guard told ${toldWords(guarded.get(name))}` : ''),
      key: 'guard',
    },
  },
  {
    title: 'PULSE',
    listed: {
      heading: 'ERRORS, 5 MIN',
      words: pulseWords,
      cells: (_, {pulses}) => (pulses === undefined ? 0 : pulseCells),
      tone: pulseTone,
      spoken: (branch, listedWith) => pulseOf(branch, listedWith)?.spoken ?? '',
      key: 'pulse',
    },
  },
  {
    title: 'NEWS',
    listed: {
      heading: 'NEWS',
      words: newsOf,
      cells: (_, {news}) => (news.size === 0 ? 0 : newsCells),
      tone: 'accent',
      key: 'news',
    },
  },
  {
    title: 'PODS',
    listed: {
      heading: 'PODS',
      words: podCount,
      cells: widestIn(podCount),
      tone: 'dim',
      isAtRight: true,
      spoken: podWords,
      key: 'pods',
    },
  },
  {title: 'TYPE', printed: textCell('branchType')},
  {title: 'ID', printed: ({_id}) => ({text: _id})},
  {title: 'HOSTNAME', printed: textCell('hostname')},
  {
    title: 'UPDATED',
    printed: textCell('updatedAt'),
    listed: {
      heading: 'CHANGED',
      words: sinceWords,
      cells: branches => (branches.some(hasTime) ? sinceCells : 0),
      tone: 'dim',
      isAtRight: true,
      spoken: sinceSpoken,
      key: 'since',
    },
  },
];

/** The columns of the screen's list after name and status, from left to right. */
export const listedColumns = branchColumns.flatMap(({listed}) => listed ?? []);

/** Returns a column's text for a branch, sanitised for drawing. */
export const listedWords = ({words}: ListedColumn, branch: Branch, listedWith: ListedWith): string =>
  sanitiseWord(words(branch, listedWith), wordCharsMax);

/** Returns what a screen reader says of a column. */
export const spokenWords = (column: ListedColumn, branch: Branch, listedWith: ListedWith): string =>
  sanitiseWord((column.spoken ?? column.words)(branch, listedWith), wordCharsMax);
