import {openReplayClient, type ReplayClient} from '../../api/recording/replay-client.ts';
import type {Clock} from '../io/io.ts';

/** Opens the file of `--replay FILE`. `speed` is a factor, `Infinity` for at once. Throws `RecordingError` for a file that is no recording. */
export const openReplay = (path: string, speed: number, {monotonicMs, sleep}: Clock): Promise<ReplayClient> =>
  openReplayClient({path, speed, monotonicMs, sleep});

/** The clocks as they stood when the recording was made, at the answer played last. */
export const createReplayClock = (client: ReplayClient, {sleep}: Clock): Clock => ({
  nowMs: () => client.recordedAtMs + client.positionMs,
  monotonicMs: () => client.positionMs,
  sleep,
});
