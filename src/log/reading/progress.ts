import {sanitise} from '#log/text/sanitise.ts';
import {pictureOfControl} from '#log/text/width.ts';
import {createLaidRow, type LaidLine} from './laid-row.ts';

/** What a program that overwrites its line clears it with. */
const clearing = /\u001b\[[0-2]?K/g;
const carriageReturn = pictureOfControl(0x0d);
const atEnd = new RegExp(`[${carriageReturn}\\s]+$`);

/**
 * Returns the states of a line that was overwritten, oldest first, as received: each carriage return begins another.
 * Fewer than two are none.
 */
export const statesOf = (received: string): readonly string[] => {
  const states = received.includes('\r')
    ? received
        .replace(clearing, '')
        .split('\r')
        .filter(state => state.trim() !== '')
    : [];
  return states.length < 2 ? [] : states;
};

/**
 * Lays out a line that was overwritten: its last state, as a terminal shows it, after a mark that others are left out.
 * `safe` is the line made safe.
 */
export const layOutProgress = (received: string, safe: string): LaidLine | undefined => {
  const last = statesOf(received).at(-1);
  if (last === undefined) {
    return undefined;
  }
  const end = safe.replace(atEnd, '').length;
  const start = safe.lastIndexOf(carriageReturn, end - 1);
  const row = createLaidRow(safe);
  row.show({start, end: start + 1}, true);
  row.show({start: start + 1, end, text: sanitise(last)});
  return row.line();
};
