import type {Io, Say} from '#cli/io/io.ts';
import type {NamedLog} from '#cli/open/open-named.ts';
import {parseInstant} from '#log/line/instant.ts';
import {cellWidth} from '#log/text/width.ts';
import {openedId} from '#service/files/opened-backend.ts';
import {createLineFormatter, printTheme} from './line-text.ts';

/** Until all of a pipe has come, it is looked at this often, milliseconds. */
const lookMs = 20;

/**
 * Prints a log that fits on the screen, with a row to spare for the shell. Waits until all of it has come, or more than
 * fits. Returns whether it was printed.
 */
export const printSmall = async ({client, isReadToEnd}: NamedLog, io: Io, say: Say): Promise<boolean> => {
  const {columns = 80, rows = 24} = process.stdout;
  const formatLine = createLineFormatter({colour: 'own', theme: printTheme(io), timestamps: 'none'});
  for (;;) {
    const isWhole = isReadToEnd();
    const {lines, endings} = (await client.fetchLog(openedId, openedId)).value;
    const texts = Array.from(lines, line => line.slice(line.indexOf(' ') + 1));
    const rowCount = texts.reduce((sum, text) => sum + Math.max(1, Math.ceil(cellWidth(text) / columns)), 0);
    if (rowCount >= rows) {
      return false;
    }
    if (isWhole) {
      for (const raw of lines) {
        const textIndex = raw.indexOf(' ') + 1;
        const at = parseInstant(raw.slice(0, textIndex - 1)) ?? 0n;
        io.stdout.write(`${formatLine({kind: 'line', id: 0, at, raw, textIndex, late: false})}\n`);
      }
      for (const [name, ending] of endings ?? []) {
        if (ending !== 'ended') {
          say(`${name} ${ending}`);
        }
      }
      return true;
    }
    await io.clock.sleep(lookMs);
  }
};
