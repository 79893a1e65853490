/**
 * Draws the pictures of the documents: the built demo in a terminal of 100×30, walked through a log, once on a dark
 * and once on a light background. Run by `npm run picture`.
 */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {startPtyProgram} from '../test/support/pty-program.ts';
import {type Background, drawScreenSvg} from './screen-svg.ts';

type Step = {
  /** What to wait for, then the keys to press. */
  readonly see: string | RegExp;
  readonly press?: readonly string[];
  /** Draws the screen that was waited for, to this file of docs/ without its ending. */
  readonly draw?: string;
};

// The demo begins with an incident three minutes before its start.
const incidentWalk: readonly Step[] = [
  {see: /▸ shop/, press: ['Enter']},
  // The footer mentions deployed branches before any is listed.
  {see: /▸ .*deployed/, draw: 'on-call/branches', press: ['Enter']},
  {see: /(?:.*\d\d:\d\d:\d\d\.\d{3} .*\n){20}/, draw: 'picture', press: ['I']},
  {see: /Errors +\d.*→/, draw: 'on-call/incident', press: ['Esc', '<']},
  {see: 'a peak:', draw: 'on-call/peak', press: ['M']},
  {see: 'note', press: [...'gateway times out first', 'Enter']},
  {see: 'marked;', press: ['P']},
  {see: 'pods run', draw: 'on-call/pods', press: ['Esc', 'u']},
  // Without "48 % read": the count is complete.
  {see: /summary of [\d,]+ lines {3}\d\d:/, draw: 'on-call/summary'},
];

// A burst comes every 20 s, faster than any window.
const gapWalk: readonly Step[] = [
  {see: /▸ shop/, press: ['Enter']},
  {see: /▸ .*deployed/, press: ['Enter']},
  {see: /\d gaps?, whole since/, press: [':', 'previous gap', 'Enter']},
  {see: 'possible gap', draw: 'gap'},
];

const walks = [
  {args: ['demo'], steps: incidentWalk},
  {args: ['demo', 'burst'], steps: gapWalk},
];

const docs = join(import.meta.dirname, '../docs');
mkdirSync(join(docs, 'on-call'), {recursive: true});

/** The environment tells the program the background, as some terminals do. */
const backgrounds: Readonly<Record<Background, {readonly ending: string; readonly colours: string}>> = {
  dark: {ending: '.svg', colours: '15;0'},
  light: {ending: '-light.svg', colours: '0;15'},
};

const drawWalk = async ({args, steps}: (typeof walks)[number], background: Background): Promise<void> => {
  const {ending, colours} = backgrounds[background];
  const env = {COLORTERM: 'truecolor', COLORFGBG: colours};
  const program = startPtyProgram({args, columns: 100, rows: 30, env});
  try {
    for (const {see, draw, press = []} of steps) {
      await program.waitFor(see, {deadlineMs: 60_000});
      if (draw !== undefined) {
        const svg = drawScreenSvg(program.cells(), `branchlog ${args.join(' ')}`, background);
        writeFileSync(join(docs, `${draw}${ending}`), svg);
        console.log(`docs/${draw}${ending}: ${Math.round(svg.length / 1024)} kB`);
      }
      program.press(...press);
    }
  } finally {
    await program.close();
  }
};

for (const background of ['dark', 'light'] as const) {
  for (const each of walks) {
    await drawWalk(each, background);
  }
}
