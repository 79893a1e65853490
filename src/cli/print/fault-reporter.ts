import type {ApiError} from '../../api/api-error.ts';
import {formatClock, instantFromMs} from '../../log/line/instant.ts';
import {formatElapsed} from '../format/format-elapsed.ts';
import type {Clock} from '../io/io.ts';
import type {Say} from '../io/notices.ts';

/** One line when a fault begins, changes or ends, and none for each of its tries. */
export type FaultReporter = {failed(error: ApiError): void; recovered(): void};

/** Numbers in a message may differ from try to try (a byte's place, seconds left) though the fault is the same. */
const faultIdentity = (error: ApiError): string =>
  `${error.kind} ${error.status ?? ''} ${error.message.replace(/\d+/g, '#')}`;

/** Times are the machine's own clock in UTC: it is when this program saw the fault. */
export const createFaultReporter = (say: Say, clock: Clock): FaultReporter => {
  let fault: {readonly identity: string; readonly sinceMs: number} | undefined;
  const time = () => formatClock(instantFromMs(clock.nowMs()));
  return {
    failed: error => {
      const identity = faultIdentity(error);
      if (identity !== fault?.identity) {
        fault = {identity, sinceMs: fault?.sinceMs ?? clock.monotonicMs()};
        say(`${time()} ${error.message}, retrying`);
      }
    },
    recovered: () => {
      if (fault) {
        say(`${time()} recovered after ${formatElapsed(clock.monotonicMs() - fault.sinceMs)}`);
        fault = undefined;
      }
    },
  };
};
