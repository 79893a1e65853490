import type {BuildOptions} from 'esbuild';

/** What the npm package and the executable have in common. */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  jsx: 'automatic',
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
  logOverride: {'ignored-bare-import': 'silent'},
  write: false,
  define: {'process.env.DEV': '"false"', 'process.env.NODE_ENV': '"production"'},
  inject: ['scripts/bundled-segmenter.ts'],
} as const satisfies BuildOptions;

/** The code of the search thread, bundled on its own so that it loads nothing of the screens. */
export const searchWorker = 'src/app/search/search-thread/search-worker.ts';
