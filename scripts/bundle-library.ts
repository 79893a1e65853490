/** Bundles what `branchlog/api` and `branchlog/log` export, with its types. */
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type BuildOptions, build, type OutputFile} from 'esbuild';
import {bundleOptions} from './bundle-options.ts';
import {plainBuiltins, withoutUnneeded} from './bundle-plugins.ts';

type File = Pick<OutputFile, 'path' | 'contents'>;

const entries = ['api', 'log'];
/**
 * They share all code with the entry points, so that these hold none themselves: a program's bundler then leaves out
 * what is not used.
 */
const twins = ['log.twin', 'sanitise.twin'];
const sourceOf = (entry: string): string =>
  entry === 'sanitise.twin' ? 'src/log/text/sanitise.ts' : `src/library/${entry.replace('.twin', '')}.ts`;

/** Bundles the library to `folder`: both entry points share one copy of the log engine. */
export const bundleLibrary = async (folder: string, more: Pick<BuildOptions, 'banner'>): Promise<readonly File[]> => {
  const {outputFiles} = await build({
    ...bundleOptions,
    ...more,
    entryPoints: [...entries, ...twins].map(out => ({in: sourceOf(out), out})),
    target: 'node22',
    sourcemap: 'linked',
    sourcesContent: false,
    outdir: folder,
    splitting: true,
    format: 'esm',
    chunkNames: 'shared-[hash]',
    // For stack traces; Node prints the whole line of an error that nobody catches.
    minify: false,
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 200,
    // The segmenter belongs to the screens.
    inject: [],
    plugins: [withoutUnneeded, plainBuiltins],
  });
  const types = [...bundleTypes()].map(([name, text]) => ({path: join(folder, name), contents: Buffer.from(text)}));
  return [...outputFiles.filter(({path}) => !path.includes('.twin.')), ...types];
};

const emitDeclarations = (outDir: string): void => {
  const root = join(import.meta.dirname, '..');
  const config = join(outDir, 'tsconfig.json');
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(root, 'src'),
      outDir,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: entries.map(entry => join(root, sourceOf(entry))),
    include: [],
  };
  writeFileSync(config, JSON.stringify(settings));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], {stdio: 'inherit'});
};

/** A declaration of tsc's with its comment. A comment within one may begin in the first column, too. */
const declarationPattern =
  /^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:export )?(?:declare )?(?:class (?<ofClass>\w+)[\s\S]*?^}\n|(?:type|const|function) (?<other>\w+)[\s\S]*?;\n(?![\s}]))/gm;

const namesIn = (text: string): readonly string[] => text.match(/\b[A-Za-z]\w*/g) ?? [];

/**
 * Returns the declarations by file name. tsc writes a file for each module; what the entry points reach becomes one
 * file, `types.d.ts`. It stops if two of them have one name, as private ones may.
 */
const bundleTypes = (): ReadonlyMap<string, string> => {
  const folder = mkdtempSync(join(tmpdir(), 'branchlog-types-'));
  try {
    emitDeclarations(folder);
    const ofEntries = entries.map(entry => join('library', `${entry}.d.ts`));
    const texts = ofEntries.map(path => readFileSync(join(folder, path), 'utf8'));
    const declarations = new Map<string, string>();
    const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(path => path.endsWith('.d.ts'));
    for (const path of paths.filter(each => !ofEntries.includes(each)).toSorted()) {
      const text = readFileSync(join(folder, path), 'utf8');
      for (const {0: declaration, groups: {ofClass, other = ''} = {}} of text.matchAll(declarationPattern)) {
        const name = ofClass ?? other;
        if (declarations.has(name)) {
          throw new Error(`two types of the library are named ${name}: rename the one in ${path}`);
        }
        declarations.set(name, declaration.replaceAll(/\bimport\("[.#][^"]*"\)\./g, ''));
      }
    }
    const reached = new Set(texts.flatMap(namesIn));
    for (const name of reached) {
      for (const used of namesIn(declarations.get(name) ?? '')) {
        reached.add(used);
      }
    }
    const kept = [...declarations].filter(([name]) => reached.has(name)).map(([, declaration]) => declaration);
    return new Map([
      ['types.d.ts', `/// <reference types="node" />\n${kept.join('')}export {};\n`],
      ...texts.map(
        (text, index) => [`${entries[index]}.d.ts`, text.replaceAll(/ from '.*';$/gm, " from './types.js';")] as const,
      ),
    ]);
  } finally {
    rmSync(folder, {recursive: true});
  }
};
