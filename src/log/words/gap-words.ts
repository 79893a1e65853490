import type {GapMarker} from '../line/entry.ts';
import {countOf} from './format-count.ts';

/** Explains why lines may be missing; every description of a gap uses this text. */
export const gapWords = ({
  reason,
  newLines,
  missingLines,
}: Pick<GapMarker, 'reason' | 'newLines' | 'missingLines'>): string => {
  switch (reason) {
    case undefined:
    case 'moved-on':
      return missingLines === undefined
        ? 'the window moved on'
        : `the window moved on, ${countOf(missingLines, 'line')} missing`;
    case 'unproven':
      return `${cameAtOnce(newLines)}; this service does not say how it cuts its windows`;
    case 'share':
      return `${cameAtOnce(newLines)}, as many as one pod or source may hold`;
    case 'clock-back':
      return 'the clock that stamps the lines went back';
    case 'empty':
      return 'the service answered with empty windows in between';
    case 'short-window':
      return 'the window spans less time than lines are late';
    case 'source-gone':
      return 'lines left all at once, as when a container restarts';
    case 'renumbered':
      return 'the service started to number its lines anew';
    case 'not-lines':
      return 'the service sent something that is not a line';
    case 'told':
      return missingLines === undefined
        ? 'the service says that lines are missing'
        : `the service says that ${countOf(missingLines, 'line')} are missing`;
    default:
      return reason satisfies never;
  }
};

const cameAtOnce = (newLines: number | undefined): string =>
  newLines === undefined ? 'many lines came at once' : `${countOf(newLines, 'line')} came at once`;
