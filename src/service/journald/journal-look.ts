import type {LineSourceContext} from '#service/served/line-source.ts';
import {type RunningCommand, runCommand} from '../command/run-command.ts';

/** Pause between two looks while no entry has come. */
const lookMs = 15_000;
/** Characters of its answer that are kept. */
const answerCharsMax = 1_000;

/**
 * Creates what looks for a journal on this machine, and for an entry in it: a `journalctl --follow` that finds no
 * journal waits for one without a word. `folder`: the folder that journalctl runs in. `choice`: its arguments that
 * choose the entries.
 */
export const createJournalLook = (
  {folder, choice}: {readonly folder: string; readonly choice: () => readonly string[]},
  {wake, monotonicMs}: Pick<LineSourceContext, 'wake' | 'monotonicMs'>,
) => {
  let running: RunningCommand | undefined;
  let nextMs = Number.NEGATIVE_INFINITY;
  let answer = '';
  let fault: string | undefined;
  let found: boolean | undefined;
  return {
    /** Looks again if it is time. Not needed once an entry has come. */
    turn: (): void => {
      if (running && running.outcome() !== undefined) {
        found = running.takeOutput().bytes.includes('"__CURSOR"');
        running = undefined;
        fault = answer.includes('No journal files were found')
          ? 'journalctl found no journal on this machine'
          : undefined;
      }
      if (!running && monotonicMs() >= nextMs) {
        nextMs = monotonicMs() + lookMs;
        answer = '';
        running = runCommand({
          command: [
            'journalctl',
            '--lines=1',
            '--no-pager',
            '--output=json',
            '--output-fields=MESSAGE_ID',
            ...choice(),
          ],
          folder,
          onChange: wake,
          onErrorOutput: bytes => {
            answer = (answer + bytes.toString()).slice(0, answerCharsMax);
          },
        });
      }
    },
    /** Whether there was an entry; undefined until the first look has ended. */
    found: (): boolean | undefined => found,
    /** Says that there is none; undefined if there is one, or nobody has looked. */
    fault: (): string | undefined => fault,
    close: async (): Promise<void> => {
      await running?.stop();
    },
  };
};
