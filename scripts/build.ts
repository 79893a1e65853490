/**
 * Bundles src/cli/main.ts to dist/, split so that a command loads only what it needs.
 * Run by `npm run build`.
 */
import {rmSync} from 'node:fs';
import {build, type Plugin} from 'esbuild';

/** Ink imports React's devtools for DEV=true only, which the define below rules out; an empty module stands in for them. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^react-devtools-core$/}, ({path}) => ({path, namespace: 'stub'}));
    onLoad({filter: /.*/, namespace: 'stub'}, () => ({contents: 'export default {};'}));
  },
};

rmSync('dist', {recursive: true, force: true});

const result = await build({
  entryPoints: ['src/cli/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  jsx: 'automatic',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: false,
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
  metafile: true,
  define: {'process.env.DEV': '"false"', 'process.env.NODE_ENV': '"production"'},
  plugins: [withoutDevtools],
  // CommonJS packages inside the bundle expect these names.
  banner: {
    js: [
      "import {createRequire as __createRequire} from 'node:module';",
      "import {fileURLToPath as __toPath} from 'node:url';",
      "import {dirname as __toDirname} from 'node:path';",
      'const require = __createRequire(import.meta.url);',
      'const __filename = __toPath(import.meta.url);',
      'const __dirname = __toDirname(__filename);',
    ].join('\n'),
  },
});

const outputs = Object.entries(result.metafile.outputs);
const bytes = outputs.reduce((sum, [, output]) => sum + output.bytes, 0);
console.log(`dist: ${outputs.length} files, ${Math.round(bytes / 1024)} kB`);
