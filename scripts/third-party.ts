/** The licences of the packages in the bundle, which have to come along with it. */
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {build} from 'esbuild';
import {bundleOptions, searchWorker} from './bundle-options.ts';
import {plainBuiltins, withoutDevtools, yogaAsAsset} from './bundle-plugins.ts';

/** The innermost one: a package may bring its own version of another. */
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Returns the folders of the packages that the bundle takes files from, sorted. */
const bundledFolders = async (): Promise<readonly string[]> => {
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

type Manifest = {readonly name: string; readonly version: string; readonly license?: string};

const noticeOf = (folder: string): string => {
  const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const [path] = globSync(`${folder}/{LICENSE,LICENCE,license,licence}*`);
  const text = path === undefined ? `Licence: ${license}` : readFileSync(path, 'utf8').trim();
  return `${name} ${version}\n\n${text}\n`;
};

/** Formats the notices of all bundled packages. Node's own are too many to repeat. */
export const formatNotices = async (): Promise<string> => {
  const notices = (await bundledFolders()).map(noticeOf);
  const node = `Node.js ${process.versions.node}\n\nhttps://github.com/nodejs/node/blob/v${process.versions.node}/LICENSE\n`;
  return [node, ...notices].join(`\n${'-'.repeat(72)}\n\n`);
};
