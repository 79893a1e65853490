import {mkdirSync, renameSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {build} from 'esbuild';
import {bundleOptions} from '../../scripts/bundle-options.ts';
import {lateStringWidth, withoutDevtools, yogaAsFile, yogaCode} from '../../scripts/bundle-plugins.ts';

// Always the same place: Node's compile cache is keyed by path.
const folder = join(import.meta.dirname, '../../node_modules/.cache/branchlog-fixtures');

/** Others may bundle the same at this moment, or run it. */
const replaceFile = (path: string, contents: Uint8Array): void => {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, contents);
  renameSync(fresh, path);
};

/**
 * Bundles a program of `fixtures/` as the build bundles ours, and returns the file's path. Loading Ink module by module
 * would take most of the processor time of these tests.
 */
export const bundleFixture = async (name: string): Promise<string> => {
  const {outputFiles} = await build({
    ...bundleOptions,
    entryPoints: [join(import.meta.dirname, 'fixtures', name)],
    outdir: folder,
    outExtension: {'.js': '.mjs'},
    format: 'esm',
    // React is CommonJS, and asks for Node's modules.
    banner: {js: 'const require = id => process.getBuiltinModule(id);'},
    plugins: [yogaAsFile, withoutDevtools, lateStringWidth],
  });
  mkdirSync(folder, {recursive: true});
  replaceFile(join(folder, 'yoga.wasm'), yogaCode());
  for (const {path, contents} of outputFiles) {
    replaceFile(path, contents);
  }
  return join(folder, `${basename(name, '.ts')}.mjs`);
};
