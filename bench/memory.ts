/**
 * Measures the resident memory of the built program holding a million lines, at 200×60 on a pseudo-terminal. The
 * service runs in this process, the program in its own. Linux only: it reads /proc. Run by `npm run bench`, or with
 * `node bench/memory.ts WINDOW_LINES`.
 */
import {createServer} from 'node:http';
import {makeBody} from './bodies.ts';
import {printFigure} from './measure.ts';
import {listing, startScreens} from './start-screens.ts';
import {peakMbOf, residentMbOf} from './terminal/process-cost.ts';

const windowLines = Number(process.argv[2] ?? 50_000);
/** A fifth of each window overlaps. */
const newLines = 0.8 * windowLines;
const linesHeld = 1_000_000;
const bufferMb = 256;

let polls = 0;
let listingsAnswered = 0;
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url?.endsWith('/logs')) {
    const start = Math.min(polls * newLines, linesHeld - windowLines);
    polls += 1;
    response.end(makeBody(start, start + windowLines));
  } else {
    response.end(listing, () => {
      listingsAnswered += 1;
    });
  }
});

/** Two and a half times the longest wait on an idle machine. */
const untilMs = 100_000;

/** Waits for a condition, running an action once a second meanwhile. */
const until = async (what: string, holds: () => boolean, everySecond: () => void = () => {}): Promise<void> => {
  const startMs = performance.now();
  let doneSeconds = -1;
  while (!holds()) {
    const waitedMs = performance.now() - startMs;
    if (waitedMs > untilMs) {
      throw new Error(`Waited in vain for ${what} (${untilMs} ms; ${polls} windows were asked for).`);
    }
    if (Math.floor(waitedMs / 1000) > doneSeconds) {
      doneSeconds = Math.floor(waitedMs / 1000);
      everySecond();
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
};

const main = async (): Promise<void> => {
  const {program, close} = await startScreens(server, {bufferMb});
  // Unread output would eventually block the program.
  program.onData(() => {});
  try {
    // The screen is no reliable sign: only changed cells are sent, and the key hints contain any word that a list
    // might. The service's requests are. Enter does nothing until the list is drawn, and nothing on the log.
    await until('the branches to be asked for', () => listingsAnswered > 0);
    const started = residentMbOf(program.pid);
    await until(
      'the log to be asked for',
      () => polls > 0,
      () => program.write('\r'),
    );
    await until('all lines to be sent', () => polls * newLines >= linesHeld + 2 * newLines);
    const full = residentMbOf(program.pid);
    const windows = `windows of ${windowLines.toLocaleString('en-US')}`;
    printFigure({what: `the program just started`, value: started, unit: 'MB', must: 90, aim: 70});
    printFigure({
      what: `the program, ${linesHeld.toLocaleString('en-US')} lines × 155 bytes, ${windows} (peak ${peakMbOf(program.pid).toFixed(0)} MB)`,
      value: full,
      unit: 'MB',
      must: 240,
      aim: 200,
    });
  } finally {
    close();
  }
};

await main();
process.exit(0);
