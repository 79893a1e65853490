/**
 * Draws pictures of the built demo, each for a dark and a light background. Run by `npm run pictures`: those of the
 * documents, at 100×30; with `-- FOLDER`, every screen at 80×24 and 120×35 into that folder instead, to look at, also as
 * it is where the program knows of no background.
 */
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {type PtyProgram, startPtyProgram} from '../test/support/pty-program.ts';
import {type Background, drawScreenSvg} from './screen-svg.ts';

type Step = {
  /** What to wait for, then the keys to press. */
  readonly see: string | RegExp;
  readonly press?: readonly string[];
  /** The name of the screen that was waited for; left out, it is not drawn. */
  readonly name?: string;
};

type Walk = {readonly args: readonly string[]; readonly steps: readonly Step[]};

/** Pictures of the documents, below `docs/`, by the names of their screens. */
const documented: Readonly<Record<string, string>> = {
  branches: 'on-call/branches',
  log: 'on-call/log',
  incident: 'picture',
  peak: 'on-call/peak',
  pods: 'on-call/pods',
  summary: 'on-call/summary',
  gap: 'gap',
};

const logRows = /(?:.*\d\d:\d\d:\d\d\.\d{3} .*\n){14}/;

const walks: readonly Walk[] = [
  {
    // The demo begins with an incident three minutes before its start.
    args: ['demo'],
    steps: [
      {see: /▸ shop/, name: 'sites', press: ['Enter']},
      // With the errors of the last minutes, which are counted once the branches are there.
      {see: /checked (?:just now|\d)/, name: 'branches', press: ['/', ...'master', 'Enter']},
      {see: logRows, name: 'log', press: ['I']},
      {see: /errors +\d.*→/, name: 'incident', press: ['Esc', '<']},
      {see: 'a peak:', name: 'peak', press: ['M']},
      {see: 'note', press: [...'gateway times out first', 'Enter']},
      {see: 'marked;', press: ['P']},
      {see: 'pods run', name: 'pods', press: ['Esc', 'u']},
      // Without "48 % read": the count is complete.
      {see: /summary of [\d,]+ lines {3}\d\d:/, name: 'summary', press: ['Esc', 'Enter']},
      {see: /Tab/, name: 'opened-line', press: ['Esc', '/', ...'timeout', 'Enter']},
      {see: /\d of \d+/, name: 'search', press: ['Esc', 'f', ...'upstream', 'Enter']},
      {see: /filter +\+ upstream/, press: ['&']},
      {see: /^ 1 filter/m, name: 'filters', press: ['Esc', 'X', ':', ...'columns', 'Enter']},
      {see: /of the newest/, name: 'columns', press: ['Esc', 'i']},
      {see: 'polls', name: 'polls', press: ['Esc', 'p']},
      {see: 'sources', name: 'sources', press: ['Esc', ':']},
      {see: /mark|copy|filter/, name: 'palette', press: ['Esc', '?']},
      {see: 'Keys on the log screen', name: 'help'},
    ],
  },
  {
    // A burst comes every 20 s, faster than any window.
    args: ['demo', 'burst'],
    steps: [
      {see: /▸ shop/, press: ['Enter']},
      {see: /● master/, press: ['/', ...'master', 'Enter']},
      {see: /\d gaps?, whole since/, press: [':', 'previous gap', 'Enter']},
      {see: 'possible gap', name: 'gap'},
    ],
  },
];

type Size = {readonly columns: number; readonly rows: number};
type Place = (name: string, ending: string) => string | undefined;

/** `COLORFGBG` tells the program the background, as some terminals do. */
type Ground = {
  readonly background: Background;
  readonly ending: string;
  readonly env: Readonly<Record<string, string>>;
};

const known: readonly Ground[] = [
  {background: 'dark', ending: '.svg', env: {COLORFGBG: '15;0'}},
  {background: 'light', ending: '-light.svg', env: {COLORFGBG: '0;15'}},
];

const unknown: readonly Ground[] = [
  {background: 'dark', ending: '-unknown.svg', env: {}},
  {background: 'light', ending: '-unknown-light.svg', env: {}},
];

const pauseMs = 120;
/** A log that never pauses is drawn as it is. */
const pausesMax = 20;

/** Waits for a pause in what is drawn: a frame may come in several pieces. */
const settle = async (program: PtyProgram): Promise<void> => {
  let before = -1;
  for (let count = 0; count < pausesMax && before !== program.bytesReceived(); count += 1) {
    before = program.bytesReceived();
    await delay(pauseMs);
  }
};

const drawWalk = async ({args, steps}: Walk, size: Size, ground: Ground, placeOf: Place): Promise<void> => {
  const {background, ending, env} = ground;
  const program = startPtyProgram({args, ...size, env: {COLORTERM: 'truecolor', ...env}});
  try {
    for (const {see, name, press = []} of steps) {
      await program.waitFor(see, {deadlineMs: 60_000});
      const path = name && placeOf(name, ending);
      if (path) {
        await settle(program);
        mkdirSync(dirname(path), {recursive: true});
        const svg = drawScreenSvg(program.cells(), `branchlog ${args.join(' ')}`, background);
        writeFileSync(path, svg);
        console.log(`${path}: ${Math.round(svg.length / 1024)} kB`);
      }
      program.press(...press);
    }
  } finally {
    await program.close();
  }
};

const drawAll = async (size: Size, grounds: readonly Ground[], placeOf: Place): Promise<void> => {
  for (const ground of grounds) {
    for (const walk of walks) {
      await drawWalk(walk, size, ground, placeOf);
    }
  }
};

const folder = process.argv[2];
if (folder === undefined) {
  const docs = join(import.meta.dirname, '../docs');
  await drawAll({columns: 100, rows: 30}, known, (name, ending) => {
    const path = documented[name];
    return path && join(docs, `${path}${ending}`);
  });
} else {
  for (const size of [
    {columns: 80, rows: 24},
    {columns: 120, rows: 35},
  ]) {
    await drawAll(size, [...known, ...unknown], (name, ending) =>
      join(folder, `${size.columns}x${size.rows}`, `${name}${ending}`),
    );
  }
}
