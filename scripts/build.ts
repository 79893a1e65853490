/**
 * Bundles src/cli/main.ts to dist/, split so that a command loads only what it needs, and the library to dist/library/.
 * Run by `npm run build`.
 */
import {mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {build} from 'esbuild';
import {bundleLibrary} from './bundle-library.ts';
import {bundleOptions, searchWorker} from './bundle-options.ts';
import {plainBuiltins, yogaAsFile, yogaCode} from './bundle-plugins.ts';
import {bundleProgram} from './bundle-program.ts';

const folder = 'dist';

// CommonJS packages in the bundle need these names.
const banner = {
  js: [
    "const require = id => process.getBuiltinModule(id) ?? process.getBuiltinModule('module').createRequire(import.meta.url)(id);",
    'const __filename = import.meta.filename;',
    'const __dirname = import.meta.dirname;',
  ].join('\n'),
};

const {outputFiles: ofSearch} = await build({
  ...bundleOptions,
  entryPoints: [searchWorker],
  outdir: folder,
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  banner,
  // The segmenter belongs to the screens.
  inject: [],
  plugins: [plainBuiltins],
});
const files = [
  ...(await bundleProgram(folder, [yogaAsFile], {banner})),
  ...ofSearch,
  ...(await bundleLibrary(join(folder, 'library'), {banner})),
  {path: join(folder, 'chunks/yoga.wasm'), contents: yogaCode()},
];

mkdirSync(folder, {recursive: true});
// The executable and the packages are made by scripts of their own.
for (const name of readdirSync(folder).filter(each => !/^(?:executable|packages)/.test(each))) {
  rmSync(join(folder, name), {recursive: true});
}
for (const {path, contents} of files) {
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, contents);
}
const bytes = files.reduce((sum, {contents}) => sum + contents.length, 0);
console.log(`dist: ${files.length} files, ${Math.round(bytes / 1024)} kB`);
