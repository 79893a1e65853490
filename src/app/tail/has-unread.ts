import type {Instant} from '#log/line/instant.ts';
import type {ReadDirection} from '#log/line/unread.ts';
import type {Tail} from './tail.ts';

/** Past this share of the buffer, what is older would only leave it again. */
const filledShareMax = 0.9;

/** Whether there are lines in a direction from those that were read. */
export const isUnread = ({log: {heldFrom, heldTo}}: Pick<Tail, 'log'>, direction: ReadDirection): boolean =>
  (direction === 'earlier' ? heldFrom : heldTo)?.why === 'unread';

/** Whether lines before the first ones, or after the last ones of a part, can be read, and fit into the buffer. */
export const canReadOn = (tail: Pick<Tail, 'log'>, direction: ReadDirection): boolean => {
  const {buffer} = tail.log;
  return isUnread(tail, direction) && buffer.evictedLines === 0 && buffer.bytes < filledShareMax * buffer.bytesMax;
};

/** Whether lines since a time can be read on to. */
export const canReadBackTo = (tail: Pick<Tail, 'log'>, at: Instant): boolean =>
  canReadOn(tail, 'earlier') && (tail.log.heldFrom?.at ?? at) > at;
