import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {ConfigError, loadSettings} from '#config/settings/load-settings.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('ui-settings');
});
afterEach(() => folder.remove());

const context = `
[contexts.prod]
base_url = "https://api.example.com/dev-v1"
tenant = "acme"
auth_mode = "sso"
token_file = "token"
`;

const load = (toml: string) => {
  const config = join(folder.path, 'c.toml');
  writeFileSync(config, `${context}${toml}`);
  return loadSettings({flags: {config}, env: {}, homeFolder: undefined});
};

const complaint = async (toml: string): Promise<string> => {
  try {
    await load(toml);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.message.replaceAll(folder.path, '');
    }
    throw error;
  }
  throw new Error('The settings were accepted.');
};

test('by default nothing calls, the mouse is left alone and the theme finds itself', async () => {
  expect(await load('')).toMatchObject({
    ui: {theme: 'auto', mouse: false},
    notify: {bell: false, osc9: false, pattern: '', firstError: false, quietMs: 300_000},
    keys: {bindings: new Map()},
  });
  expect(await load('[ui]\n[notify]\n[keys]\n')).toMatchObject({
    ui: {theme: 'auto', mouse: false},
    notify: {bell: false, osc9: false, pattern: '', firstError: false, quietMs: 300_000},
  });
});

test('everything that is set is read', async () => {
  const settings = await load(`
[ui]
theme = "high-contrast"
mouse = true
[notify]
bell = true
osc9 = true
pattern = "re:order \\\\d+"
first_error = true
quiet = "30s"
[keys]
next-gap = "n"
page-down = ["PgDn", "f"]
toggle-wrap = []
`);
  expect(settings.ui).toEqual({theme: 'high-contrast', mouse: true});
  expect(settings.notify).toEqual({
    bell: true,
    osc9: true,
    pattern: 're:order \\d+',
    firstError: true,
    quietMs: 30_000,
  });
  expect([...settings.keys.bindings]).toEqual([
    ['next-gap', ['n']],
    ['page-down', ['PgDn', 'f']],
    ['toggle-wrap', []],
  ]);
  expect(settings.keys.place.replace(folder.path, '')).toBe('/c.toml: keys');
});

test('an empty pattern is none', async () => {
  expect((await load('[notify]\npattern = ""')).notify.pattern).toBe('');
});

test.each([
  ['[ui]\ntheme = "drak"', '/c.toml: ui.theme: expected "auto" or "dark" or'],
  ['[ui]\nmouse = "on"', '/c.toml: ui.mouse: expected true or false, got a string'],
  ['[ui]\ntehme = "dark"', '/c.toml: ui.tehme: no such setting: did you mean theme?'],
  ['[notify]\nbel = true', '/c.toml: notify.bel: no such setting: did you mean bell?'],
  ['[notify]\ncommand = []', '/c.toml: notify.command: expected a program and its arguments, got an empty array'],
  ['[notify]\ncommand = "page"', '/c.toml: notify.command: expected an array of strings, got a string'],
  ['[notify]\nquiet = "0s"', '/c.toml: notify.quiet: expected a time from 1s to 24h'],
  [`[notify]\npattern = "${'x'.repeat(501)}"`, '/c.toml: notify.pattern: expected at most 500 characters'],
  ['[keys]\nnext-gap = 5', '/c.toml: keys.next-gap: expected a string, got a number'],
  ['[keys]\nnext-gap = ""', '/c.toml: keys.next-gap: expected a string, got an empty string'],
  ['[keys]\nnext-gap = ["n", 5]', '/c.toml: keys.next-gap[1]: expected a string, got a number'],
  [`[keys]\nnext-gap = [${'"n",'.repeat(17)}]`, '/c.toml: keys.next-gap: expected a key, or an array of up to 16'],
  ['keys = 5', '/c.toml: contexts.prod.keys: no such setting'],
  ['[[keys]]\nx = "y"', '/c.toml: keys: expected a table, got an array'],
])('%j is refused', async (toml, start) => {
  expect((await complaint(toml)).slice(0, start.length)).toBe(start);
});
