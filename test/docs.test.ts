import {existsSync, globSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {keymap} from '../src/app/keys/keymap.ts';
import {rebindKeys} from '../src/app/keys/rebind-keys.ts';
import {readCallWishes} from '../src/cli/service/call-wishes.ts';
import {loadSettings} from '../src/config/client/load-settings.ts';
import {createTempFolder} from './support/temp-folder.ts';

const text = readFileSync('docs/configuration.md', 'utf8');
const examples = [...text.matchAll(/```toml\n(.*?)```/gs)].map(([, toml = '']) => toml);

test('the examples of docs/configuration.md are taken as they stand, all in one file', async () => {
  expect(examples).toHaveLength(4);
  const folder = createTempFolder('docs');
  try {
    const path = join(folder.path, 'config.toml');
    writeFileSync(path, examples.join('\n'));
    const settings = loadSettings({
      flags: {config: path, baseUrl: 'https://api.example.com/dev-v1', tenant: 't', authMode: 'a', tokenFile: '/token'},
      env: {},
      homeFolder: undefined,
    });
    const {keys, notify} = settings;
    const rebound = rebindKeys(keymap, keys.bindings, {place: keys.place, suggest: () => undefined});
    expect(rebound).toMatchObject({kind: 'keymap'});
    const wishes = await readCallWishes(notify);
    expect([wishes?.matches?.('PHP Fatal error: x'), wishes?.matches?.('calm')]).toEqual([true, false]);
  } finally {
    folder.remove();
  }
});

test('every key of [ui] and [notify] has its row, and every table its section', () => {
  for (const key of ['theme', 'mouse', 'bell', 'osc9', 'pattern', 'first_error', 'quiet']) {
    expect(text).toContain(`\n| \`${key}\` | `);
  }
  for (const table of ['ui', 'keys', 'notify']) {
    expect(text).toContain(`\n## \`[${table}]\`\n`);
  }
});

const documents = globSync('**/*.md', {exclude: ['node_modules', 'dist', 'coverage']});
const readDocument = (path: string): string => readFileSync(path, 'utf8');

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trimStart()
    .replaceAll(' ', '-');
const anchorsIn = (path: string): readonly string[] =>
  [...readDocument(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('all documents are looked at', () => {
  expect(documents).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'src/README.md']),
  );
});

test.each(documents)('the links of %s lead to files and headings that exist', path => {
  const links = [...readDocument(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const dead = links
    .filter(link => !/^[a-z]+:/.test(link))
    .filter(link => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      return !existsSync(target) || (anchor !== undefined && !anchorsIn(target).includes(anchor));
    });
  expect(dead).toEqual([]);
});

test.each(documents)('the npm scripts and the files that %s names exist', path => {
  const {scripts} = JSON.parse(readFileSync('package.json', 'utf8')) as {scripts: Record<string, string>};
  const document = readDocument(path);
  const named = [...document.matchAll(/\bnpm run (?:--silent )?([a-z:-]+)/g)].map(([, name = '']) => name);
  expect(named.filter(name => !(name in scripts))).toEqual([]);
  const paths = [...document.matchAll(/`((?:\.ci|\.github|bench|bin|docs|scripts|src|test)\/[^`*\s]*)`/g)].map(
    ([, file = '']) => file,
  );
  expect(paths.filter(file => !existsSync(file))).toEqual([]);
});
