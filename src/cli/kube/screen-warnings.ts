import type {Say} from '#cli/io/notices.ts';

/** Warnings that are kept for the end; the oldest give way. */
const keptMax = 100;

/** Warnings while screens are open, which stderr would be written over. */
export type ScreenWarnings = {
  readonly warn: Say;
  /** The screens are open: they get the last warning so far, and all from now on. */
  show(notice: Say): void;
  /** Says all again once the terminal is restored: a key may hide a notice before it is read. */
  repeat(say: Say): void;
};

/** Creates an empty list of warnings. */
export const createScreenWarnings = (): ScreenWarnings => {
  const kept = new Set<string>();
  let notice: Say | undefined;
  return {
    warn: sentence => {
      const [oldest] = kept;
      if (kept.size >= keptMax && oldest !== undefined) {
        kept.delete(oldest);
      }
      kept.add(sentence);
      notice?.(sentence);
    },
    show: given => {
      notice = given;
      const last = [...kept].at(-1);
      if (last !== undefined) {
        given(last);
      }
    },
    repeat: say => kept.forEach(sentence => void say(sentence)),
  };
};
