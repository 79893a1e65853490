import {getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

const checkMs = 1000;
/**
 * The heap may grow by this many bytes before it is collected. V8 itself lets it grow to several times the live size.
 */
const growthBytesMax = 8e6;
/** The same while keys are being pressed, and in a service that has collected a short time ago. */
const growthBytesAtWorkMax = 96e6;
/**
 * Free heap above this many bytes is given back. Until the first time, the limit is lower: start-up leaves more free
 * heap than the program needs.
 */
const freeBytesMax = 16e6;
const freeBytesAtStartMax = 8e6;
/**
 * A larger heap, as during windows of tens of megabytes, is left to V8 while keys are pressed: it collects in small
 * steps, and all at once would take longer than a key may wait.
 */
const collectedBytesMax = 160e6;
/** This many milliseconds after a key, no further one is expected. */
const keyRestMs = 3000;
/**
 * Minimum time between two times that memory is given back, in milliseconds: it takes several times as long as
 * collecting.
 */
const giveBackMs = 3000;
/**
 * Where no keys are pressed at all, as in a service, collecting may take this share of the time: one that follows 1,000
 * containers would else spend more on it than on their lines.
 */
const collectingShareMax = 0.001;
/** The young generation of a service may grow to this many bytes: most lines of many logs then die there. */
const youngBytesMax = 32e6;

type CollectGarbage = (options: {type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort'}) => void;

/**
 * Keeps the heap small, for a host that has other users, from the first call on. V8's flag `--optimize-for-size` would
 * do so too, but it collects so often that a key takes three times as long. Here the young generation grows only while
 * keys are pressed, garbage is collected once the heap has grown, and free memory is given back now and then while no
 * keys are pressed. `lastKeyAtMs` returns the time of the last key on the monotonic clock. Log lines are stored outside
 * the heap, so a collection takes only some tens of milliseconds. Without screens, as in a service, garbage is
 * collected rarely, and the young generation may grow to some size.
 */
export const keepHeapSmall = (lastKeyAtMs?: () => number): void => {
  readKeyAtMs = lastKeyAtMs ?? readKeyAtMs;
  if (isKept) {
    return;
  }
  isKept = true;
  const hasFixedFlags = process.execArgv.includes(growthFlag);
  if (!hasFixedFlags && readKeyAtMs) {
    setFlagsFromString(growthFlag);
  }
  let floorBytes = heapBytes();
  let gaveBackAtMs = Number.NEGATIVE_INFINITY;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  let collect: CollectGarbage | undefined;
  let couldGrow = readKeyAtMs === undefined;
  const mostFree = (): number => (gaveBackAtMs === Number.NEGATIVE_INFINITY ? freeBytesAtStartMax : freeBytesMax);
  setInterval(() => {
    const nowMs = performance.now();
    const isAtRest = readKeyAtMs === undefined || nowMs - readKeyAtMs() > keyRestMs;
    // While keys are pressed the young generation may grow: a key's garbage then dies there, instead of in the old one.
    const mayGrow = readKeyAtMs === undefined ? youngBytes() < youngBytesMax : !isAtRest;
    if (mayGrow !== couldGrow && !hasFixedFlags) {
      couldGrow = mayGrow;
      setFlagsFromString(mayGrow ? fastGrowthFlag : growthFlag);
      setFlagsFromString(mayGrow ? doublingFlag : usualFlag);
    }
    floorBytes = Math.min(floorBytes, heapBytes());
    const isAtWork = !isAtRest || nowMs < nextAtMs;
    const hasGrown = heapBytes() - floorBytes > (isAtWork ? growthBytesAtWorkMax : growthBytesMax);
    const givesBack =
      isAtRest && (hasGrown || (!isAtWork && freeBytes() > mostFree())) && nowMs - gaveBackAtMs > giveBackMs;
    const isSmall = getHeapStatistics().total_heap_size <= collectedBytesMax;
    if (givesBack || (hasGrown && isSmall)) {
      collect ??= findCollector();
      collect({type: 'major', execution: 'sync', flavor: givesBack ? 'last-resort' : 'regular'});
      gaveBackAtMs = givesBack ? nowMs : gaveBackAtMs;
      floorBytes = heapBytes();
      const endMs = performance.now();
      nextAtMs = readKeyAtMs === undefined ? endMs + (endMs - nowMs) / collectingShareMax : nextAtMs;
    }
  }, checkMs).unref();
};

/** Lines on their way out die young: a first look at 2,000 containers filled 128 MB with them. */
const printedYoungBytesMax = 8e6;
/** It may double with each collection, of which a busy start has one every few milliseconds. */
const capCheckMs = 5;

/**
 * Keeps the young generation small in a command that prints lines, until the returned function is called. V8 may shrink
 * it; then it grows again.
 */
export const capYoungHeap = (): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const watch = (isCapped: boolean): void => {
    timer = setTimeout(
      () => {
        const isFull = youngBytes() >= printedYoungBytesMax;
        if (isFull !== isCapped) {
          setFlagsFromString(isFull ? growthFlag : fastGrowthFlag);
        }
        watch(isFull);
      },
      isCapped ? checkMs : capCheckMs,
    ).unref();
  };
  watch(false);
  return () => clearTimeout(timer);
};

/** The executable starts with this flag: when it is set later, V8 rejects the code caches of what is loaded next. */
export const growthFlag = '--semi-space-growth-factor=1';
/** V8's own value. With it, a line key took 3.4 to 3.9 ms instead of 5.0, one in a hundred 11 to 16 instead of 27. */
const fastGrowthFlag = '--semi-space-growth-factor=2';

/**
 * The heap may double between two of V8's own collections; without it, each large answer starts one, and of a hundred
 * keys two or three meet it.
 */
const doublingFlag = '--heap-growing-percent=100';
const usualFlag = '--heap-growing-percent=0';

/** A process has one heap. */
let isKept = false;
/** Undefined without screens. */
let readKeyAtMs: (() => number) | undefined;

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({space_name: name}) => name === 'new_space')?.space_size ?? 0;

const heapBytes = (): number => {
  const {total_heap_size: ownBytes, external_memory: besideBytes} = getHeapStatistics();
  return ownBytes + besideBytes;
};

const freeBytes = (): number => {
  const {total_heap_size: ownBytes, used_heap_size: usedBytes} = getHeapStatistics();
  return ownBytes - usedBytes;
};

/** V8 provides `gc` only in contexts created while the flag is set. */
const findCollector = (): CollectGarbage => {
  setFlagsFromString('--expose-gc');
  const collect: CollectGarbage = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collect;
};
