import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {workerCodePath} from '../scripts/executable/executable-plugins.ts';
import {
  arrowsOf,
  doorNames,
  importedBy,
  moduleOf,
  readSource,
  resolveImport,
  type SourceFile,
  withoutComments,
} from '../scripts/house-files.ts';

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

const files = readSource(src);
const arrows = arrowsOf(files);

/** The one file outside src/ that may be imported, and by whom: the version has a single home. */
const outside: Readonly<Record<string, string>> = {'../package.json': 'cli'};

test('sees the source at all', () => {
  expect(files.length).toBeGreaterThan(10);
  const imports = files.flatMap(file => file.imports.map(({specifier}) => resolveImport(file.path, specifier)));
  expect(imports).toContain('terminal/screen/escapes.ts');
});

test('imports point down the house only', () => {
  const wrong = files.flatMap(file =>
    file.imports.flatMap(({specifier}) => {
      const target = resolveImport(file.path, specifier);
      if (target === undefined) {
        return [];
      }
      const folder = target.split('/')[0] ?? '';
      const isAllowed =
        outside[target] === file.storey || folder === file.storey || mayImport[file.storey]?.includes(folder);
      return isAllowed ? [] : [`${file.path} imports ${target}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test('every import inside the house names a file that is there, with its ending', () => {
  const paths = new Set(files.map(({path}) => path));
  const wrong = files.flatMap(file =>
    file.imports
      .map(({specifier}) => resolveImport(file.path, specifier))
      .filter(target => target !== undefined && !paths.has(target) && outside[target] === undefined)
      .map(target => `${file.path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('the log engine is pure: no I/O, clock, randomness or React', () => {
  const impure = files
    .filter(({storey}) => storey === 'log')
    .flatMap(({path, text, imports}) => {
      const modules = imports
        .map(({specifier}) => specifier)
        .filter(specifier => /^(?:node:|react|ink)/.test(specifier));
      const globals = withoutComments(text).match(
        /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.|process\.|setTimeout|setInterval|setImmediate|queueMicrotask|fetch\(|console\.|crypto\.)/g,
      );
      return [...modules, ...(globals ?? [])].map(name => `${path}: ${name}`);
    });
  // Compressing depends on nothing but the bytes, although Node's compressor is a module of its own.
  expect(impure).toEqual(['node:zlib', 'process.'].map(name => `log/text/compress-text.ts: ${name}`));
});

test('the module that the executable replaces is there, and has nothing but what it replaces', () => {
  const replaced = files.find(({path}) => `src/${path}` === workerCodePath);
  expect([...(replaced?.text.matchAll(/^export .*/gm) ?? [])].map(([line]) => line)).toEqual([
    expect.stringMatching(/^export const workerCode\b/),
  ]);
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

test('every file that a comment names exists', () => {
  const wrong = files.flatMap(({path, text}) =>
    [...text.matchAll(/`((?:[\w-]+\/)*[\w-]+\.tsx?)`/g)]
      .map(([, name = '']) => name)
      .filter(name => !files.some(file => `/${file.path}`.endsWith(`/${name}`)))
      .map(name => `src/${path}: ${name}`),
  );
  expect(wrong).toEqual([]);
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
    for (const {specifier} of file.imports) {
      const target = resolveImport(file.path, specifier);
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
  'log/reading/vocabulary.ts',
  'log/window/texts.ts',
];

test('no module of the engine or the screens remembers anything but those that the map in src names', () => {
  const isCore = ({storey}: SourceFile): boolean => storey === 'app' || storey === 'log';
  const moduleState =
    /^(?:export )?(?:let|var) |^(?:export )?const \w+(?::(?! readonly)[^=]*)? = (?:new (?:Map|Set|WeakMap|WeakRef)(?:<.*>)?\(\)|\[\];)/m;
  const found = files.filter(file => isCore(file) && moduleState.test(withoutComments(file.text)));
  expect(found.map(({path}) => path).toSorted()).toEqual(remembering.toSorted());
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
  'app/search/search-thread/worker-code.ts',
  'log/text/compress-text.ts',
];

test('nothing in the engine or the screens reads a clock, takes chance or reaches outside but the search', () => {
  const outsides =
    /\b(?:performance\.now|Date\.now|Math\.random|process\.\w+|setTimeout\(|setInterval\(|setImmediate\(|queueMicrotask\()|new Date\(\)|from 'node:/;
  const found = files.filter(
    ({storey, text}) => (storey === 'app' || storey === 'log') && outsides.test(withoutComments(text)),
  );
  expect(found.map(({path}) => path).toSorted()).toEqual(besidePure.toSorted());
});

test('no file makes an Intl object when it is loaded: the first ones take 14 ms and 9 MB of every start', () => {
  const atLoad = files.filter(({text}) => /^(?:export )?const .*\bnew Intl\./m.test(withoutComments(text)));
  expect(atLoad.map(({path}) => path)).toEqual([]);
});

test('across modules only doors are imported: the files that lie in a module directly', () => {
  const wrong = arrows.filter(({from, to}) => moduleOf(from) !== moduleOf(to) && dirname(to) !== moduleOf(to));
  expect([...new Set(wrong.map(({from, to}) => `${from} imports ${to}`))]).toEqual([]);
});

test('imports across modules are written from the root, those inside relatively', () => {
  const wrong = files.flatMap(({path, imports}) =>
    imports
      .filter(({specifier}) => {
        const target = resolveImport(path, specifier);
        const isAcross = target !== undefined && outside[target] === undefined && moduleOf(target) !== moduleOf(path);
        return target !== undefined && outside[target] === undefined && specifier.startsWith('#') !== isAcross;
      })
      .map(({specifier}) => `${path} imports ${specifier}`),
  );
  expect(wrong).toEqual([]);
});

test('modules import each other one way: no circle', () => {
  const imported = importedBy(arrows, moduleOf);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (module: string, trail: readonly string[]): void => {
    if (trail.includes(module)) {
      circles.push([...trail.slice(trail.indexOf(module)), module].join(' → '));
      return;
    }
    if (!done.has(module)) {
      for (const target of imported.get(module) ?? []) {
        visit(target, [...trail, module]);
      }
      done.add(module);
    }
  };
  for (const module of imported.keys()) {
    visit(module, []);
  }
  expect(circles).toEqual([]);
});

/** More names than this at a door cannot be taken in. */
const doorNamesMax = 40;

test('a door is no wider than can be taken in', () => {
  const wide = [...doorNames(arrows)]
    .filter(([, names]) => names.size > doorNamesMax)
    .map(([module, names]) => `${module}: ${names.size} names`);
  expect(wide).toEqual([]);
});

test('every module has its line in the map, and every line a module', () => {
  const readme = readFileSync(join(src, 'README.md'), 'utf8');
  const lines = [...readme.matchAll(/^\| \[`([\w/-]+)`\]\(\1\) \| \S/gm)].map(([, module = '']) => module);
  expect(lines.toSorted()).toEqual([...new Set(files.map(({path}) => moduleOf(path)))].toSorted());
});

/** Names that may stand twice, each with its reason. */
const sharedNames: Readonly<Record<string, string>> = {
  PodRecord: 'the interface served and the interface consumed each describe it, and neither may import the other',
};

test('an exported name means one thing in its module, and among all doors', () => {
  const atDoors = doorNames(arrows);
  const exported = files.flatMap(({path, code}) =>
    [...code.matchAll(/^export (?:declare )?(?:const|type|(?:async )?function\*?|class|interface|enum) (\w+)/gm)].map(
      match => ({name: match[1] ?? '', module: moduleOf(path)}),
    ),
  );
  const doubled = [...Map.groupBy(exported, ({name}) => name)].filter(([name, places]) => {
    const modules = places.map(({module}) => module);
    const doors = modules.filter(module => atDoors.get(module)?.has(name));
    return sharedNames[name] === undefined && (new Set(modules).size < modules.length || doors.length > 1);
  });
  expect(doubled.map(([name, places]) => `${name}: ${places.map(({module}) => module).join(', ')}`)).toEqual([]);
});
