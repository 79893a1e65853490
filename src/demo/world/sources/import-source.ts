import {minuteMs, secondMs} from '../../seed/durations.ts';
import type {BranchSetting} from '../plan/plans.ts';
import {momentOf, offsetNsMax, type SampleSource} from '../seed/log-source.ts';
import {createRandom} from '../seed/random.ts';

/** One burst per cycle; whole seconds, so that the rate is exactly as given here. */
const cycleSeconds = 20;
const burstLines = {perSecondMin: 3000, perSecondMax: 5000};

/** Tells whether a second of the demo is in a burst, and the burst's number. */
const burstAt = (seed: number, second: number): {readonly number: number; readonly first: number} | undefined => {
  const number = Math.floor(second / cycleSeconds);
  const random = createRandom(seed, 'burst', number);
  const first = number * cycleSeconds + random.integer(8, 11);
  const length = random.integer(2, 3);
  return second >= first && second < first + length ? {number, first} : undefined;
};

/** Creates a nightly import gone wrong: for 2 to 3 s in every 20, it logs a line for each row, thousands a second. */
export const createImportSource = ({seed, site}: BranchSetting): SampleSource => ({
  name: 'import',
  historyMs: 5 * minuteMs,
  writeSlice: slice => {
    const {index, random} = slice;
    const burst = burstAt(seed, Math.floor(slice.demoMs / secondMs));
    if (!burst) {
      return [];
    }
    const lines = random.integer(burstLines.perSecondMin, burstLines.perSecondMax);
    const firstRow = 1 + (index - burst.first) * burstLines.perSecondMax;
    const stepNs = Math.floor(offsetNsMax / lines);
    return Array.from({length: lines}, (_, row) => {
      const offsetNs = row * stepNs + random.integer(0, stepNs - 1);
      const place = `${site.code.appRoot}/bin/import.php`;
      const rowNumber = firstRow + row;
      const text = random.chance(0.9)
        ? JSON.stringify({
            message: 'Row imported',
            context: {row: rowNumber, sku: `SKU-${random.integer(10_000, 99_999)}`, batch: Math.abs(burst.number)},
            level: 200,
            level_name: 'INFO',
            channel: 'import',
            datetime: new Date(momentOf(slice, offsetNs)).toISOString(),
          })
        : `NOTICE: PHP message: PHP Warning:  Undefined array key "weight" in row ${rowNumber} in ${place} on line 88`;
      return {offsetNs, text};
    });
  },
});
