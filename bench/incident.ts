/** Counts how many planted incidents are found and how many calm logs are called troubled, and measures the time. */

import {takeWindow} from '../src/log/answer/take-window.ts';
import {findIncident} from '../src/log/incident/find-incident.ts';
import {isTrouble} from '../src/log/incident/incident-finding.ts';
import {createBranchLog} from '../src/log/merge/branch-log.ts';
import {noShapes, takeShapes} from '../src/log/shapes/shape-table.ts';
import {finishWork} from '../src/log/work/work.ts';
import {judgeIncident, kinds} from '../test/log/incident/simulation/judge-incident.ts';
import {randomLog} from '../test/log/incident/simulation/random-log.ts';

const seed = Number(process.env.SEED ?? 1);
const isVerbose = process.argv.includes('--verbose');

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
  const {buffer} = takeWindow(empty, {lines, pods: [], cut: 'branch'}).log;
  const shapes = finishWork(takeShapes(noShapes, empty.buffer, buffer));
  const source = {buffer, shapes, podNames: [], wholeSince: undefined, proof: 'counted', knownChanges: []} as const;
  for (const look of ['quick', 'whole', 'quick', 'whole'] as const) {
    const beganAt = performance.now();
    const work = findIncident([source], {look});
    let longest = 0;
    let sliceAt = performance.now();
    while (work.next().done !== true) {
      longest = Math.max(longest, performance.now() - sliceAt);
      sliceAt = performance.now();
    }
    longest = Math.max(longest, performance.now() - sliceAt);
    console.log(
      `a million lines, ${look}: ${(performance.now() - beganAt).toFixed(0)} ms, the longest slice ${longest.toFixed(1)} ms`,
    );
  }
};

measureMillion();
if (process.argv.includes('--million')) {
  process.exit();
}

let [calmHigh, found, exact] = [0, 0, 0];
let slowestMs = 0;
for (let index = 0; index < 100; index++) {
  const {source, lineCount} = randomLog(seed * 1000 + index);
  const beganAt = performance.now();
  const {findings} = finishWork(findIncident([source]));
  slowestMs = Math.max(slowestMs, performance.now() - beganAt);
  const high = findings.filter(isTrouble);
  calmHigh += high.length;
  if (high.length > 0 && isVerbose) {
    console.log(
      'calm',
      seed * 1000 + index,
      lineCount,
      high.map(({what, of, subject, before, now, evidence}) => [what, of, subject, before, now, evidence].join(' ')),
    );
  }
}
for (let index = 0; index < 60; index++) {
  const kind = kinds[index % kinds.length] ?? 'errors';
  const log = randomLog(seed * 1000 + 500 + index, kind);
  const beganAt = performance.now();
  const report = finishWork(findIncident([log.source]));
  slowestMs = Math.max(slowestMs, performance.now() - beganAt);
  const {place, offSeconds} = judgeIncident(log, report);
  found += place <= 1 ? 1 : 0;
  exact += place <= 1 && offSeconds <= 5 ? 1 : 0;
  if (isVerbose && (place > 1 || offSeconds > 5)) {
    console.log(
      kind,
      seed * 1000 + 500 + index,
      log.lineCount,
      'lines, place',
      place,
      'off',
      offSeconds.toFixed(1),
      'ago',
      (Number(report.to - report.from) / 1e9 - (log.planted?.at ?? 0)).toFixed(0),
    );
    console.log(
      report.findings
        .slice(0, 4)
        .map(
          ({what, of, subject, before, now, evidence, confidence}) =>
            `   ${[what, of, subject, before, now, evidence, confidence].join(' ')}`,
        )
        .join('\n'),
    );
  }
}
console.log(`seed ${seed}: ${calmHigh} findings of high confidence in 100 calm logs`);
console.log(`${found} of 60 planted incidents found first or second, ${exact} with their onset within 5 s`);
console.log(`the slowest took ${slowestMs.toFixed(0)} ms`);
