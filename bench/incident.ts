/** Counts how many planted incidents are found and how many calm logs are called troubled, and measures the time. */

import {findIncident} from '../src/log/incident/find-incident.ts';
import {isTrouble} from '../src/log/incident/incident-finding.ts';
import {finishWork} from '../src/log/work/work.ts';
import {judgeIncident, kinds} from '../test/log/incident/simulation/judge-incident.ts';
import {randomLog} from '../test/log/incident/simulation/random-log.ts';

const seed = Number(process.env['SEED'] ?? 1);
const isVerbose = process.argv.includes('--verbose');
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
