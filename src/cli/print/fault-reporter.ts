import type {ApiError} from '#api/client/api-error.ts';
import {formatElapsed} from '#cli/format/format-elapsed.ts';
import type {Clock} from '#cli/io/io.ts';
import type {Say} from '#cli/io/notices.ts';
import {formatClock, instantFromMs} from '#log/line/instant.ts';

/** Numbers in the message of the same error may differ between retries (a byte offset, seconds left). */
const faultIdentity = (error: ApiError): string =>
  `${error.kind} ${error.status ?? ''} ${error.message.replace(/\d+/g, '#')}`;

/**
 * Creates what reports an error in one line when it begins, changes or ends, and not for each retry. Times are UTC by
 * the machine's clock: when this program saw the error.
 */
export const createFaultReporter = (say: Say, clock: Clock) => {
  let fault: {readonly identity: string; readonly sinceMs: number} | undefined;
  const time = () => formatClock(instantFromMs(clock.nowMs()));
  return {
    failed: (error: ApiError): void => {
      const identity = faultIdentity(error);
      if (identity !== fault?.identity) {
        fault = {identity, sinceMs: fault?.sinceMs ?? clock.monotonicMs()};
        say(`${time()} ${error.message}, retrying`);
      }
    },
    recovered: (): void => {
      if (fault) {
        say(`${time()} recovered after ${formatElapsed(clock.monotonicMs() - fault.sinceMs)}`);
        fault = undefined;
      }
    },
  };
};
