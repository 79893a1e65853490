/**
 * Measures how long the built program keeps a key waiting while each answer brings 60 MB: all of it new, or all but a
 * little known. At 200×60 on a pseudo-terminal; the service runs in this process, the program in its own. Run by
 * `npm run bench`, or with `node bench/flood.ts [KIND…]`.
 */
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {setTimeout as delay, setImmediate} from 'node:timers/promises';
import {lineBytes, makeLine} from './bodies.ts';
import {printFigure} from './measure.ts';
import {listing, startScreens} from './start-screens.ts';
import {peakMbOf} from './terminal/process-cost.ts';
import {quantile} from './terminal/quantile.ts';

const linesPerBody = 380_000;
const bufferMb = 64;
const measuredMs = 20_000;
const keyPauseMs = 97;

/** How many lines of each answer the one before did not have. */
const kinds: Readonly<Record<string, number>> = {'all new': linesPerBody, 'mostly known': 100};

const front = Buffer.from('{"podNamesList":[{"name":"web-0","resourceVersion":"1","metadata":{}}],"data":[');
const end = Buffer.from('],"sessionId":"bench"}');
/** A line in quotes, and a comma. */
const itemBytes = lineBytes + 3;

/** So few lines are written at a time that this process, which measures, is not held up. */
const linesAtOnce = 200;

const lineOf = (index: number): string => makeLine(index).replaceAll('"', "'");

/** Prepares each body after the one before was sent, a little at a time: its last lines are new. */
const createBodies = (newLines: number) => {
  const items = Buffer.from(Array.from({length: linesPerBody}, (_, index) => JSON.stringify(lineOf(index))).join(','));
  let last = linesPerBody;
  const prepare = async (): Promise<Buffer> => {
    items.copyWithin(0, newLines * itemBytes);
    for (let index = linesPerBody - newLines; index < linesPerBody; index += 1) {
      items.write(lineOf(last), index * itemBytes + 1);
      last += 1;
      if (index % linesAtOnce === 0) {
        await setImmediate();
      }
    }
    return items;
  };
  let next = prepare();
  return {
    take: (): Promise<Buffer> => next,
    /** The body that was taken was sent. */
    sent: (): void => {
      next = prepare();
    },
  };
};

/**
 * A module that appends the longest turn of the event loop to a file, again and again: its processor time, which holds
 * on a busy machine too, and the time it took, both in milliseconds.
 */
const probe = (file: string): string =>
  `data:text/javascript,${encodeURIComponent(`
    import {appendFileSync} from 'node:fs';
    const read = () => {
      const {user, system} = process.threadCpuUsage();
      return [(user + system) / 1000, performance.now()];
    };
    let before = read();
    let longest = [0, 0];
    const turn = () => {
      const now = read();
      longest = longest.map((ms, index) => Math.max(ms, now[index] - before[index]));
      before = now;
      setImmediate(turn);
    };
    turn();
    setInterval(() => {
      appendFileSync(${JSON.stringify(file)}, longest.map(Math.round).join(' ') + '\\n');
      longest = [0, 0];
      before = read();
    }, 500);`)}`;

/** Returns the longest turns so far: processor time, time. */
const readTurns = (file: string): readonly (readonly number[])[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(row => row.split(' ').map(Number));

const longestOf = (turns: readonly (readonly number[])[], index: number): number =>
  Math.max(...turns.map(turn => turn[index] ?? 0));

const main = async (kind: string, newLines: number): Promise<void> => {
  const bodies = createBodies(newLines);
  let polls = 0;
  let listings = 0;
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.endsWith('/logs')) {
      response.write(front);
      response.write(await bodies.take());
      polls += 1;
      response.end(end, bodies.sent);
    } else {
      listings += 1;
      response.end(listing);
    }
  });
  let turnsFile = '';
  const {program, close} = await startScreens(server, {
    bufferMb,
    nodeArgs: home => {
      turnsFile = join(home, 'turns');
      return ['--import', probe(turnsFile)];
    },
  });
  let lastOutputAtMs = 0;
  program.onData(() => {
    lastOutputAtMs = performance.now();
  });
  try {
    while (polls === 0) {
      await delay(200);
      if (listings > 0) {
        program.write('\r');
      }
    }
    while (polls < 3) {
      await delay(50);
    }
    const turnsBefore = readTurns(turnsFile).length + 1;
    const pollsBefore = polls;
    const times: number[] = [];
    const endMs = performance.now() + measuredMs;
    while (performance.now() < endMs) {
      const pressedAtMs = performance.now();
      // The form of the lines: a key that always changes the screen.
      program.write('R');
      while (lastOutputAtMs < pressedAtMs && performance.now() < pressedAtMs + 5000) {
        await delay(1);
      }
      times.push(performance.now() - pressedAtMs);
      await delay(keyPauseMs);
    }
    const turns = readTurns(turnsFile).slice(turnsBefore);
    console.log(
      `${kind}: ${polls - pollsBefore} answers, ${times.length} keys, turns ${turns.map(row => row.join('/')).join(' ')}, peak ${peakMbOf(program.pid).toFixed(0)} MB`,
    );
    const what = `answers of 60 MB, ${kind}`;
    printFigure({what: `${what}: longest turn, processor`, value: longestOf(turns, 0), unit: 'ms', must: 50});
    printFigure({what: `${what}: longest turn`, value: longestOf(turns, 1), unit: 'ms', must: 50});
    printFigure({what: `${what}: a key, p50`, value: quantile(times, 0.5), unit: 'ms', must: 50});
    printFigure({what: `${what}: a key, longest`, value: Math.max(...times), unit: 'ms', must: 60});
  } finally {
    close();
  }
};

const names = process.argv.slice(2);
for (const [kind, newLines] of Object.entries(kinds)) {
  if (names.length === 0 || names.includes(kind)) {
    await main(kind, newLines);
  }
}
process.exit(0);
