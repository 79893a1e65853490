/** Replaces what the executable, one CommonJS script, cannot have: files beside it, and `await` outside functions. */
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Plugin} from 'esbuild';

/** The module that finds the search thread's code, from the root. */
export const workerCodePath = 'src/app/search/search-thread/worker-code.ts';

/** The search thread's code is an asset, not a file. */
export const workerAsAsset: Plugin = {
  name: 'worker-as-asset',
  setup({onLoad}) {
    if (!existsSync(join(import.meta.dirname, '../..', workerCodePath))) {
      throw new Error(`There is no ${workerCodePath} to replace.`);
    }
    onLoad({filter: /\/search-thread\/worker-code\.ts$/}, () => ({
      contents: `import {getAsset} from 'node:sea';
        export const workerCode = () => ({code: getAsset('search-worker.js', 'utf8'), eval: true});`,
    }));
  },
};

/** What Ink's reconciler waits for while it loads: its devtools, if DEV is set, which the bundle rules out. */
const waits = ["await import('./devtools.js')", 'await loadPackageJson()'];

export const withoutDevtoolsWait: Plugin = {
  name: 'without-devtools-wait',
  setup({onLoad}) {
    onLoad({filter: /\/ink\/build\/reconciler\.js$/}, ({path}) => {
      let text = readFileSync(path, 'utf8');
      for (const wait of waits) {
        if (text.split(wait).length !== 2) {
          throw new Error(`Ink's reconciler no longer has \`${wait}\` once.`);
        }
        text = text.replace(wait, '{}');
      }
      return {contents: text};
    });
  },
};
