import type {Instant} from '../line/instant.ts';
import type {ReadWindow} from '../line/window-line.ts';
import {type Learned, mostOf} from '../wholeness/learned.ts';
import {isCutAsOne, type KnownCut, shareOf} from '../wholeness/share.ts';
import type {LogWindow} from './branch-log.ts';

/**
 * Returns the time since which the first window is whole. If cut as one: since its first line. Otherwise: since the
 * newest of the sources' first lines, where a source that was cut shows at least a share.
 */
export const firstWholeSince = (now: ReadWindow, window: LogWindow, learned: Learned): Instant | undefined => {
  const {cut, sources, pods, arrivals} = window;
  const said: KnownCut = {cut, sources, podCount: pods.length, sawHole: cut === undefined};
  if (isCutAsOne({...said, sawHole: false}) || arrivals?.dropped === 0) {
    return now.lines.timeAt(0);
  }
  const share = shareOf(mostOf(learned), said).lines;
  return now.lines.timeAt(Math.max(0, now.lines.length - Math.max(1, Math.floor(share))));
};
