/**
 * Bundles src/cli/main.ts to dist/, split so that a command loads only what it needs.
 * Run by `npm run build`.
 */
import {mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {type BuildOptions, build} from 'esbuild';
import {inOneChunk, sharedByScreens, withLastingNames} from './bundle-chunks.ts';
import {bundleOptions, searchWorker} from './bundle-options.ts';
import {
  lateStringWidth,
  plainBuiltins,
  withoutDevtools,
  withoutUnneeded,
  yogaAsFile,
  yogaCode,
} from './bundle-plugins.ts';

const folder = 'dist';

const options = {
  ...bundleOptions,
  entryPoints: ['src/cli/main.ts'],
  outdir: folder,
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  metafile: true,
  // CommonJS packages in the bundle need these names.
  banner: {
    js: [
      "const require = id => process.getBuiltinModule(id) ?? process.getBuiltinModule('module').createRequire(import.meta.url)(id);",
      'const __filename = import.meta.filename;',
      'const __dirname = import.meta.dirname;',
    ].join('\n'),
  },
} as const satisfies BuildOptions;
const plugins = [withoutDevtools, yogaAsFile, lateStringWidth, withoutUnneeded, plainBuiltins];

// Bundle twice: the first build shows what the screens share with other commands, the second puts that into one chunk.
const {metafile} = await build({...options, plugins});
const {outputFiles} = await build({...options, plugins: [inOneChunk(sharedByScreens(metafile), metafile), ...plugins]});
const {outputFiles: ofSearch} = await build({
  ...options,
  entryPoints: [searchWorker],
  inject: [],
  plugins: [plainBuiltins],
});
const files = [
  ...withLastingNames(outputFiles),
  ...ofSearch,
  {path: join(folder, 'chunks/yoga.wasm'), contents: yogaCode()},
];

mkdirSync(folder, {recursive: true});
// The executable and the packages are made by scripts of their own.
for (const name of readdirSync(folder).filter(each => !['executable', 'packages'].includes(each))) {
  rmSync(join(folder, name), {recursive: true});
}
for (const {path, contents} of files) {
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, contents);
}
const bytes = files.reduce((sum, {contents}) => sum + contents.length, 0);
console.log(`dist: ${files.length} files, ${Math.round(bytes / 1024)} kB`);
