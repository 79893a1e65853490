import {drawAccessLine} from '../lines/sample-access.ts';
import {type BranchSetting, hostnameOf} from '../plan/plans.ts';
import {type Draft, momentOf, offsetNsMax, type SampleSource, type Slice} from '../seed/log-source.ts';
import {createRandom, minuteMs, secondMs} from '../seed/random.ts';

const requestsPerSecond = 5;
/** One of two log shippers lags: this share of its requests arrives seconds late. */
const lateShare = 0.35;
const lateMs = {min: 1000, max: 9000};
/** A process whose clock ticks in whole seconds flushes a cache: hundreds of lines with one timestamp. */
const flush = {everySeconds: 12, linesMin: 200, linesMax: 400};
/** Few keys for many lines give true copies, equal in timestamp and text. */
const cacheKeys = ['product:41', 'product:42', 'price:eur', 'menu:main', 'stock:1207', 'tax:de', 'banner:front'];

const writeFlush = ({random, index}: Slice): readonly Draft[] => {
  if (index % flush.everySeconds !== 0) {
    return [];
  }
  // Half of the flushes are late as a whole, so that ties arrive in two batches.
  const late = random.chance(0.5) ? random.integer(lateMs.min, lateMs.max) : 0;
  return Array.from({length: random.integer(flush.linesMin, flush.linesMax)}, () => ({
    offsetNs: 0,
    text: `cache: dropped ${random.pick(cacheKeys)}`,
    lateMs: random.chance(0.5) ? late : 0,
  }));
};

/**
 * Creates a source of lines that arrive seconds after their timestamp, of hundreds with one timestamp, and of genuine
 * copies.
 */
export const createLateSource = (setting: BranchSetting): SampleSource => {
  const hostname = hostnameOf(setting);
  return {
    name: 'late',
    historyMs: 20 * minuteMs,
    lateMsMax: lateMs.max,
    writeSlice: slice => {
      const {random} = slice;
      const requests = Array.from({length: random.count(requestsPerSecond)}, () => {
        const offsetNs = random.integer(0, offsetNsMax);
        const line = {random, atMs: momentOf(slice, offsetNs), hostname, paths: setting.site.paths, trouble: 0.01};
        const late = random.chance(lateShare) ? random.integer(lateMs.min, lateMs.max) : 0;
        return {offsetNs, text: drawAccessLine(line), lateMs: late};
      });
      return [...writeFlush(slice), ...requests];
    },
  };
};

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
