/**
 * Compares the log engine with `JSON.parse` of the same bodies, as ratios within one run. A poll is everything that the
 * program does with an answer: bytes to text, text to lines, lines into the buffer. Run by `npm run bench`.
 */

import {createLogBodyReader} from '#api/client/body/log-body-reader.ts';
import {parseBody} from '#api/client/body/parse-body.ts';
import {decodeLogInSteps} from '#api/client/decode-log.ts';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takingWindow} from '#log/ingest/take-window.ts';
import {finishWork} from '#log/work.ts';
import {makeBody} from './bodies.ts';
import {median, printFigure, timeMs} from './measure.ts';

const bufferBytesMax = 256 * 1024 * 1024;
const rounds = 60;
const warmUpRounds = 10;

const createPoller = () => {
  const reader = createLogBodyReader();
  let log: BranchLog = createBranchLog(bufferBytesMax);
  return {
    poll: (body: Buffer): void => {
      const {json} = finishWork(parseBody(body, {}, 'bench', reader.read));
      const {value} = finishWork(decodeLogInSteps(json));
      log = finishWork(takingWindow(log, value)).log;
    },
    log: () => log,
  };
};

const parsePlainly = (body: Buffer): unknown => JSON.parse(body.toString('utf8'));

/** Ratios per round, so that a machine with varying speed affects both alike. */
const compare = (work: (round: number) => number, baseline: (round: number) => number): number => {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const baselineMs = baseline(round);
    const workMs = work(round);
    if (round >= warmUpRounds) {
      ratios.push(workMs / baselineMs);
    }
  }
  return median(ratios);
};

const benchPoll = (): void => {
  const bodies = Array.from({length: rounds}, (_, round) => makeBody(round * 500, round * 500 + 5000));
  const poller = createPoller();
  const ratio = compare(
    round => timeMs(() => poller.poll(bodies[round] ?? Buffer.alloc(0))),
    round => timeMs(() => parsePlainly(bodies[round] ?? Buffer.alloc(0))),
  );
  printFigure({
    what: 'a poll of 5,000 lines, 10 % new, beside JSON.parse',
    value: ratio,
    unit: '×',
    must: 1.3,
    aim: 1.1,
  });
};

const firstLines = 20_000;

const benchFirstWindow = (what: string, body: Buffer): void => {
  const ratio = compare(
    () => timeMs(() => createPoller().poll(body)),
    () => timeMs(() => parsePlainly(body)),
  );
  printFigure({what, value: ratio, unit: '×', must: 3, aim: 2});
};

/** Numbers the lines of a body, which two sources write in turns. */
const numberBody = (body: Buffer, lineCount: number): Buffer => {
  const runs = Array.from({length: lineCount}, (_, index) => [index % 2, 1]);
  const sources = [
    {pod: 'web-0', container: 'php'},
    {pod: 'web-0', container: 'nginx'},
  ];
  const branchlog = {series: 'bench', first: 1, runs, sources, losses: []};
  return Buffer.concat([body.subarray(0, -1), Buffer.from(`,"branchlog":${JSON.stringify(branchlog)}}`)]);
};

const windowLines = 50_000;
const newLines = 40_000;
const polls = 25;

const ingestMillion = (): {readonly pollMs: readonly number[]; readonly log: BranchLog} => {
  const poller = createPoller();
  const pollMs: number[] = [];
  for (let poll = 0; poll < polls; poll++) {
    const body = makeBody(poll * newLines, poll * newLines + windowLines);
    pollMs.push(timeMs(() => poller.poll(body)));
  }
  return {pollMs, log: poller.log()};
};

const benchIngest = (): void => {
  ingestMillion();
  const {pollMs, log} = ingestMillion();
  // The first poll parses its whole body, so the first tenth starts after it.
  const tenth = Math.ceil(polls / 10);
  // Take the fastest of each: the cost of a poll, not of other work on the machine.
  const first = Math.min(...pollMs.slice(1, 1 + tenth));
  const last = Math.min(...pollMs.slice(-tenth));
  printFigure({
    what: `ingest of ${log.buffer.lineCount.toLocaleString('en-US')} lines: the last tenth beside the first`,
    value: last / first,
    unit: '×',
    must: 1.2,
  });
};

benchPoll();
benchFirstWindow('a first window of 20,000 lines, likewise', makeBody(0, firstLines));
benchFirstWindow('the same with numbers and two sources', numberBody(makeBody(0, firstLines), firstLines));
benchIngest();
