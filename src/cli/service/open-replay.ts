import {openReplayClient, type ReplayClient} from '../../api/recording/replay-client.ts';
import type {Clock} from '../io/io.ts';

/**
 * Opens the file of `--replay FILE`. `speed` is a factor, `Infinity` plays without pauses. Throws `RecordingError` for
 * a file that is not a recording.
 */
export const openReplay = (path: string, speed: number, {monotonicMs, sleep}: Clock): Promise<ReplayClient> =>
  openReplayClient({path, speed, monotonicMs, sleep});

/** Returns the clocks at the time of the recording, at the last played answer. */
export const createReplayClock = (client: ReplayClient, {sleep}: Clock): Clock => ({
  nowMs: () => client.recordedAtMs + client.positionMs,
  monotonicMs: () => client.positionMs,
  sleep,
});
