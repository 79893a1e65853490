import type {Readable} from 'node:stream';
import {describeError} from '#service/errors/describe-fault.ts';

/** Bytes kept until they are taken; past this, whoever writes waits. */
const keptBytesMax = 256 * 1024;

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
