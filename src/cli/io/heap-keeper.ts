import {getHeapStatistics, setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

const checkMs = 1000;
/** The heap may grow by so much before it is collected, bytes; V8 itself lets it grow to several times what is held. */
const growthBytesMax = 16e6;
/** And by so much while keys are pressed. */
const growthBytesAtKeysMax = 96e6;
/** So much that is free in it may be kept, bytes; and less once the start is over, which leaves more behind than it needs. */
const freeBytesMax = 16e6;
const freeBytesAtStartMax = 8e6;
/** So long after a key the next is not expected, milliseconds. */
const keyRestMs = 3000;
/** Giving memory back takes several times as long as collecting, so it is done this seldom, milliseconds. */
const giveBackMs = 3000;

type CollectGarbage = (options: {type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort'}) => void;

/**
 * Keeps the heap small on a host that has other users, from the first time it is called on. V8's flag `--optimize-for-size` would too, but then it collects so
 * often that a key costs three times as much. Here the youngest part of the heap stays as small as it is, what is dead is collected once the heap has grown,
 * and what came free is given back now and then, while nobody presses keys; the last was pressed at `lastKeyAtMs` by the monotonic clock. The lines
 * lie outside of the heap, so that collecting takes some tens of milliseconds.
 */
export const keepHeapSmall = (lastKeyAtMs?: () => number): void => {
  readKeyAtMs = lastKeyAtMs ?? readKeyAtMs;
  if (isKept) {
    return;
  }
  isKept = true;
  setFlagsFromString('--semi-space-growth-factor=1');
  let floorBytes = heapBytes();
  let gaveBackAtMs = Number.NEGATIVE_INFINITY;
  let collect: CollectGarbage | undefined;
  const mostFree = (): number => (gaveBackAtMs === Number.NEGATIVE_INFINITY ? freeBytesAtStartMax : freeBytesMax);
  setInterval(() => {
    const nowMs = performance.now();
    const isAtRest = nowMs - readKeyAtMs() > keyRestMs;
    floorBytes = Math.min(floorBytes, heapBytes());
    const hasGrown = heapBytes() - floorBytes > (isAtRest ? growthBytesMax : growthBytesAtKeysMax);
    const givesBack = isAtRest && (hasGrown || freeBytes() > mostFree()) && nowMs - gaveBackAtMs > giveBackMs;
    if (hasGrown || givesBack) {
      collect ??= findCollector();
      collect({type: 'major', execution: 'sync', flavor: givesBack ? 'last-resort' : 'regular'});
      gaveBackAtMs = givesBack ? nowMs : gaveBackAtMs;
      floorBytes = heapBytes();
    }
  }, checkMs).unref();
};

/** There is one heap. */
let isKept = false;
/** Until somebody tells of keys there are none. */
let readKeyAtMs = (): number => Number.NEGATIVE_INFINITY;

const heapBytes = (): number => {
  const {total_heap_size: ownBytes, external_memory: besideBytes} = getHeapStatistics();
  return ownBytes + besideBytes;
};

const freeBytes = (): number => {
  const {total_heap_size: ownBytes, used_heap_size: usedBytes} = getHeapStatistics();
  return ownBytes - usedBytes;
};

/** V8's own function is only in contexts that are made while its flag is set. */
const findCollector = (): CollectGarbage => {
  setFlagsFromString('--expose-gc');
  const collect: CollectGarbage = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collect;
};
