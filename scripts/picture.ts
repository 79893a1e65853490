/**
 * Draws docs/picture.svg: the built demo in a terminal of 100×30, walked to a branch's log.
 * Run by `npm run picture`.
 */
import {writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {startPtyProgram} from '../test/support/pty-program.ts';
import {drawScreenSvg} from './screen-svg.ts';

/** The steps to the screen in the picture: wait for a text, then press keys. */
const walk: readonly {readonly see: string | RegExp; readonly press: readonly string[]}[] = [
  {see: /▸ shop/, press: ['Enter']},
  // The footer mentions deployed branches before any is listed.
  {see: /▸ .*deployed/, press: ['Enter']},
  {see: /GET +\//, press: []},
];

const [command, ...args] = process.argv.slice(2);
const program = startPtyProgram({
  ...(command === undefined ? {args: ['demo']} : {command, args}),
  columns: 100,
  rows: 30,
  env: {COLORTERM: 'truecolor'},
});
try {
  if (command === undefined) {
    for (const {see, press} of walk) {
      await program.waitFor(see);
      program.press(...press);
    }
    // The picture should show a log: most rows filled.
    await program.waitFor(rows => rows.filter(row => row !== '').length >= 25, {what: 'a screen full of lines'});
  } else {
    await program.waitFor(rows => rows.some(row => row !== ''), {what: 'anything on the screen'});
  }
  const file = join(import.meta.dirname, '../docs/picture.svg');
  const svg = drawScreenSvg(program.cells(), command === undefined ? 'branchlog demo' : basename(command));
  writeFileSync(file, svg);
  console.log(`docs/picture.svg: ${Math.round(svg.length / 1024)} kB`);
} finally {
  await program.close();
}
