import type {Work} from '#log/work.ts';

/** Runs work to its end, and counts how often it paused. */
export const pausesIn = <T>(work: Work<T>): {readonly pauses: number; readonly result: T} => {
  for (let pauses = 0; ; pauses++) {
    const {done, value} = work.next();
    if (done) {
      return {pauses, result: value};
    }
  }
};
