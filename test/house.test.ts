import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import {expect, test} from 'vitest';

/** Who may import whom; everyone may import from its own folder. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  library: ['app', 'api', 'config', 'log', 'base'],
  cli: ['ui', 'app', 'terminal', 'demo', 'service', 'api', 'config', 'log', 'base'],
  ui: ['app', 'log'],
  app: ['api', 'log', 'base'],
  terminal: ['log', 'base'],
  demo: ['service', 'log', 'base'],
  service: ['log', 'base'],
  api: ['config', 'log', 'base'],
  config: ['log', 'base'],
  log: [],
  base: [],
};

/** Past 250 lines a file should ask whether it holds two ideas; past this it does. */
const linesMax = 400;

const src = join(import.meta.dirname, '../src');

type SourceFile = {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly imports: readonly string[];
};

// Imports and re-exports over several lines, bare imports, dynamic ones (types among them), and workers by URL.
const importPatterns = [
  /^\s*(?:import|export)\b[^;'"]*?\bfrom\s*['"]([^'"]+)['"]/gm,
  /^\s*import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
  /\bnew URL\(\s*['"](\.[^'"]+)['"]/g,
];

/** Without comments, which may speak of anything. Strings that hold comment signs lose a little; no import is among them. */
const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

const files: readonly SourceFile[] = readdirSync(src, {recursive: true, encoding: 'utf8'})
  .filter(path => /\.tsx?$/.test(path))
  .map(path => {
    const text = readFileSync(join(src, path), 'utf8');
    const code = withoutComments(text);
    return {
      path: path.split(sep).join('/'),
      folder: path.split(sep)[0] ?? '',
      text,
      imports: importPatterns.flatMap(pattern => [...code.matchAll(pattern)].map(match => match[1] ?? '')),
    };
  });

/** The one file outside src/ that may be imported, and by whom: the version has a single home. */
const outside: Readonly<Record<string, string>> = {'../package.json': 'cli'};

/** The file of src/ that an import names, or undefined for a package. */
const resolveImport = (from: SourceFile, imported: string): string | undefined =>
  imported.startsWith('#')
    ? imported.slice(1)
    : imported.startsWith('.')
      ? relative(src, join(src, dirname(from.path), imported))
          .split(sep)
          .join('/')
      : undefined;

test('sees the source at all', () => {
  expect(files.length).toBeGreaterThan(10);
  const imports = files.flatMap(file => file.imports.map(imported => resolveImport(file, imported)));
  expect(imports).toContain('terminal/screen/escapes.ts');
});

test('imports point down the house only', () => {
  const wrong = files.flatMap(file =>
    file.imports.flatMap(imported => {
      const target = resolveImport(file, imported);
      if (target === undefined) {
        return [];
      }
      const folder = target.split('/')[0] ?? '';
      const isAllowed =
        outside[target] === file.folder || folder === file.folder || mayImport[file.folder]?.includes(folder);
      return isAllowed ? [] : [`${file.path} imports ${target}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test('every import inside the house names a file that is there, with its ending', () => {
  const paths = new Set(files.map(({path}) => path));
  const wrong = files.flatMap(file =>
    file.imports
      .map(imported => resolveImport(file, imported))
      .filter(target => target !== undefined && !paths.has(target) && outside[target] === undefined)
      .map(target => `${file.path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('the log engine is pure: no I/O, clock, randomness or React', () => {
  const impure = files
    .filter(({folder}) => folder === 'log')
    .flatMap(({path, text, imports}) => {
      const modules = imports.filter(imported => /^(?:node:|react|ink)/.test(imported));
      const globals = withoutComments(text).match(
        /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.|process\.|setTimeout|setInterval|setImmediate|queueMicrotask|fetch\(|console\.|crypto\.)/g,
      );
      return [...modules, ...(globals ?? [])].map(name => `${path}: ${name}`);
    });
  // Compressing depends on nothing but the bytes, although Node's compressor is a module of its own.
  expect(impure).toEqual(['node:zlib', 'process.'].map(name => `log/text/compress-text.ts: ${name}`));
});

test('nothing is exported by default', () => {
  const wrong = files.filter(({text}) => /^export default\b|^export \{[^}]*\bas default\b/m.test(text));
  expect(wrong.map(({path}) => path)).toEqual([]);
});

/** What the package exports: a file names the exports of an entry point. */
const entryPoints = ['library/api.ts', 'library/log.ts'];

test('only the entry points of the library gather exports of other files', () => {
  const gathers = files.filter(({text}) => [...withoutComments(text).matchAll(/^export [^;=]*? from '/gm)].length > 1);
  expect(gathers.map(({path}) => path).toSorted()).toEqual(entryPoints);
});

test('no file is too long to hold one idea', () => {
  const long = files.filter(({text}) => text.split('\n').length > linesMax);
  expect(long.map(({path}) => path)).toEqual([]);
});

/** Biome wraps code at this column, but not comments. */
const commentColumnsMax = 120;

test('no comment line is longer than 120 columns', () => {
  const long = files.flatMap(({path, text}) =>
    text
      .split('\n')
      .map((line, index) => ({line, place: `src/${path}:${index + 1}`}))
      // An address that is cut in two can be neither clicked nor copied.
      .filter(({line}) => /^\s*(?:\*|\/\*\*|\/\/)/.test(line) && !/\bhttps?:\/\//.test(line))
      .filter(({line}) => line.length > commentColumnsMax)
      .map(({line, place}) => `${place}: ${line.length} columns`),
  );
  expect(long).toEqual([]);
});

test('no file imports itself by way of others', () => {
  const byPath = new Map(files.map(file => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    const file = byPath.get(path);
    if (!file || done.has(path)) {
      return;
    }
    for (const imported of file.imports) {
      const target = resolveImport(file, imported);
      if (target !== undefined) {
        visit(target, [...trail, path]);
      }
    }
    done.add(path);
  };
  for (const {path} of files) {
    visit(path, []);
  }
  expect(cycles).toEqual([]);
});

/** What `src/README.md` says under "What pure means here". */
const remembering = [
  'app/keys/keymap.ts',
  'app/search/search-thread/search-worker.ts',
  'log/buffer/chunk.ts',
  'log/line/instant.ts',
  'log/window/texts.ts',
];

test('no module of the engine or the screens remembers anything but those that the map in src names', () => {
  const isCore = ({folder}: SourceFile): boolean => folder === 'app' || folder === 'log';
  const moduleState =
    /^(?:export )?(?:let|var) |^(?:export )?const \w+(?::(?! readonly)[^=]*)? = (?:new (?:Map|Set|WeakMap|WeakRef)(?:<.*>)?\(\)|\[\];)/m;
  const found = files.filter(file => isCore(file) && moduleState.test(withoutComments(file.text)));
  expect(found.map(({path}) => path).toSorted()).toEqual([...new Set(remembering)].toSorted());
  const readme = readFileSync(join(src, 'README.md'), 'utf8');
  expect(remembering.filter(path => !readme.includes(`](${path})`))).toEqual([]);
  const tables = files.filter(file => isCore(file) && /\bnew Weak(?:Map|Ref|Set)\b/.test(withoutComments(file.text)));
  expect(tables.map(({path}) => path)).toEqual(['log/buffer/weak-cache.ts']);
});

/**
 * A hash of a text is as pure as a sum, and so is its compressed form. The search has a thread, which reads
 * files, and its deadlines.
 */
const besidePure = [
  'app/log/marking.ts',
  'app/search/search-thread/search-worker.ts',
  'app/search/search-thread/search-thread.ts',
  'app/search/search-thread/search-thread.ts',
  'app/search/search-thread/search-worker.ts',
  'app/search/search-thread/search-thread.ts',
  'log/text/compress-text.ts',
];

test('nothing in the engine or the screens reads a clock, takes chance or reaches outside but the search', () => {
  const outsides =
    /\b(?:performance\.now|Date\.now|Math\.random|process\.\w+|setTimeout\(|setInterval\(|setImmediate\(|queueMicrotask\()|new Date\(\)|from 'node:/;
  const found = files.filter(
    ({folder, text}) => (folder === 'app' || folder === 'log') && outsides.test(withoutComments(text)),
  );
  expect(found.map(({path}) => path).toSorted()).toEqual([...new Set(besidePure)].toSorted());
});

test('no file makes an Intl object when it is loaded: the first ones take 14 ms and 9 MB of every start', () => {
  const atLoad = files.filter(({text}) => /^(?:export )?const .*\bnew Intl\./m.test(withoutComments(text)));
  expect(atLoad.map(({path}) => path)).toEqual([]);
});
