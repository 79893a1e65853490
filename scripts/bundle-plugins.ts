/** Replaces some modules in the bundle, so that the first screen appears sooner and needs less memory. */
import {readFileSync} from 'node:fs';
import {builtinModules} from 'node:module';
import {dirname, join} from 'node:path';
import type {Plugin} from 'esbuild';

const repository = join(import.meta.dirname, '..');

/** Fails the build if a package no longer looks as these plugins expect. */
const replaceOnce = (text: string, found: string | RegExp, put: string): string => {
  const pieces = text.split(found);
  if (pieces.length !== 2) {
    throw new Error(`The bundle replaces ${found} once; it is there ${pieces.length - 1} times.`);
  }
  return pieces.join(put);
};

/**
 * Ink imports React's devtools only for DEV=true, which the build's defines rule out; an empty module replaces them.
 */
export const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^react-devtools-core$/}, ({path}) => ({path, namespace: 'devtools'}));
    onLoad({filter: /.*/, namespace: 'devtools'}, () => ({contents: 'export default {};'}));
  },
};

const yogaFile = join(repository, 'node_modules/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js');
const yogaAddress = /data:application\/octet-stream;base64,[A-Za-z0-9+/=]+/;

/** Yoga's WebAssembly code, stored next to the chunks as `yoga.wasm`. */
export const yogaCode = (): Uint8Array => {
  const [address = ''] = yogaAddress.exec(readFileSync(yogaFile, 'utf8')) ?? [];
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
};

/**
 * Loads Yoga's code with a function, the default export of the module `read`. The package fetches a base64 `data:` URL,
 * which loads all of Node's own `fetch`: 40 ms and 8 MB.
 */
const yogaFrom = (read: string): Plugin => ({
  name: 'yoga-code',
  setup({onResolve, onLoad}) {
    onLoad({filter: /\/yoga-layout\/dist\/binaries\/yoga-wasm-base64-esm\.js$/}, ({path}) => ({
      contents: replaceOnce(readFileSync(path, 'utf8'), yogaAddress, 'yoga.wasm'),
    }));
    onLoad({filter: /\/yoga-layout\/dist\/src\/index\.js$/}, ({path}) => ({
      resolveDir: dirname(path),
      // Without a fetch nothing is left to wait for: the object handed over is the module when the call returns.
      contents: `import yogaCode from 'branchlog:yoga';
        const yoga = {
          instantiateWasm(imports, done) {
            const instance = new WebAssembly.Instance(new WebAssembly.Module(yogaCode()), imports);
            done(instance);
            return instance.exports;
          },
        };
        loadYoga(yoga);
        ${replaceOnce(readFileSync(path, 'utf8'), 'await loadYoga()', 'yoga')}`,
    }));
    onResolve({filter: /^branchlog:yoga$/}, ({path}) => ({path, namespace: 'yoga-code'}));
    onLoad({filter: /.*/, namespace: 'yoga-code'}, () => ({contents: read}));
  },
});

/** In the npm package the code is a file beside the chunks. */
export const yogaAsFile = yogaFrom(`import {readFileSync} from 'node:fs';
  export default () => readFileSync(new URL('./yoga.wasm', import.meta.url));`);

/** In the executable it is an asset. */
export const yogaAsAsset = yogaFrom(`import {getRawAsset} from 'node:sea';
  export default () => new Uint8Array(getRawAsset('yoga.wasm'));`);

/**
 * One string-width for the program and all of Ink's packages, which bring five copies. It runs only when a text needs
 * it: compiling its emoji tables takes 15 ms.
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

/** Modules that the first screen imports but uses later or never. */
const lateBuiltins = ['child_process', 'crypto', 'fs/promises', 'timers/promises'];

const wholeOf = (name: string): string => `process.getBuiltinModule('${name}')`;

