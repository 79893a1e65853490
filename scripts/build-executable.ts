/**
 * Builds dist/executable/branchlog: the program, Node and all assets in one file. Run by `npm run build:executable`;
 * with `-- --arch arm64`, it builds dist/executable-arm64/branchlog for that processor.
 */
import {execFileSync, spawnSync} from 'node:child_process';
import {copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {build, transform} from 'esbuild';
import {inject} from 'postject';
import packageJson from '../package.json' with {type: 'json'};
import {bundleOptions, searchWorker} from './bundle-options.ts';
import {plainBuiltins, yogaAsAsset, yogaCode} from './bundle-plugins.ts';
import {bundleProgram} from './bundle-program.ts';
import {withoutDevtoolsWait, workerAsAsset} from './executable/executable-plugins.ts';
import {executableFolder, targetFor} from './executable/target.ts';
import {heapFlags, train} from './executable/train.ts';

const {arch} = parseArgs({options: {arch: {type: 'string', default: process.arch}}}).values;
const folder = executableFolder(arch);
const parts = join(folder, 'parts');
const target = join(folder, 'branchlog');
/** Marks the place in Node's own program at which it looks for an application. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Node alone takes 109; the rest is the program with its code caches. */
const executableBytesMax = 115e6;

/** Returns a chunk as the text of a function that takes what CommonJS modules find around them. */
const asScript = async (chunk: string): Promise<string> => {
  const {code} = await transform(chunk, {
    format: 'cjs',
    platform: 'node',
    target: bundleOptions.target,
    minify: true,
    // The chunks are no files, so they are loaded by "start.cjs".
    supported: {'dynamic-import': false},
  });
  // As ASCII, which Node reads fastest. esbuild writes strings so already, but not regular expressions.
  const ascii = code.replaceAll(/[^\x00-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `(function (require, module, exports) {${ascii}\n})`;
};

const bundleWorker = async (): Promise<string> => {
  const {outputFiles} = await build({
    ...bundleOptions,
    entryPoints: [searchWorker],
    format: 'cjs',
    // The segmenter belongs to the screens.
    inject: [],
    plugins: [plainBuiltins],
  });
  const [file] = outputFiles;
  if (file === undefined || outputFiles.length !== 1) {
    throw new Error(`the search thread is not one file: ${outputFiles.length}`);
  }
  return file.text;
};

const run = (command: string, args: readonly string[], missing: string, cwd = '.'): void => {
  try {
    execFileSync(command, args, {stdio: ['ignore', 'ignore', 'inherit'], cwd});
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ENOENT' ? new Error(missing) : error;
  }
};

/**
 * Gives the variable of this name another one in Node's program: an application that ignores NODE_OPTIONS does not start
 * while it is set.
 */
const withoutReplModule = (program: Buffer): Buffer => {
  const name = 'NODE_REPL_EXTERNAL_MODULE';
  let index = program.indexOf(name);
  if (index === -1) {
    throw new Error(`${node} does not know ${name}: nothing needs to be renamed any more`);
  }
  for (; index !== -1; index = program.indexOf(name, index)) {
    program.write('NONE', index);
  }
  return program;
};

rmSync(folder, {recursive: true, force: true});
mkdirSync(parts, {recursive: true});
const {node, strip, stripPackage, emulator} = targetFor(arch, parts);

const chunks = await bundleProgram(parts, [yogaAsAsset, workerAsAsset, withoutDevtoolsWait]);
for (const {path, contents} of chunks) {
  writeFileSync(join(parts, basename(path)), await asScript(Buffer.from(contents).toString()));
}
writeFileSync(join(parts, 'search-worker.js'), await bundleWorker());
writeFileSync(join(parts, 'yoga.wasm'), yogaCode());
for (const script of ['start.cjs', 'train.cjs', 'even-out.cjs']) {
  copyFileSync(join('scripts/executable', script), join(parts, script));
}
if (emulator) {
  await train(parts, [...emulator, resolve(node)]);
} else {
  console.error(`not run: needs qemu-user-static, libc6-${arch}-cross and libstdc++6-${arch}-cross`);
  console.error('built without code caches, so it starts later');
}

const caches = readdirSync(parts)
  .filter(name => name.endsWith('.cache'))
  .sort();
const assets = [...chunks.map(({path}) => basename(path)), ...caches, 'search-worker.js', 'yoga.wasm'];
const config = {
  // Relative: Node writes this path into the blob.
  main: 'start.cjs',
  output: 'blob',
  disableExperimentalSEAWarning: true,
  useCodeCache: false,
  useSnapshot: false,
  // And no config of OpenSSL's: `OPENSSL_CONF` names one for the libraries of this machine.
  execArgv: [...heapFlags, '--openssl-config=/dev/null'],
  // Options of Node's, such as those in NODE_OPTIONS, are not the program's.
  execArgvExtension: 'none',
  assets: Object.fromEntries(assets.map(name => [name, name])),
};
writeFileSync(join(parts, 'sea.json'), JSON.stringify(config));
run(process.execPath, ['--experimental-sea-config', 'sea.json'], 'cannot start Node', parts);

writeFileSync(target, withoutReplModule(readFileSync(node)), {mode: 0o755});
// Before the application goes in: stripping afterwards damages it.
run(strip, [target], `needs \`${strip}\`, of the package ${stripPackage}`);
await inject(target, 'NODE_SEA_BLOB', readFileSync(join(parts, 'blob')), {sentinelFuse: fuse});
if (emulator) {
  const [command = '', ...args] = [...emulator, target, '--version'];
  const env = {...process.env, BRANCHLOG_CODE_CACHE: 'tell'};
  const {stdout, stderr} = spawnSync(command, args, {encoding: 'utf8', env});
  if (stdout !== `branchlog ${packageJson.version}\n` || stderr.includes('rejected')) {
    throw new Error(`${target} --version: ${stdout}${stderr}`);
  }
}
const {size} = statSync(target);
const cacheBytes = caches.reduce((sum, name) => sum + statSync(join(parts, name)).size, 0);
console.log(
  `${target}: ${(size / 1e6).toFixed(1)} MB, ${caches.length} code caches, ${Math.round(cacheBytes / 1000)} kB`,
);
if (size > executableBytesMax) {
  throw new Error(`${target} is larger than ${executableBytesMax / 1e6} MB`);
}
