/** Reads the source as files that import names of each other. `test/house.test.ts` judges it, `house.ts` measures it. */
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, posix, sep} from 'node:path';

/** Names that one file imports from another; `*` stands for a module as a whole. */
export type Import = {readonly specifier: string; readonly names: readonly string[]};

export type SourceFile = {
  /** From the folder of the source on, as `log/view/viewport.ts`. */
  readonly path: string;
  /** The first folder of the path: imports only point down from storey to storey. */
  readonly storey: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
  readonly imports: readonly Import[];
};

/** Without comments, which may speak of anything. Strings that hold comment signs lose a little; no import is among them. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

// Imports and re-exports over several lines, bare imports, dynamic ones (types among them), and workers by URL.
const staticImport = /^\s*(?:import|export)\b(?<clause>[^;'"]*?)\bfrom\s*['"](?<specifier>[^'"]+)['"]/gm;
const bareImport = /^\s*import\s*['"](?<specifier>[^'"]+)['"]/gm;
const dynamicImport =
  /(?:\{(?<clause>[^{}]*)\}\s*=\s*await\s+)?\bimport\(\s*['"](?<specifier>[^'"]+)['"]\s*\)(?:\)*\.(?<member>\w+))?/g;
const workerUrl = /\bnew URL\(\s*['"](?<specifier>\.[^'"]+)['"]/g;

const namesOf = (clause: string): readonly string[] =>
  clause
    .replaceAll(/[{}]/g, '')
    .split(',')
    .map(name =>
      name
        .trim()
        .replace(/^type\s+/, '')
        .replace(/\s*(?:\bas\b|:)[\s\S]*$/, ''),
    )
    .filter(name => name !== '');

const importsIn = (code: string): readonly Import[] =>
  [staticImport, bareImport, dynamicImport, workerUrl].flatMap(pattern =>
    [...code.matchAll(pattern)].map(({groups}) => ({
      specifier: groups?.specifier ?? '',
      names: groups?.clause === undefined ? [groups?.member ?? '*'] : namesOf(groups.clause),
    })),
  );

export const readSource = (folder: string): readonly SourceFile[] =>
  readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter(path => /\.tsx?$/.test(path))
    .map(path => path.split(sep).join('/'))
    .toSorted()
    .map(path => {
      const text = readFileSync(join(folder, path), 'utf8');
      const code = withoutComments(text);
      return {path, storey: path.split('/')[0] ?? '', text, code, imports: importsIn(code)};
    });

/** The file of the source that an import names, or undefined for a package; `../package.json` lies outside. */
export const resolveImport = (from: string, specifier: string): string | undefined =>
  specifier.startsWith('#')
    ? specifier.slice(1)
    : specifier.startsWith('.')
      ? posix.join(dirname(from), specifier)
      : undefined;

/** A module is a folder directly below a storey; the files that lie directly in a storey are one, too. */
export const moduleOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/');

/** One file's import of one name of another, both by path. */
export type Arrow = {readonly from: string; readonly to: string; readonly name: string};

/** Every import between the files, name by name. */
export const arrowsOf = (files: readonly SourceFile[]): readonly Arrow[] => {
  const paths = new Set(files.map(({path}) => path));
  return files.flatMap(({path, imports}) =>
    imports.flatMap(({specifier, names}) => {
      const to = resolveImport(path, specifier);
      return to !== undefined && paths.has(to) ? names.map(name => ({from: path, to, name})) : [];
    }),
  );
};

/** The names of each module that other modules import. */
export const doorNames = (arrows: readonly Arrow[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const doors = new Map<string, Set<string>>();
  for (const {from, to, name} of arrows) {
    if (moduleOf(from) !== moduleOf(to)) {
      doors.set(moduleOf(to), (doors.get(moduleOf(to)) ?? new Set()).add(name));
    }
  }
  return doors;
};

/** For each folder, or module, those that its files import from. */
export const importedBy = (
  arrows: readonly Arrow[],
  placeOf: (path: string) => string,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const imported = new Map<string, Set<string>>();
  for (const {from, to} of arrows) {
    if (placeOf(from) !== placeOf(to)) {
      imported.set(placeOf(from), (imported.get(placeOf(from)) ?? new Set()).add(placeOf(to)));
    }
  }
  return imported;
};

/** Pairs of modules that import each other, each as `a, b`. */
export const twoWayPairs = (arrows: readonly Arrow[]): readonly string[] => {
  const imported = importedBy(arrows, moduleOf);
  return [...imported]
    .flatMap(([from, targets]) =>
      [...targets].filter(to => from < to && imported.get(to)?.has(from)).map(to => `${from}, ${to}`),
    )
    .toSorted();
};
