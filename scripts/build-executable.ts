/**
 * Builds dist/executable/branchlog: the program, Node and all assets in one file, for this machine's system and
 * processor. Run by `npm run build:executable`.
 */
import {execFileSync} from 'node:child_process';
import {chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {build} from 'esbuild';
import {inject} from 'postject';
import {bundleOptions, searchWorker} from './bundle-options.ts';
import {
  lateStringWidth,
  plainBuiltins,
  withoutDevtools,
  withoutUnneeded,
  yogaAsAsset,
  yogaCode,
} from './bundle-plugins.ts';
import {withoutDevtoolsWait, workerAsAsset} from './executable/executable-plugins.ts';
import {train} from './executable/train.ts';

const folder = 'dist/executable';
const parts = join(folder, 'parts');
const target = join(folder, 'branchlog');
/** Marks the place in Node's own program at which it looks for an application. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const bundle = async (entry: string): Promise<string> => {
  const {outputFiles} = await build({
    ...bundleOptions,
    entryPoints: [entry],
    format: 'cjs',
    // The segmenter belongs to the screens.
    inject: entry === searchWorker ? [] : bundleOptions.inject,
    plugins: [
      withoutDevtools,
      yogaAsAsset,
      workerAsAsset,
      withoutDevtoolsWait,
      lateStringWidth,
      withoutUnneeded,
      plainBuiltins,
    ],
  });
  const [file] = outputFiles;
  if (file === undefined || outputFiles.length !== 1) {
    throw new Error(`${entry} is not one file: ${outputFiles.length}`);
  }
  return file.text;
};

const run = (command: string, args: readonly string[], missing: string): void => {
  try {
    execFileSync(command, args, {stdio: ['ignore', 'ignore', 'inherit']});
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ENOENT' ? new Error(missing) : error;
  }
};

rmSync(folder, {recursive: true, force: true});
mkdirSync(parts, {recursive: true});

// As ASCII, which Node reads fastest. esbuild writes strings so already, but not regular expressions.
const program = (await bundle('src/cli/main.ts')).replaceAll(
  /[^\x00-\x7f]/g,
  unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
);
writeFileSync(
  join(parts, 'program.js'),
  `(function (require) {var module = {exports: {}}, exports = module.exports;${program}\n})`,
);
writeFileSync(join(parts, 'search-worker.js'), await bundle(searchWorker));
writeFileSync(join(parts, 'yoga.wasm'), yogaCode());
for (const script of ['start.cjs', 'train.cjs']) {
  copyFileSync(join('scripts/executable', script), join(parts, script));
}
await train(parts);

const assets = ['program.js', 'program.cache', 'search-worker.js', 'yoga.wasm'];
const config = {
  main: join(parts, 'start.cjs'),
  output: join(parts, 'blob'),
  disableExperimentalSEAWarning: true,
  useCodeCache: false,
  useSnapshot: false,
  // Options of Node's, such as those in NODE_OPTIONS, are not the program's.
  execArgvExtension: 'none',
  assets: Object.fromEntries(assets.map(name => [name, join(parts, name)])),
};
writeFileSync(join(parts, 'sea.json'), JSON.stringify(config));
run(process.execPath, ['--experimental-sea-config', join(parts, 'sea.json')], 'cannot start Node');

copyFileSync(process.execPath, target);
chmodSync(target, 0o755);
// Before the application goes in: stripping afterwards damages it.
run('strip', [target], 'needs `strip`, of the package binutils');
await inject(target, 'NODE_SEA_BLOB', readFileSync(join(parts, 'blob')), {sentinelFuse: fuse});
const megabytes = (path: string): string => (statSync(path).size / 1e6).toFixed(1);
const cacheKb = Math.round(readFileSync(join(parts, 'program.cache')).length / 1000);
console.log(`${target}: ${megabytes(target)} MB, code cache ${cacheKb} kB`);
