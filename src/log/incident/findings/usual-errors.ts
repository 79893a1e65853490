import {type CountLevel, findLevels} from '../statistics/find-levels.ts';
import {countBetween, evidenceMin} from '../statistics/find-runs.ts';
import {linesIn} from './rate-finding.ts';
import type {LogEvents, Series} from './read-events.ts';

/** From this share of the lines on errors are no usual ones, however long they come. */
const manyShare = 0.05;
/** Nor are so many of one kind a minute, or this share of the lines, where most errors are of that kind. */
const ofOneKind = {perMinute: 2, share: 0.02, ofErrors: 0.6} as const;
const errorsMin = 5;
/** In less time nobody knows which errors are usual, in seconds, unless they are few: in some minutes, so many. */
const usualMin = 1200;
const few = {seconds: 300, perMinute: 0.6, share: 0.005} as const;
/**
 * Chance hardly changes a rate by so much: the negative logarithm of one in a thousand; and what counts as a rise.
 * Whatever is between may be a change or none: errors are too many if they are either way.
 */
const changePrices = [7, evidenceMin] as const;
/** A shorter level is no time that could be called calm, in seconds. */
const levelMin = 30;

/** Returns the kind of which most errors are; of an ordinary day there are several. */
const mostKindOf = ({series, errors}: LogEvents): Series | undefined => {
  const [top] = series
    .filter(({kind}) => kind === 'kind' || kind === 'failed')
    .toSorted((a, b) => b.seconds.length - a.seconds.length);
  return top !== undefined && top.seconds.length * top.weight >= ofOneKind.ofErrors * errors.length ? top : undefined;
};

/** Checks whether errors were so many all the time that no part of it is calm. */
export const hasNoCalm = (events: LogEvents): boolean => changePrices.some(price => isNeverCalm(events, price));

const isNeverCalm = (events: LogEvents, price: number): boolean => {
  const {errors, held} = events;
  const least = (times: readonly number[], weight: number) => {
    const all = findLevels(times, held, price);
    // That none comes any more is no calm time before it.
    const before = all.slice(0, Math.max(1, all.length - 1)).filter(({from, to}) => to - from >= levelMin);
    const countOf = ({start, end}: CountLevel): number => weight * (end - start);
    return before.length === 0
      ? {perMinute: 0, share: 0}
      : {
          perMinute: Math.min(...before.map(level => (60 * countOf(level)) / (level.to - level.from))),
          share: Math.min(...before.map(level => countOf(level) / linesIn(events, level.from, level.to))),
        };
  };
  const top = mostKindOf(events);
  const {perMinute, share} = top === undefined ? {perMinute: 0, share: 0} : least(top.seconds, top.weight);
  return (
    errors.length >= errorsMin &&
    (least(errors, 1).share >= manyShare || perMinute > ofOneKind.perMinute || share > ofOneKind.share)
  );
};

/** Checks whether too little is held to tell whether the errors of the time asked are usual. */
export const isUsualUnknown = (events: LogEvents): boolean => {
  const {errors, asked, held} = events;
  const lineCount = linesIn(events, held.from, held.to);
  const isFew =
    held.to >= few.seconds && errors.length <= (few.perMinute * held.to) / 60 && errors.length <= few.share * lineCount;
  const isMixed =
    errors.length >= errorsMin && mostKindOf(events) === undefined && errors.length < manyShare * lineCount;
  const hasErrors = countBetween(errors, asked.from, asked.to + 1e-6) > 0;
  return hasErrors && held.to < usualMin && !isFew && !isMixed;
};
