import type {Instant} from '../../log/line/instant.ts';
import type {Tail} from './tail.ts';

/** Past this share of the buffer, what is older would only leave it again. */
const filledShareMax = 0.9;

/** Whether lines from before the first ones can be read, and fit into the buffer. `since`: lines since then. */
export const hasUnread = ({log: {heldFrom, buffer}}: Pick<Tail, 'log'>, since?: Instant): boolean =>
  heldFrom?.why === 'unread' &&
  (since === undefined || heldFrom.at > since) &&
  buffer.evictedLines === 0 &&
  buffer.bytes < filledShareMax * buffer.bytesMax;
