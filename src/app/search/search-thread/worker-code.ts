import {existsSync} from 'node:fs';

/** In the bundle, the thread's code is beside this module, or one level above the folder of chunk files. */
const bundledPlaces = ['./search-worker.js', '../search-worker.js'];

const workerUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./search-worker.ts', import.meta.url)
    : (bundledPlaces.map(place => new URL(place, import.meta.url)).find(url => existsSync(url)) ??
      new URL(import.meta.url));

/**
 * Returns what a `Worker` runs: a file, or its text in the executable, which replaces this module: nothing else may be
 * in it.
 */
export const workerCode = (): {readonly code: URL | string; readonly eval: boolean} => ({
  code: workerUrl(),
  eval: false,
});
