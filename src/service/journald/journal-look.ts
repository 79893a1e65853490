import {type RunningCommand, runCommand} from '../command/run-command.ts';
import type {LineSourceContext} from '../line-source.ts';

/** Pause between two looks while no entry has come. */
const lookMs = 15_000;
/** Characters of its answer that are kept. */
const answerCharsMax = 1_000;

/** Looks for a journal on this machine: a `journalctl --follow` that finds none waits for one without a word. */
export type JournalLook = {
  /** Looks again if it is time. Not needed once an entry has come. */
  turn(): void;
  /** Says that there is none; undefined if there is one, or nobody has looked. */
  fault(): string | undefined;
  close(): Promise<void>;
};

/** `folder`: the folder that journalctl runs in. */
export const createJournalLook = (
  folder: string,
  {wake, monotonicMs}: Pick<LineSourceContext, 'wake' | 'monotonicMs'>,
): JournalLook => {
  let running: RunningCommand | undefined;
  let nextMs = Number.NEGATIVE_INFINITY;
  let answer = '';
  let fault: string | undefined;
  return {
    turn: () => {
      if (running && running.outcome() !== undefined) {
        running = undefined;
        fault = answer.includes('No journal files were found')
          ? 'journalctl found no journal on this machine'
          : undefined;
      }
      if (!running && monotonicMs() >= nextMs) {
        nextMs = monotonicMs() + lookMs;
        answer = '';
        running = runCommand({
          command: ['journalctl', '--lines=0', '--no-pager'],
          folder,
          onChange: wake,
          onErrorOutput: bytes => {
            answer = (answer + bytes.toString()).slice(0, answerCharsMax);
          },
        });
      }
    },
    fault: () => fault,
    close: async () => {
      await running?.stop();
    },
  };
};
