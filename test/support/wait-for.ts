import {setTimeout as delay} from 'node:timers/promises';

type WaitOptions = {
  /** Completes the sentence "Waited in vain for …". */
  readonly what: string;
  readonly deadlineMs?: number;
};

/**
 * Waits until `read` answers something other than undefined, null and false, and answers that. It looks again every
 * few milliseconds; where there is an event to wait on, wait on the event instead.
 */
export const waitFor = async <Value>(
  read: () => Value | Promise<Value>,
  {what, deadlineMs = 10_000}: WaitOptions,
): Promise<NonNullable<Exclude<Value, false>>> => {
  const endMs = performance.now() + deadlineMs;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== null && value !== false) {
      return value as NonNullable<Exclude<Value, false>>;
    }
    if (performance.now() > endMs) {
      throw new Error(`Waited in vain for ${what} (${deadlineMs} ms).`);
    }
    await delay(5);
  }
};
