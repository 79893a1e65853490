import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const src = join(import.meta.dirname, '../src');
const design = readFileSync(join(src, '../docs/design.md'), 'utf8');

type Named = {readonly name: string; readonly path: string};

/** Links whose text is the name of something exported: a link to a file has its path as text. */
const namedIn = (text: string): readonly Named[] =>
  [...text.matchAll(/\[`(\w+)`\]\(\.\.\/src\/([\w/-]+\.tsx?)\)/g)].map(([, name = '', path = '']) => ({name, path}));

const exportsOf = (path: string): readonly string[] =>
  existsSync(join(src, path))
    ? [...readFileSync(join(src, path), 'utf8').matchAll(/^export (?:const|class|function\*?|type) (\w+)/gm)].map(
        ([, name = '']) => name,
      )
    : [];

test('every function that the design names is exported by the file that it links to', () => {
  const named = namedIn(design);
  expect(named.length).toBeGreaterThan(45);
  expect(named.filter(({name, path}) => !exportsOf(path).includes(name))).toEqual([]);
});

test('a function named without a link was linked before', () => {
  const walk = /## A line's way\n([\s\S]*?)\n## /.exec(design)?.[1] ?? '';
  const linked = new Set(namedIn(walk).map(({name}) => name));
  // The event, and the state's field.
  const others = ['windowArrived', 'generation'];
  const bare = [...walk.replaceAll(/\[[^\]]*\]\([^)]*\)/g, '').matchAll(/`([a-z]\w*)`/g)].map(([, name = '']) => name);
  expect(bare.filter(name => !linked.has(name) && !others.includes(name))).toEqual([]);
});

test('each step of the walk imports what it calls: no name is taken from nowhere', () => {
  const walk = /## A line's way\n([\s\S]*?)\n## /.exec(design)?.[1] ?? '';
  const steps = namedIn(walk);
  const texts = new Map(steps.map(({path}) => [path, readFileSync(join(src, path), 'utf8')]));
  // Called through an option, by the runtime, or by who wires the program.
  const wired = [
    'createClient',
    'createWindowPreparer',
    'createEffectRunner',
    'createStore',
    'createScreen',
    'App',
    'readKeys',
  ];
  const unused = steps.filter(
    ({name, path}) =>
      !wired.includes(name) &&
      ![...texts].some(([other, text]) => other !== path && new RegExp(`import[^;]*\\b${name}\\b`).test(text)) &&
      // Or it is called in the file that defines it.
      !(texts.get(path) ?? '').includes(`${name}(`),
  );
  expect(unused).toEqual([]);
});
