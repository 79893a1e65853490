/** Decides which code goes into which file of the bundle, and how the files are named. */
import {readFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import type {Metafile, OutputFile, Plugin} from 'esbuild';

const repository = join(import.meta.dirname, '..');

/** Returns the outputs that are loaded with an output, including itself. */
const loadedWith = ({outputs}: Metafile, path: string, found: Set<string> = new Set()): ReadonlySet<string> => {
  if (!found.has(path)) {
    found.add(path);
    for (const {path: imported, kind} of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[imported] !== undefined) {
        loadedWith({outputs} as Metafile, imported, found);
      }
    }
  }
  return found;
};

const outputOf = ({outputs}: Metafile, source: string): string => {
  const [path] = Object.entries(outputs).find(([, {entryPoint}]) => entryPoint === source) ?? [];
  if (path === undefined) {
    throw new Error(`${source} has no output of its own: is it still loaded by import()?`);
  }
  return path;
};

const program = 'src/cli/main.ts';
/** Everything loaded for the first screen, in order: Ink after its rows are there. */
const firstScreen = [program, 'src/cli/screens/ui.ts', 'src/cli/screens/open.ts', 'src/ui/draw-app.tsx'];

/**
 * Returns the modules that the start of the screens shares with other commands: esbuild makes a chunk for each set of
 * commands.
 */
export const sharedByScreens = (metafile: Metafile): readonly string[] => {
  const isInk = (path: string): boolean =>
    Object.keys(metafile.outputs[path]?.inputs ?? {}).some(input => input.endsWith('/ink/build/ink.js'));
  return [...new Set(firstScreen.flatMap(source => [...loadedWith(metafile, outputOf(metafile, source))]))]
    .filter(path => metafile.outputs[path]?.entryPoint === undefined && !isInk(path))
    .flatMap(path => Object.keys(metafile.outputs[path]?.inputs ?? {}))
    .filter(input => /^(?:[^:]*$|builtin:|late-string-width:)/.test(input))
    .map(input => input.replace(/^builtin:/, 'node:').replace(/^late-string-width:/, ''))
    .map(input => (input.includes('/') && !input.startsWith('node:') ? join(repository, input) : input));
};

/**
 * Puts modules into one chunk: every command loads it, so esbuild has no reason to split them. One more file costs as
 * much as 10 kB of code.
 */
export const inOneChunk = (modules: readonly string[], {inputs}: Metafile): Plugin => ({
  name: 'in-one-chunk',
  setup({onResolve, onLoad, resolve}) {
    const commands = new Set(
      Object.entries(inputs)
        .filter(([path]) => path.startsWith('src/'))
        .flatMap(([, {imports}]) => imports.filter(({kind}) => kind === 'dynamic-import').map(({path}) => path))
        .filter(path => path.startsWith('src/'))
        .concat(program)
        .map(path => join(repository, path)),
    );
    onResolve({filter: /^one-chunk$/}, ({path}) => ({path, namespace: 'one-chunk'}));
    onResolve({filter: /./, namespace: 'one-chunk'}, async ({path, kind, pluginData}) => {
      if (pluginData === 'resolving') {
        return undefined;
      }
      const found = await resolve(path, {
        kind,
        resolveDir: repository,
        namespace: 'one-chunk',
        pluginData: 'resolving',
      });
      return {path: found.path, namespace: found.namespace, sideEffects: true};
    });
    onLoad({filter: /.*/, namespace: 'one-chunk'}, () => ({
      contents: modules.map(path => `import ${JSON.stringify(path)};`).join('\n'),
      resolveDir: repository,
    }));
    onLoad({filter: /\/src\/.*\.tsx?$/}, ({path}) =>
      commands.has(path)
        ? {
            contents: `${readFileSync(path, 'utf8')}\nimport 'one-chunk';`,
            loader: path.endsWith('x') ? 'tsx' : 'ts',
            resolveDir: dirname(path),
          }
        : undefined,
    );
  },
});

/**
 * Escapes what esbuild leaves in regular expressions and in raw texts of them: a single character that is not ASCII
 * makes V8 keep and compile the whole file at two bytes a character.
 */
const inAscii = (code: string): string =>
  code.replace(/[^\x00-\x7f]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Gives the files names that stay the same between builds, instead of content hashes: Node's compile cache is keyed by
 * name, and would pile up.
 */
export const withLastingNames = (
  files: readonly Pick<OutputFile, 'path' | 'contents'>[],
): {readonly path: string; readonly contents: Uint8Array}[] => {
  const names = new Map<string, string>();
  for (const {path} of files) {
    const [name = '', stem = ''] = /(.+)-[0-9A-Z]{8}(?=\.js$)/.exec(basename(path)) ?? [];
    if (name !== '') {
      const taken = [...names.values()];
      let lasting = stem;
      for (let count = 2; taken.includes(lasting); count += 1) {
        lasting = `${stem}-${count}`;
      }
      names.set(name, lasting);
    }
  }
  const rename = (text: string): string => {
    let renamed = text;
    for (const [name, lasting] of names) {
      renamed = renamed.replaceAll(name, lasting);
    }
    return renamed;
  };
  return files.map(({path, contents}) => ({
    path: rename(path),
    contents: path.endsWith('.js') ? Buffer.from(inAscii(rename(Buffer.from(contents).toString()))) : contents,
  }));
};
