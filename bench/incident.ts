/**
 * Prints the table of what must hold of the verdicts: how many drawn logs fail each measure of each row. `SEED=n` draws
 * others, `--verbose` tells of each log that fails, `--only NAME` judges one row; then what a million lines take
 * (`--million`: only that).
 */

import {findIncident} from '#log/incident/find-incident.ts';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {noShapes, type ShapeTable, takeShapes} from '#log/traits/shape-table.ts';
import {finishWork} from '#log/work.ts';
import type {Row} from '../test/log/incident/simulation/drawn-case.ts';
import {judgeOne, rows} from '../test/log/incident/simulation/table.ts';
import {missedWord, printFigure} from './measure.ts';

const seed = Number(process.env.SEED ?? 1);
const isVerbose = process.argv.includes('--verbose');
const onlyIndex = process.argv.indexOf('--only');
const only = onlyIndex === -1 ? undefined : process.argv[onlyIndex + 1];
const linesMax = 10_000;

/** As the pane renews itself: after so many times what it took before, in milliseconds. */
const [renewMsMin, renewTimes] = [3000, 110];
const followedMs = 60_000;

/** What the pane's renewals take of the processor in a minute in which a hundred lines a second come, waits left out. */
const measureRenewals = (held: BranchLog, shapes: ShapeTable, tookMs: number): void => {
  let log = held;
  let [askedAt, took, usedMs, count] = [0, tookMs, 0, 0];
  let before = `${new Date(Date.UTC(2026, 10, 21, 9)).toISOString().replace('Z', '000000Z')} last`;
  for (let now = 2000; now <= followedMs; now += 2000) {
    const lines = Array.from({length: 200}, (_, index) => {
      const at = new Date(Date.UTC(2026, 10, 21, 9) + now + index * 10);
      return `${at.toISOString().replace('Z', '000000Z')} level=info msg="order ${index} stored" duration_ms=${index}`;
    });
    ({log} = takeWindow(log, {lines: [before, ...lines], pods: [], cut: 'branch'}));
    before = lines.at(-1) ?? before;
    if (now - askedAt >= Math.max(renewMsMin, renewTimes * took)) {
      const {buffer} = log;
      const source = {buffer, shapes, podNames: [], wholeSince: undefined, proof: 'counted', knownChanges: []} as const;
      const usage = process.cpuUsage();
      finishWork(findIncident([source]));
      const {user, system} = process.cpuUsage(usage);
      // As by the clock of a machine that does nothing else.
      took = (user + system) / 1000;
      usedMs += took;
      askedAt = now;
      count++;
    }
  }
  const what = `a million lines and a hundred more a second: ${count} renewals in a minute, part of a core`;
  printFigure({what, value: usedMs / followedMs, unit: '×', must: 0.01});
};

/** An hour of 280 lines a second, a third of a percent of them errors, eight times as many in the last ten minutes. */
const measureMillion = (): void => {
  const count = 1_000_000;
  const lines = Array.from({length: count}, (_, index) => {
    const stamp = new Date(Date.UTC(2026, 10, 21, 8) + index * 3.6).toISOString().replace('Z', '000000Z');
    const isError = index % (index > 0.83 * count ? 40 : 300) === 0;
    return isError
      ? `${stamp} level=error msg="payment ${index} refused" order=${index}`
      : index % 2 === 0
        ? `${stamp} 10.2.0.${index % 200} - - [21/Nov/2026:08:00:00 +0000] "GET /product/${index % 999} HTTP/1.1" 200 ${index % 5000} "-" "Mozilla/5.0" 0.0${10 + (index % 80)}`
        : `${stamp} level=info msg="order ${index} stored" version=1.42.0 duration_ms=${index % 90}`;
  });
  const empty = createBranchLog(1e9);
  const {log} = takeWindow(empty, {lines, pods: [], cut: 'branch'});
  const {buffer} = log;
  // The program holds them packed, not as they came: a collector that walks over both would be measured.
  lines.length = 0;
  const shapes = finishWork(takeShapes(noShapes, empty.buffer, buffer));
  const source = {buffer, shapes, podNames: [], wholeSince: undefined, proof: 'counted', knownChanges: []} as const;
  let lastMs = 0;
  for (const depth of ['quick', 'whole', 'quick again', 'whole again'] as const) {
    const beganAt = performance.now();
    const before = process.cpuUsage();
    const work = findIncident([source], {depth: depth.startsWith('quick') ? 'quick' : 'whole'});
    let longest = 0;
    for (let isDone = false; !isDone; ) {
      const slice = process.threadCpuUsage();
      isDone = work.next().done === true;
      const {user, system} = process.threadCpuUsage(slice);
      longest = Math.max(longest, (user + system) / 1000);
    }
    const tookMs = performance.now() - beganAt;
    const used = process.cpuUsage(before);
    lastMs = (used.user + used.system) / 1000;
    const must = depth.startsWith('quick') ? 100 : 1000;
    printFigure({what: `a million lines, ${depth}`, value: tookMs, unit: 'ms', must});
    // Of a machine that others use, too, only this tells something.
    printFigure({
      what: `a million lines, ${depth}: processor`,
      value: lastMs,
      unit: 'ms',
      must,
    });
    printFigure({
      what: `a million lines, ${depth}: the longest slice, processor`,
      value: longest,
      unit: 'ms',
      must: 50,
    });
  }
  measureRenewals(log, shapes, lastMs);
};

const measureRow = (row: Row): void => {
  const failed = new Map(Object.keys(row.allowed).map(measure => [measure, 0]));
  const failedKinds = new Map<string, number>();
  let slowestMs = 0;
  for (let index = 0; index < row.count; index++) {
    const {drawn, faults, tookMs} = judgeOne(row, {seed, index, linesMax}, () => performance.now());
    slowestMs = Math.max(slowestMs, tookMs);
    for (const {measure, why} of faults) {
      failed.set(measure, (failed.get(measure) ?? 0) + 1);
      const kind = `${measure}: ${drawn.kind}`;
      failedKinds.set(kind, (failedKinds.get(kind) ?? 0) + 1);
      if (isVerbose) {
        console.log(`  ${row.name} ${index}, ${measure}: ${drawn.kind}\n    ${drawn.words}\n    ${why}`);
      }
    }
  }
  const told = [...failed].map(([measure, count]) => {
    const allowed = row.allowed[measure] ?? 0;
    return `${measure} ${count} (≤ ${allowed})${count > allowed ? ` ${missedWord}` : ''}`;
  });
  console.log(
    `${row.name.padEnd(10)} ${String(row.count).padStart(4)} logs  ${told.join(', ')}; slowest ${slowestMs.toFixed(0)} ms`,
  );
  for (const [kind, count] of [...failedKinds].toSorted(([, a], [, b]) => b - a)) {
    console.log(`           ${String(count).padStart(4)} ${kind}`);
  }
};

console.log(`seed ${seed}`);
if (!process.argv.includes('--million')) {
  for (const row of rows.filter(({name}) => only === undefined || name === only)) {
    measureRow(row);
  }
}
if (only === undefined) {
  measureMillion();
}
