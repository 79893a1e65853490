import type {Tone} from '#app/rows/tones.ts';
import type {KnownPulse} from '#app/tail/known-pulse.ts';
import {type Pulse, pulseMinuteMs, pulseMinutesMax, pulseTrendOf} from '#log/overview/pulse.ts';
import {formatCount} from '#log/words/format-count.ts';

/** An older count says nothing of now: then its age is shown, not its rate. */
const staleMs = 2 * pulseMinuteMs;

/** Nothing is known of a minute that nobody saw. */
const unseen = '·';
const blocks = '▁▂▃▄▅▆▇█';
/** The least errors a minute of each block, the same for all branches, so that rows can be compared. */
const blockErrors = [0, 1, 3, 10, 30, 100, 300, 1000];

/** How a branch stands by its pulse. What nobody has looked at, what is old and what is calm are told apart. */
export type PulseLook = {
  /** A glyph a minute, the current one last. */
  readonly strip: string;
  /** `196 err/min`, `31 err/10 s`, `4 min ago`, `not looked at`; empty if all is calm. */
  readonly words: string;
  /** `new` or `rise`; empty otherwise. */
  readonly trend: string;
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
    return lookOf(strip, failureWords(failure), 'busy', `look failed: ${failureWords(failure)}`);
  }
  if (pulse === undefined) {
    return lookOf(strip, 'not looked at', 'dim');
  }
  if (ageMs >= staleMs) {
    const age = `${Math.floor(ageMs / pulseMinuteMs)} min ago`;
    return lookOf(strip, age, 'dim', `looked at ${age}`);
  }
  const words = rateWords(pulse);
  const spoken = words === '' ? 'no errors' : words.replace('err/min', 'errors a minute').replace('err/', 'errors in ');
  const trend = pulseTrendOf(pulse);
  return {
    ...lookOf(strip, words, pulse.errors > 0 ? 'bad' : 'dim', trend === undefined ? spoken : `${spoken}, ${trend}`),
    trend: trend === undefined ? '' : trend === 'new' ? 'new' : 'rise',
  };
};

const lookOf = (strip: string, words: string, tone: Tone, spoken = words): PulseLook => ({
  strip,
  words,
  trend: '',
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
const rateWords = ({errors, spanMs, lines}: Pulse): string => {
  if (spanMs === 0) {
    return lines === 0 ? 'no lines' : 'no times';
  }
  if (spanMs < pulseMinuteMs) {
    return `${shortCount(errors)} err/${Math.max(1, Math.floor(spanMs / 1000))} s`;
  }
  return errors === 0 ? '' : `${shortCount(errors)} err/min`;
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
