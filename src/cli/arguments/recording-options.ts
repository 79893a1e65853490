import type {Say} from '#cli/io/notices.ts';
import {UsageError} from '#cli/io/usage-error.ts';
import {flagValue, type ParsedArguments} from './args.ts';

/** Slower playback than a hundredth is of no use; for faster than the maximum there is `max`. */
const speedMin = 0.01;
const speedMax = 10_000;

/** `Infinity` plays without pauses. */
const readSpeed = (parsed: ParsedArguments): number => {
  const value = flagValue(parsed, 'speed');
  if (value === undefined) {
    return 1;
  }
  if (value === 'max') {
    return Number.POSITIVE_INFINITY;
  }
  const speed = /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : 0;
  if (speed < speedMin || speed > speedMax) {
    throw new UsageError(`--speed: expected a factor from ${speedMin} to ${speedMax}, or max, got "${value}"`);
  }
  return speed;
};

/**
 * Reads the flags that make and play recordings: the file to write one to, the one to play, and how fast relative to
 * the recording. Throws `UsageError`; reports a flag without effect through `say`.
 */
export const readRecordingOptions = (parsed: ParsedArguments, say: Say) => {
  const recordPath = flagValue(parsed, 'record');
  const replayPath = flagValue(parsed, 'replay');
  if (recordPath !== undefined && replayPath !== undefined) {
    throw new UsageError('--record and --replay cannot be combined: remove one of them');
  }
  const speed = readSpeed(parsed);
  if (replayPath === undefined && parsed.values.has('speed')) {
    say('--speed has no effect without --replay');
  }
  return {recordPath, replayPath, speed};
};
