/**
 * Measures what the resident memory of the built program does while it follows a log whose oldest lines leave all the
 * time: how much a full buffer adds, and how fast memory goes on growing. At 30,000 lines a second an hour of 1,000
 * lines a second takes two minutes. Linux only: it reads /proc. Run with `node bench/growth.ts [--minutes N]
 * [--lines-per-second N] [--window N] [--buffer-mb N]`.
 */
import {createServer} from 'node:http';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {makeBody} from './bodies.ts';
import {printFigure} from './measure.ts';
import {listing, startScreens} from './start-screens.ts';
import {residentMbOf} from './terminal/process-cost.ts';

const {values} = parseArgs({
  options: {
    minutes: {type: 'string', default: '10'},
    'lines-per-second': {type: 'string', default: '30000'},
    window: {type: 'string', default: '10000'},
    'buffer-mb': {type: 'string', default: '16'},
  },
});
const minutes = Number(values.minutes);
const linesPerSecond = Number(values['lines-per-second']);
const windowLines = Number(values.window);
const bufferMb = Number(values['buffer-mb']);

/** An hour is one of 1,000 lines a second; growth counts after ten minutes of it. */
const linesAnHour = 3_600_000;
const linesBeforeGrowth = linesAnHour / 6;
/** The log that the full one is compared with. */
const firstLines = 100;
const settleMs = 15_000;
const sampleMs = 1000;

let startedAtMs: number | undefined;
let polls = 0;
const written = (): number =>
  startedAtMs === undefined
    ? firstLines
    : firstLines + Math.floor(((performance.now() - startedAtMs) / 1000) * linesPerSecond);

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url?.endsWith('/logs')) {
    polls += 1;
    const end = written();
    response.end(makeBody(Math.max(0, end - windowLines), end));
  } else {
    response.end(listing);
  }
});

type Sample = {readonly hours: number; readonly mb: number};

/** Returns the slope of the line with the smallest squares, in MB an hour. */
const slopeOf = (samples: readonly Sample[]): number => {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, each) => sum + of(each), 0) / samples.length;
  const [hours, mb] = [mean(each => each.hours), mean(each => each.mb)];
  const above = samples.reduce((sum, each) => sum + (each.hours - hours) * (each.mb - mb), 0);
  return above / samples.reduce((sum, each) => sum + (each.hours - hours) ** 2, 0);
};

const {program, close} = await startScreens(server, {bufferMb});
// Unread output would eventually block the program.
program.onData(() => {});
try {
  while (polls === 0) {
    program.write('\r');
    await sleep(sampleMs);
  }
  await sleep(settleMs);
  const short = residentMbOf(program.pid);
  startedAtMs = performance.now();
  const samples: Sample[] = [];
  while (performance.now() - startedAtMs < minutes * 60_000) {
    await sleep(sampleMs);
    samples.push({hours: written() / linesAnHour, mb: residentMbOf(program.pid)});
    if (samples.length % 30 === 0) {
      const {hours, mb} = samples.at(-1) ?? {hours: 0, mb: 0};
      console.log(`${hours.toFixed(2)} h: ${mb.toFixed(0)} MB, ${polls} polls`);
    }
  }
  const late = samples.filter(({hours}) => hours * linesAnHour > linesBeforeGrowth);
  const most = Math.max(...late.map(({mb}) => mb));
  const pace = `${linesPerSecond.toLocaleString('en-US')} lines/s`;
  console.log(`${firstLines} lines: ${short.toFixed(0)} MB; ${pace}: at most ${most.toFixed(0)} MB`);
  printFigure({
    what: `a full buffer of ${bufferMb} MB beside a short log, ${pace}`,
    value: most - short,
    unit: 'MB',
    must: bufferMb + 16,
  });
  printFigure({what: 'growth an hour of 1,000 lines/s, after ten minutes', value: slopeOf(late), unit: 'MB', must: 1});
} finally {
  close();
}
process.exit(0);
