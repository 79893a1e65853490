import type {UserCall} from '#app/parts/call-user.ts';
import {runNotifyCommand} from '#cli/io/run-notify-command.ts';

/** At most one run in this time, of all logs in memory, however much goes wrong. */
const notifyPauseMs = 30_000;

type NotifierOptions = {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly clock: {monotonicMs(): number; nowMs(): number};
};

/**
 * Returns what runs the user's command for a call, one run at a time. A call that comes too soon is only counted: the
 * next record says how many there were. Resolves with a sentence if the command failed.
 */
export const createNotifier = ({command, env, clock}: NotifierOptions) => {
  let isRunning = false;
  let nextMs = Number.NEGATIVE_INFINITY;
  let skipped = 0;
  return async ({why, text, siteId, branch}: UserCall): Promise<string | undefined> => {
    if (isRunning || clock.monotonicMs() < nextMs) {
      skipped += 1;
      return undefined;
    }
    const at = new Date(clock.nowMs()).toISOString();
    const record = {kind: 'call', why, site: siteId, branch, at, text, skipped};
    skipped = 0;
    isRunning = true;
    nextMs = clock.monotonicMs() + notifyPauseMs;
    try {
      return await runNotifyCommand({command, records: [record], env});
    } finally {
      isRunning = false;
    }
  };
};
