import type {GapMarker, GapReason} from '#log/line/entry.ts';
import {countOf} from './format-count.ts';

type SaidOfGap = Pick<GapMarker, 'reason' | 'newLines' | 'missingLines' | 'why'>;

const cameAtOnce = ({newLines}: SaidOfGap): string =>
  newLines === undefined ? 'many lines came at once' : `${countOf(newLines, 'line')} came at once`;

const wordsOfReasons: Readonly<Record<GapReason, string | ((gap: SaidOfGap) => string)>> = {
  'moved-on': ({missingLines}) =>
    `the window moved on${missingLines === undefined ? '' : `, ${countOf(missingLines, 'line')} missing`}`,
  unproven: gap => `${cameAtOnce(gap)}; this service does not say how it cuts its windows`,
  share: gap => `${cameAtOnce(gap)}, as many as one pod or source may hold`,
  'clock-back': 'the clock that stamps the lines went back',
  empty: 'the service answered with empty windows in between',
  'short-window': 'the window spans less time than lines are late',
  'source-gone': 'lines left all at once, as when a container restarts',
  renumbered: 'the service started to number its lines anew',
  'not-lines': 'the service sent something that is not a line',
  'left-out': ({missingLines}) =>
    `the service leaves out numbered lines again and again${missingLines === undefined ? '' : `, ${countOf(missingLines, 'line')} so far`}`,
  contradicted: 'the service’s line numbers contradict each other, so they are not believed any more',
  told: ({missingLines}) =>
    `${missingLines === undefined ? 'lines are' : `${countOf(missingLines, 'line')} ${missingLines === 1 ? 'is' : 'are'}`} reported missing`,
};

/**
 * Explains why lines may be missing; every description of a gap uses this text. Whoever tells of a gap says best why it
 * is one, and may be a service, or what reads a file. Foreign text: it goes through `makeSafe`.
 */
export const gapWords = (gap: SaidOfGap, makeSafe: (foreign: string) => string = foreign => foreign): string => {
  const {reason = 'moved-on', missingLines, why} = gap;
  if (reason === 'told' && why !== undefined) {
    return `${makeSafe(why)}${missingLines === undefined ? '' : `: ${countOf(missingLines, 'line')} missing`}`;
  }
  const words = wordsOfReasons[reason];
  return typeof words === 'string' ? words : words(gap);
};