/** What a late module exports: functions and classes are found when they are called. */
const lateCode = (name: string, key: string): string =>
  `function (...args) { const it = ${wholeOf(name)}.${key}; return new.target ? new it(...args) : it(...args); }`;

/** A module of Node's, of which the bundle keeps the exports that are imported somewhere. */
const moduleCode = (name: string): string => {
  const isLate = lateBuiltins.includes(name);
  const exported = Object.entries(process.getBuiltinModule(`node:${name}`) ?? {})
    .filter(([key]) => /^\w+$/.test(key))
    .map(([key, value], index) => {
      const code =
        isLate && typeof value === 'function'
          ? lateCode(name, key)
          : `/* @__PURE__ */ (() => ${wholeOf(name)}.${key})()`;
      return `const e${index} = ${code}; export {e${index} as ${key}};`;
    });
  return [`export default /* @__PURE__ */ ${wholeOf(name)};`, ...exported].join('\n');
};

/**
 * Node's own modules, some of them loaded on first use. A plain import makes Node read all exports, and so loads what
 * the module would otherwise load on demand: reports for `node:process`, an argument parser for `node:util`. A CommonJS
 * module in its place would be copied, export by export, for every module that imports it.
 */
export const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^(?:node:)?[a-z0-9_/]+$/}, ({path, kind}) => {
      const name = path.replace(/^node:/, '');
      return kind !== 'dynamic-import' && builtinNames.has(name)
        ? {path: name, namespace: kind === 'require-call' ? 'required-builtin' : 'builtin'}
        : undefined;
    });
    onLoad({filter: /.*/, namespace: 'builtin'}, ({path}) => ({contents: moduleCode(path)}));
    onLoad({filter: /.*/, namespace: 'required-builtin'}, ({path}) => ({
      contents: `module.exports = ${wholeOf(path)};`,
    }));
  },
};

/** Imports of packages for features that the program has disabled. */
const unneeded: readonly {readonly module: RegExp; readonly importer: RegExp; readonly contents: string}[] = [
  // Ink's own exit handling: terminal/lifecycle/lifecycle.ts handles signals and exits, and unmounts.
  {module: /^signal-exit$/, importer: /\/(?:ink|restore-cursor)\//, contents: 'module.exports = () => () => {};'},
  // Ink queries the terminal size if its stdout has none; ours has.
  {module: /^terminal-size$/, importer: /\/ink\//, contents: 'export default () => ({columns: 80, rows: 24});'},
  // The pointer of ink-select-input's own indicator, which ours replaces.
  {module: /^figures$/, importer: /\/ink-select-input\//, contents: 'export default {};'},
  // HTTP/2 and the cache of got, both disabled (api/client/client.ts).
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
  // What the SDK of the agent's protocol checks of answers that a client gives to a server: ours asks nothing.
  {
    module: /\/ajv-provider\.js$/,
    importer: /\/@modelcontextprotocol\//,
    contents: 'export class AjvJsonSchemaValidator {}',
  },
  // Schemas of older versions of zod, and messages in other languages than English.
  {module: /^zod\/v3$/, importer: /\/@modelcontextprotocol\//, contents: 'export const object = undefined;'},
  {
    module: /^zod-to-json-schema$/,
    importer: /\/@modelcontextprotocol\//,
    contents: 'export const zodToJsonSchema = undefined;',
  },
  {module: /\/locales\/index\.js$/, importer: /\/zod\//, contents: 'export default {};'},
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

/** What the plugins change of packages that ship, for the list of what is in the bundle. */
export const changedPackages: Readonly<Record<string, string>> = {
  got: 'without HTTP/2 and the cache, which the program does not use',
  ink: 'without its own handling of signals, its query of the size of the terminal, and the devtools of React',
  'ink-select-input': 'without figures, the package of its own pointer',
  'string-width': 'one copy for all packages, called for texts of more than plain characters only',
  'yoga-layout': 'its WebAssembly code is a file beside the program, read without a fetch',
};
