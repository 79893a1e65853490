/** The licences of the packages in the bundle, which have to come along with it. */
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {build} from 'esbuild';
import {bundleOptions, searchWorker} from './bundle-options.ts';
import {plainBuiltins, withoutDevtools, yogaAsAsset} from './bundle-plugins.ts';

/** The innermost one: a package may bring its own version of another. */
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Returns the folders of the packages that the bundle takes files from, sorted. */
const findBundledFolders = async (): Promise<readonly string[]> => {
  const {metafile} = await build({
    ...bundleOptions,
    entryPoints: ['src/cli/main.ts', searchWorker],
    outdir: 'dist',
    format: 'esm',
    write: false,
    metafile: true,
    plugins: [withoutDevtools, yogaAsAsset, plainBuiltins],
  });
  const folders = Object.keys(metafile.inputs).flatMap(path => packageFolder.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
};

let found: Promise<readonly string[]> | undefined;
const bundledFolders = (): Promise<readonly string[]> => {
  found ??= findBundledFolders();
  return found;
};

type Manifest = {readonly name: string; readonly version: string; readonly license?: string};

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Returns the packages in the bundle, as `name@version`. */
export const bundledPackages = async (): Promise<readonly string[]> =>
  (await bundledFolders()).map(readManifest).map(({name, version}) => `${name}@${version}`);

const noticeOf = (folder: string): string => {
  const {name, version, license} = readManifest(folder);
  const [path] = globSync(`${folder}/{LICENSE,LICENCE,license,licence}*`).sort();
  const text = path === undefined ? `Licence: ${license}` : readFileSync(path, 'utf8').trim();
  return `${name} ${version}\n\n${text}\n`;
};

const joinNotices = (notices: readonly string[]): string => notices.join(`\n${'-'.repeat(72)}\n\n`);

/** Formats the notices of all bundled packages. */
export const formatNotices = async (): Promise<string> => joinNotices((await bundledFolders()).map(noticeOf));

/** Does the same for what has Node in it: with the notices of Node and of everything that it is built from. */
export const formatNoticesWithNode = async (): Promise<string> => {
  // The package `node` links the program out of that of this platform, which it may keep within itself.
  const [path] = globSync(`node_modules/{,node/node_modules/}node-${process.platform}-${process.arch}/LICENSE`);
  if (path === undefined) {
    throw new Error('the licence of Node is missing: run npm ci');
  }
  const node = `Node.js ${process.versions.node}\n\n${readFileSync(path, 'utf8').trim()}\n`;
  return joinNotices([node, await formatNotices()]);
};
