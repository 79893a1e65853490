import {sep} from 'node:path';
import type {Readable} from 'node:stream';
import {withoutOverstrikes} from '#log/text/overstrikes.ts';
import {describeError} from '#service/backend/errors.ts';
import {runCommand} from '#service/command/run-command.ts';
import type {LineSourceContext, LineSourceSetup} from '#service/served/line-source.ts';
import {fingerprintBytesMax} from '#service/window/fingerprint.ts';
import type {StreamNames} from '#service/window/line-stamper.ts';
import {splitLines} from '#service/window/split-lines.ts';
import {emptyStreamStamps} from '#service/window/stored-state.ts';
import {blankWords} from '../read-plain.ts';

/** Bytes kept until they are taken; past this, whoever writes waits. */
const keptBytesMax = 256 * 1024;

/** How a stream ends that was read without a fault. */
export const goodEnds: readonly string[] = ['ended', 'ended with exit code 0'];

/** The bytes of a stream that is read once, taken as they are wanted. */
export type ByteFeed = {
  /** Returns what came since the last call. `hasMore`: the limit was reached, so there probably is more. */
  takeOutput(): {readonly bytes: Buffer; readonly hasMore: boolean};
  /** Says how it ended, once all of it has come: what is taken after that is the rest. */
  outcome(): string | undefined;
  /** Stops whatever writes it. */
  stop(): Promise<void>;
};

/** Holds back a stream until its bytes are taken. `onChange` is called when some came, or when it ended. */
export const feedOfStream = (stream: Readable, onChange: () => void): ByteFeed => {
  let chunks: Buffer[] = [];
  let bytesKept = 0;
  let outcome: string | undefined;
  const end = (words: string): void => {
    outcome ??= words;
    onChange();
  };
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytesKept += chunk.length;
    if (bytesKept >= keptBytesMax) {
      stream.pause();
    }
    onChange();
  });
  stream.on('end', () => end('ended'));
  stream.on('close', () => end('ended'));
  stream.on('error', error => end(`cannot be read any further (${describeError(error)})`));
  return {
    takeOutput: () => {
      const taken = {bytes: Buffer.concat(chunks), hasMore: bytesKept >= keptBytesMax};
      chunks = [];
      bytesKept = 0;
      stream.resume();
      return taken;
    },
    outcome: () => outcome,
    stop: async () => {
      stream.destroy();
    },
  };
};

/** Yields the bytes of a stream, as they come. Throws why where it does not end as it should. */
export const blocksOf = async function* (open: (onChange: () => void) => ByteFeed): AsyncGenerator<Buffer> {
  let change = Promise.withResolvers<void>();
  const feed = open(() => change.resolve());
  try {
    for (;;) {
      change = Promise.withResolvers<void>();
      const ended = feed.outcome();
      const {bytes} = feed.takeOutput();
      if (bytes.length > 0) {
        yield bytes;
      } else if (ended === undefined) {
        await change.promise;
      } else if (goodEnds.includes(ended)) {
        return;
      } else {
        throw new Error(ended);
      }
    }
  } finally {
    await feed.stop();
  }
};

/** The means to read a stream: it is opened at the first turn. */
export type StreamOpening = {
  readonly wake: () => void;
  /** Takes what a command writes to its standard error, as lines of their own. */
  readonly onErrorOutput: (bytes: Buffer) => void;
};

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

/** Kept of what a decompressor says, in bytes: its first line tells what is wrong. */
const saidBytesMax = 1024;

/**
 * Decompresses a file with a program. What that says on its standard error is no line of the file, but why it is not
 * whole: bzip2 ends with 0, too, where it ignores the rest of a file.
 */
export const feedOfDecompressor = (program: string, path: string, onChange: () => void): ByteFeed => {
  let said = Buffer.alloc(0);
  const run = runCommand({
    command: [program, '-dc', '--', path],
    folder: sep,
    kind: 'tool',
    onChange,
    onErrorOutput: bytes => {
      said = Buffer.concat([said, bytes.subarray(0, saidBytesMax - said.length)]);
    },
  });
  return {
    ...run,
    outcome: () => {
      const ended = run.outcome();
      if (ended === undefined || (ended === 'ended with exit code 0' && said.length === 0)) {
        return ended;
      }
      const [, first = `${program} ${ended}`] = /^\s*(\S.*?)[\s;.]*$/m.exec(said.toString()) ?? [];
      return `cannot be read any further (${first.replace(`${path}: `, '')})`;
    },
  };
};
