import type {OutputStream} from '../kubelet/container-log.ts';

/** One line as a container wrote it. */
export type TrueLine = {
  /** From 1, in the order of the file. */
  readonly number: number;
  readonly stampNs: bigint;
  readonly stream: OutputStream;
  /** UTF-8, without the number's prefix being taken off. */
  readonly text: string;
};

/** What one instance of a container wrote, from its start to its end or until now. */
export type InstanceTruth = {
  readonly namespace: string;
  readonly pod: string;
  readonly podUid: string;
  readonly container: string;
  /** The restart count of the instance. */
  readonly restart: number;
  /** Identifies the instance in its lines: `POD.UID4/CONTAINER/RESTART`. */
  readonly key: string;
  /** Empty where the truth is only counted. */
  readonly lines: readonly TrueLine[];
  readonly linesWritten: number;
};

const numberedPattern = /#(\d+) ([\w.-]+\/[\w.-]+\/\d+)(?: |$)/;

/** `#17 shop-7d4-abcde.1f3a/php/0 …`, filled up with `x` to the bytes wanted. */
export const formatNumbered = (key: string, number: number, bytes = 0): string => {
  const head = `#${number} ${key} line`;
  return head.length >= bytes ? head : `${head} ${'x'.repeat(Math.max(0, bytes - head.length - 1))}`;
};

/** The instance and the number that a line of {@link formatNumbered} names, wherever in the text. */
export const readNumbered = (text: string): {readonly key: string; readonly number: number} | undefined => {
  const match = numberedPattern.exec(text);
  return match === null ? undefined : {key: match[2] ?? '', number: Number(match[1])};
};
