import type {SourceName} from '#log/line/entry.ts';
import {type Answered, type Fields, type Format, formats, type Level} from './formats.ts';
import type {Random} from './random.ts';
import type {DrawnLine} from './take-lines.ts';

/** What a log of an ordinary day is drawn by. Shares are of all lines. */
export type Traffic = {
  readonly format: Format;
  readonly seconds: number;
  /** Lines a second. */
  readonly rate: number;
  /** How far the rate falls, from 0 to 1, how often it does so, and where it begins. */
  readonly rhythm: {readonly depth: number; readonly turns: number; readonly phase: number};
  readonly requestShare: number;
  readonly errorShare: number;
  readonly warnShare: number;
  readonly notFoundShare: number;
  /** How widely the times of requests are spread. */
  readonly spread: number;
  /** Who writes a line of a second. */
  readonly writer: (second: number) => Writer;
};

/** Who writes, and what all of its lines have. */
export type Writer = {readonly source?: SourceName | undefined; readonly fields?: Fields | undefined};

export const sayings = [
  'cache refreshed',
  'session created for user',
  'order stored',
  'mail queued',
  'search index updated',
  'price list read',
  'connection returned to pool',
] as const;
export const warnings = ['slow query', 'cache miss rate is high', 'retrying connection', 'deprecated call'] as const;
export const faults = [
  'payment refused',
  'connection reset by peer',
  'invalid token',
  'mail could not be sent',
] as const;
export const newFaults = [
  'tax service rejected quote',
  'database is read-only',
  'cannot acquire lock on inventory',
  'voucher backend answered with garbage',
  'price list of tenant is missing',
] as const;
export const paths = ['/cart', '/product/17', '/checkout', '/login', '/orders/991', '/search'] as const;

/** An ordinary log of so many seconds, with at most so many lines. */
export const drawTraffic = (
  random: Random,
  {seconds, linesMax, ...more}: Partial<Traffic> & {readonly seconds: number; readonly linesMax: number},
): Traffic => {
  const errorShare = random.scaled(0.0005, 0.02);
  const traffic = {
    format: random.pick(formats),
    rate: random.scaled(0.3, 20),
    rhythm: {depth: random.between(0, 0.6), turns: random.between(0.3, 0.9), phase: random.between(0, 6.28)},
    requestShare: random.between(0.4, 0.9),
    errorShare,
    warnShare: 2 * errorShare,
    notFoundShare: 0.02,
    spread: 0.5,
    writer: () => ({}),
    seconds,
    ...more,
  };
  return {...traffic, rate: Math.min(traffic.rate, linesMax / seconds)};
};

export const clientOf = (random: Random): string => `10.${random.whole(0, 8)}.${random.whole(0, 249)}.7`;

/** An ordinary request, which may be made another. */
export const drawRequest = (random: Random, {notFoundShare, spread}: Traffic): Answered => ({
  method: random.chance(0.8) ? 'GET' : 'POST',
  path: random.pick(paths),
  status: random.chance(notFoundShare) ? 404 : random.chance(0.05) ? 302 : 200,
  ms: Math.round(80 * Math.exp(spread * random.gauss())),
  client: clientOf(random),
});

/** Writes what a program says at a second. */
export const sayAt = (
  {format, writer}: Pick<Traffic, 'format' | 'writer'>,
  second: number,
  level: Level,
  message: string,
  own: Fields = {},
): DrawnLine => {
  const {source, fields} = writer(second);
  return {second, text: format.say({level, message, fields: {...fields, ...own}}, second), source};
};

export const requestAt = (
  {format, writer}: Pick<Traffic, 'format' | 'writer'>,
  second: number,
  answered: Answered,
): DrawnLine => {
  const {source, fields} = writer(second);
  return {second, text: format.request({...answered, fields: {...fields, ...answered.fields}}, second), source};
};

/** An ordinary line, whatever it is. */
export const lineAt = (random: Random, traffic: Traffic, second: number): DrawnLine => {
  const {errorShare, warnShare, requestShare} = traffic;
  const dice = random.next();
  return dice < errorShare
    ? sayAt(traffic, second, 'ERROR', random.pick(faults), {id: random.whole(0, 1e6)})
    : dice < errorShare + warnShare
      ? sayAt(traffic, second, 'WARN', random.pick(warnings), {took: random.whole(1, 900)})
      : random.chance(requestShare)
        ? requestAt(traffic, second, drawRequest(random, traffic))
        : sayAt(traffic, second, 'INFO', random.pick(sayings), {id: random.whole(0, 1e6)});
};

/** The seconds of the lines of a log, in any order: its rhythm makes some more likely. */
export const secondsOf = (random: Random, {seconds, rate, rhythm}: Traffic): readonly number[] =>
  Array.from({length: Math.max(2, Math.floor(seconds * rate))}, () => {
    let second = random.between(0, seconds);
    while (
      random.next() >
      1 - rhythm.depth * (0.5 + 0.5 * Math.sin(rhythm.phase + (second / seconds) * 6.28 * rhythm.turns))
    ) {
      second = random.between(0, seconds);
    }
    return second;
  });

export const ordinaryLines = (random: Random, traffic: Traffic): readonly DrawnLine[] =>
  secondsOf(random, traffic).map(second => lineAt(random, traffic, second));
