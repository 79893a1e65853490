import {expect, test} from 'vitest';
import {runsOf} from '../../../support/thorough.ts';
import {allowedOf, judgeOne, rows} from './table.ts';

// Others are drawn by `node bench/incident.ts`, from SEED, more and longer ones.
const seed = Number(process.env.SEED ?? 42);
/** Loud logs take long to make. */
const linesMax = 1800;

for (const row of rows) {
  test(`${row.name}: what must hold of the verdicts holds of drawn logs (SEED=${seed})`, () => {
    const drawnCount = Math.min(row.count, Math.max(row.kindCount, runsOf(24)));
    const failed = Array.from({length: drawnCount}, (_, index) => {
      const {drawn, faults} = judgeOne(row, {seed, index, linesMax});
      return faults.map(({measure, why}) => ({
        measure,
        said: `${index}, ${measure}: ${drawn.kind}; ${drawn.words}; ${why}`,
      }));
    }).flat();
    for (const measure of Object.keys(row.allowed)) {
      const ofMeasure = failed.filter(each => each.measure === measure).map(({said}) => said);
      expect(ofMeasure.length, ofMeasure.join('\n')).toBeLessThanOrEqual(allowedOf(row, measure, drawnCount));
    }
  });
}
