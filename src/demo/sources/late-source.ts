import {hostnameOf} from '../plan/names-of.ts';
import {minuteMs} from '../seed/durations.ts';
import {drawAccessLine} from '../world/lines/sample-access.ts';
import type {BranchSetting} from '../world/plan/plans.ts';
import {type Draft, momentOf, offsetNsMax, type SampleSource, type Slice} from '../world/seed/log-source.ts';

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
