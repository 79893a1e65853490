import {emptyStreamStamps} from '#service/lines/stream-stamps.ts';
import type {LineSourceContext, LineSourceSetup} from '#service/served/line-source.ts';
import {fingerprintBytesMax} from '#service/window/fingerprint.ts';
import type {StreamNames} from '#service/window/line-stamper.ts';
import {splitLines} from '#service/window/split-lines.ts';
import {blankWords} from '../../lines/blank-words.ts';
import type {ByteFeed} from '../../opened/byte-feed.ts';

/** What a stream needs to be read: it is opened at the first turn. */
export type StreamOpening = {
  readonly wake: () => void;
  /** Takes what a command writes to its standard error, as lines of their own. */
  readonly onErrorOutput: (bytes: Buffer) => void;
};

/** What `man` writes for a printer: an underlined letter over `_`, a bold one over itself. */
const overstruck = /(?:_\x08)+(?=[^\x08])|([^\x08])(?:\x08\1)+/gu;
const withoutOverstrikes = (line: string): string =>
  line.includes('\b') ? line.replace(overstruck, (_, letter = '') => letter) : line;

/** Splits bytes into the lines of one stream; what has no newline yet waits for it. */
const createLineReader = ({sink, podKey, podName, warn}: LineSourceContext, names?: StreamNames) => {
  const stream = {podKey, names, stamps: emptyStreamStamps, held: {}};
  let partial: Buffer = Buffer.alloc(0);
  let head: Buffer = Buffer.alloc(0);
  return {
    take: (bytes: Buffer, atEnd: boolean): void => {
      const all = partial.length === 0 ? bytes : Buffer.concat([partial, bytes]);
      const {lines, bytesUsed} = splitLines(all, {atEnd});
      partial = Buffer.from(all.subarray(bytesUsed));
      if (head.length < fingerprintBytesMax) {
        head = Buffer.concat([head, bytes.subarray(0, fingerprintBytesMax - head.length)]);
      }
      sink.take(stream, lines.map(withoutOverstrikes), {endsHere: atEnd, hasMore: true, head});
      if (atEnd && head[0] === 0 && stream.stamps.last === undefined) {
        warn(blankWords(podName));
      }
    },
    /** All that was there has been read: what comes now is written now. */
    caughtUp: (): void => {
      stream.stamps = {...stream.stamps, isBacklog: false};
    },
  };
};

/**
 * Creates the source of a stream that is read once. It is read only as far as its lines are wanted: until then, whoever
 * writes it waits.
 */
export const readStream = (kind: string, open: (opening: StreamOpening) => ByteFeed): LineSourceSetup => ({
  kind,
  open: context => {
    const {wake} = context;
    let feed: ByteFeed | undefined;
    let outcome: string | undefined;
    let errors: ReturnType<typeof createLineReader> | undefined;
    const lines = createLineReader(context);
    const onErrorOutput = (bytes: Buffer): void => {
      errors ??= createLineReader(context, {stream: 'stderr'});
      errors.take(bytes, false);
      wake();
    };
    return {
      start: async () => undefined,
      turn: async () => {
        if (outcome !== undefined) {
          return false;
        }
        feed ??= open({wake: () => wake(), onErrorOutput});
        // Asked first: what has ended has given all that it had.
        const ended = feed.outcome();
        const {bytes, hasMore} = feed.takeOutput();
        if (bytes.length > 0 || ended !== undefined) {
          lines.take(bytes, ended !== undefined);
        } else {
          lines.caughtUp();
        }
        if (ended !== undefined) {
          errors?.take(Buffer.alloc(0), true);
          outcome = ended;
        }
        return hasMore;
      },
      outcome: () => outcome,
      close: async () => feed?.stop(),
    };
  },
});
