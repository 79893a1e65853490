import {drawAccessLine} from '../lines/sample-access.ts';
import {hostnameOf} from '../plan/hostname.ts';
import type {BranchSetting} from '../plan/plans.ts';
import {minuteMs} from '../seed/durations.ts';
import {type Draft, momentOf, offsetNsMax, type SampleSource, type Slice} from '../seed/log-source.ts';

const requestsPerSecond = 5;
/** One of two shippers is behind: this share of the requests it carries comes late by seconds. */
const lateShare = 0.35;
const lateMs = {min: 1000, max: 9000};
/** A cache is flushed by a process whose clock ticks in whole seconds: hundreds of lines with one timestamp. */
const flush = {everySeconds: 12, linesMin: 200, linesMax: 400};
/** So few keys for so many lines: true copies, equal in timestamp and text. */
const cacheKeys = ['product:41', 'product:42', 'price:eur', 'menu:main', 'stock:1207', 'tax:de', 'banner:front'];

const writeFlush = ({random, index}: Slice): readonly Draft[] => {
  if (index % flush.everySeconds !== 0) {
    return [];
  }
  // Half of the flushes are late as a whole, so that ties arrive in two lots.
  const late = random.chance(0.5) ? random.integer(lateMs.min, lateMs.max) : 0;
  return Array.from({length: random.integer(flush.linesMin, flush.linesMax)}, () => ({
    offsetNs: 0,
    text: `cache: dropped ${random.pick(cacheKeys)}`,
    lateMs: random.chance(0.5) ? late : 0,
  }));
};

/** Lines that come seconds after their timestamp, hundreds on one timestamp, and copies that are no mistake. */
export const createLateSource = (setting: BranchSetting): SampleSource => {
  const hostname = hostnameOf(setting);
  return {
    name: 'late',
    historyMs: 20 * minuteMs,
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
