import type {LinkAnswer} from './link.ts';

/**
 * Reads a body as it comes, without ever pausing it: a follower that does not read makes the kubelet skip files.
 * `onEnd` is called once, with undefined for an orderly end. Returns what stops it, without `onEnd`.
 */
export const drainAnswer = (
  {body, isWhole, cancel}: LinkAnswer,
  onData: (bytes: Buffer) => void,
  onEnd: (fault: {readonly cause: unknown} | undefined) => void,
): (() => void) => {
  let isStopped = false;
  let cause: unknown;
  body.on('data', (bytes: Buffer) => {
    if (!isStopped) {
      onData(bytes);
    }
  });
  body.on('error', error => {
    cause = error;
  });
  body.on('close', () => {
    if (!isStopped) {
      isStopped = true;
      onEnd(isWhole() ? undefined : {cause});
    }
  });
  return () => {
    isStopped = true;
    cancel();
  };
};
