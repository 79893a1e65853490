/** What the bundle has in the place of some modules, so that the first screen is there sooner and holds less. */
import {readFileSync} from 'node:fs';
import {builtinModules} from 'node:module';
import {dirname, join} from 'node:path';
import type {Plugin} from 'esbuild';

const repository = join(import.meta.dirname, '..');

/** Fails the build where a package no longer looks as these plugins expect. */
const replaceOnce = (text: string, found: string | RegExp, put: string): string => {
  const pieces = text.split(found);
  if (pieces.length !== 2) {
    throw new Error(`The bundle replaces ${found} once; it is there ${pieces.length - 1} times.`);
  }
  return pieces.join(put);
};

/** Ink imports React's devtools for DEV=true only, which the build's defines rule out; an empty module stands in for them. */
export const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^react-devtools-core$/}, ({path}) => ({path, namespace: 'devtools'}));
    onLoad({filter: /.*/, namespace: 'devtools'}, () => ({contents: 'export default {};'}));
  },
};

const yogaFile = join(repository, 'node_modules/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js');
const yogaAddress = /data:application\/octet-stream;base64,[A-Za-z0-9+/=]+/;

/** Yoga's code for the machine of WebAssembly, which belongs beside the chunks as `yoga.wasm`. */
export const yogaCode = (): Uint8Array => {
  const [address = ''] = yogaAddress.exec(readFileSync(yogaFile, 'utf8')) ?? [];
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
};

/** Yoga's code from a file. The package fetches a `data:` address with it as base64, which loads all of Node's own `fetch`: 40 ms and 8 MB. */
export const yogaAsFile: Plugin = {
  name: 'yoga-as-file',
  setup({onLoad}) {
    onLoad({filter: /\/yoga-layout\/dist\/binaries\/yoga-wasm-base64-esm\.js$/}, ({path}) => ({
      contents: replaceOnce(readFileSync(path, 'utf8'), yogaAddress, 'yoga.wasm'),
    }));
    onLoad({filter: /\/yoga-layout\/dist\/src\/index\.js$/}, ({path}) => ({
      contents: `import {readFileSync} from 'node:fs';
        const instantiateWasm = (imports, done) => {
          const code = new WebAssembly.Module(readFileSync(new URL('./yoga.wasm', import.meta.url)));
          const instance = new WebAssembly.Instance(code, imports);
          done(instance);
          return instance.exports;
        };
        ${replaceOnce(readFileSync(path, 'utf8'), 'loadYoga()', 'loadYoga({instantiateWasm})')}`,
    }));
  },
};

/**
 * One string-width for the program and for all of Ink's packages, which bring five copies, and it is run only when a text needs
 * it: compiling its tables of emoji takes 15 ms.
 */
export const lateStringWidth: Plugin = {
  name: 'late-string-width',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^string-width$/}, ({path}) => ({path, namespace: 'late-string-width'}));
    onResolve({filter: /^itself$/, namespace: 'late-string-width'}, () => ({
      path: join(repository, 'node_modules/string-width/index.js'),
    }));
    onLoad({filter: /.*/, namespace: 'late-string-width'}, () => ({
      resolveDir: dirname(import.meta.dirname),
      contents: `import {plainColumns} from './scripts/bundled-columns.ts';
        const isPlainCall = (text, options) =>
          typeof text === 'string' && options?.ambiguousIsNarrow !== false && !(options?.countAnsiEscapeCodes && text.includes('\\u001b'));
        export default (text, options) =>
          (isPlainCall(text, options) ? plainColumns(text) : undefined) ?? require('itself').default(text, options);`,
    }));
  },
};

const builtinNames = new Set(builtinModules);

/** Imported by what the first screen needs, and used later or never; plain objects, so that a stand-in of getters can be told from none. */
const lateBuiltins = ['child_process', 'crypto', 'fs/promises'];

const codeOfBuiltin = (name: string): string =>
  lateBuiltins.includes(name)
    ? `for (const key of ${JSON.stringify(Object.keys(process.getBuiltinModule(`node:${name}`) ?? {}))})
        Object.defineProperty(exports, key, {enumerable: true, get: () => process.getBuiltinModule('${name}')[key]});`
    : `module.exports = process.getBuiltinModule('${name}');`;

/**
 * Node's own modules as they are, some of them when first used. Where one is imported as itself Node reads all that it exports, and that
 * loads what the module would have loaded when asked for: `node:process` the reports, `node:util` a parser of arguments.
 */
export const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^(?:node:)?[a-z0-9_/]+$/}, ({path, kind}) => {
      const name = path.replace(/^node:/, '');
      return kind !== 'dynamic-import' && builtinNames.has(name) ? {path: name, namespace: 'builtin'} : undefined;
    });
    onLoad({filter: /.*/, namespace: 'builtin'}, ({path}) => ({contents: codeOfBuiltin(path)}));
  },
};

/** What packages import for features that the program has switched off. */
const unneeded: readonly {readonly module: RegExp; readonly importer: RegExp; readonly contents: string}[] = [
  // Ink's own way out: terminal/lifecycle/lifecycle.ts looks after signals and exits, and unmounts.
  {module: /^signal-exit$/, importer: /\/(?:ink|restore-cursor)\//, contents: 'module.exports = () => () => {};'},
  // Ink asks for the terminal's size where its stdout tells none; ours does.
  {module: /^terminal-size$/, importer: /\/ink\//, contents: 'export default () => ({columns: 80, rows: 24});'},
  // The pointer of ink-select-input's own indicator, which ours takes the place of.
  {module: /^figures$/, importer: /\/ink-select-input\//, contents: 'export default {};'},
  // HTTP/2 and the cache of got, both off (api/http/client.ts).
  {module: /\/http2-client\.js$/, importer: /\/got\//, contents: 'export default {};'},
  {
    module: /^node:http2$/,
    importer: /\/got\//,
    contents: 'export class Http2ServerResponse {}; export const constants = {};',
  },
  {
    module: /^cacheable-request$/,
    importer: /\/got\//,
    contents: 'export default class {}; export class CacheError extends Error {}',
  },
];

export const withoutUnneeded: Plugin = {
  name: 'without-unneeded',
  setup({onResolve, onLoad}) {
    for (const [index, {module, importer, contents}] of unneeded.entries()) {
      const namespace = `unneeded-${index}`;
      onResolve({filter: module}, args => (importer.test(args.importer) ? {path: args.path, namespace} : undefined));
      onLoad({filter: /.*/, namespace}, () => ({contents}));
    }
  },
};
