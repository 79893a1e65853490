import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {expandPath, findConfigFolder, findStateFolder} from '#config/settings/folders.ts';
import {parseToml, readToml} from '#config/settings/table-reader.ts';
import {checkHeaderValue, parseBaseUrl} from '#config/settings/values.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const folderOf = (): string => {
  const folder = createTempFolder('toml');
  onTestFinished(folder.remove);
  return folder.path;
};

describe('a TOML file', () => {
  const write = (content: string | Uint8Array): string => {
    const path = join(folderOf(), 'x.toml');
    writeFileSync(path, content, {mode: 0o600});
    return path;
  };

  test('is read with its text; one that is not there is none', async () => {
    expect(await readToml(write('a = 1\n'))).toEqual({table: {a: 1}, text: 'a = 1\n'});
    const folder = folderOf();
    expect(await readToml(join(folder, 'none.toml'))).toBeUndefined();
    expect(await readToml(join(write(''), 'x.toml'))).toBeUndefined();
  });

  test('that cannot be read is refused with the reason', async () => {
    await expect(readToml(write(Uint8Array.of(0x61, 0xff)))).rejects.toThrow(/x\.toml is not UTF-8: save it as UTF-8$/);
    const open = write('a = 1');
    chmodSync(open, 0o666);
    await expect(readToml(open)).rejects.toThrow(/^the config file .*x\.toml /);
    const folder = join(folderOf(), 'folder.toml');
    mkdirSync(folder);
    await expect(readToml(folder)).rejects.toThrow(/^the config file |^cannot read the config file /);
    await expect(readToml(join(folderOf(), 'x'.repeat(300)))).rejects.toThrow(
      /^cannot read the config file .* \(ENAMETOOLONG\)$/,
    );
  });

  test('of 1 MB is read, and no longer one', async () => {
    const text = (length: number) => `#${'x'.repeat(length - 1)}`;
    expect((await readToml(write(text(1024 * 1024))))?.table).toEqual({});
    await expect(readToml(write(text(1024 * 1024 + 1)))).rejects.toThrow(/^the config file /);
  });
});

test.each([
  ['a = ', 'x.toml, line 1, column 5: '],
  ['a = 1\nb = "secret\n', 'x.toml, line 2, column '],
  ['a = 1\na = 2', 'x.toml, line 2, column 1: this key is given twice in one table: keep one of them'],
  ['[a]\n[a]', 'x.toml, line 2, column 2: [a] is given twice: keep one of them'],
  [
    '[contexts.b]\n[contexts.a]\n[contexts.b]\n',
    'x.toml, line 3, column 2: [contexts.b] is given twice: keep one of them; contexts of this file: b, a',
  ],
])('%j is refused with the place', (text, message) => {
  expect(() => parseToml(text, 'x.toml')).toThrow(message);
  expect(() => parseToml(text, 'x.toml')).not.toThrow('secret');
});

test('forty tables may be in each other', () => {
  const nested = (depth: number) => `a = ${'{a = '.repeat(depth)}1${'}'.repeat(depth)}`;
  expect(parseToml(nested(38), 'x.toml')).toHaveProperty('a');
  expect(() => parseToml(nested(45), 'x.toml')).toThrow('x.toml');
});

const parsed = (text: string) => parseBaseUrl(text, 'base_url');

test.each([
  ['https://api.example.com/dev-v1', 'https://api.example.com/dev-v1', []],
  [' https://api.example.com/dev-v1// ', 'https://api.example.com/dev-v1', []],
  ['http://127.0.0.1:8080/dev-v1', 'http://127.0.0.1:8080/dev-v1', []],
  ['http://localhost/dev-v1', 'http://localhost/dev-v1', []],
  ['unix:/run/branchlog/serve.sock:/dev-v1', 'unix:/run/branchlog/serve.sock:/dev-v1', []],
  [
    'https://api.example.com/dev-v2',
    'https://api.example.com/dev-v2',
    ['base_url: the address https://api.example.com/dev-v2 does not end in the version segment dev-v1'],
  ],
  [
    'http://api.example.com:81/dev-v1',
    'http://api.example.com:81/dev-v1',
    ['base_url: the token goes over plain http to api.example.com:81, where anyone on the way can read it'],
  ],
] as const)('the address %s is %s', (text, baseUrl, warnings) => {
  expect(parsed(text)).toMatchObject({baseUrl, warnings});
});

test.each([
  ['api.example.com', 'expected an address like https://api.example.com/dev-v1, or unix:'],
  ['ftp://api.example.com/dev-v1', 'expected an address like'],
  ['https://ada@api.example.com/dev-v1', 'an address must not contain a name and password; the token authorises'],
  ['https://:pw@api.example.com/dev-v1', 'an address must not contain a name and password; the token authorises'],
  ['https://api.example.com/dev-v1?a=1', 'has no part after "?" or "#"'],
  ['https://api.example.com/dev-v1#', 'has no part after "?" or "#"'],
])('the address %s is refused', (text, sentence) => {
  expect(() => parsed(text)).toThrow(`base_url: `);
  expect(() => parsed(text)).toThrow(sentence);
});

test('a path is absolute, or begins at a folder or at home', () => {
  const expand = (path: string, home?: string) => expandPath(path, '/etc/x', home, 'token_file');
  expect([
    expand('a/b'),
    expand('/a'),
    expand('../a'),
    expand('~a'),
    expand('~', '/home/ada'),
    expand('~/a', '/home/ada'),
  ]).toEqual(['/etc/x/a/b', '/a', '/etc/a', '/etc/x/~a', '/home/ada', '/home/ada/a']);
  const unknown = 'token_file: "~" stands for the home folder, which is not known here: write the whole path';
  expect(() => expand('~/a')).toThrow(unknown);
  expect(() => expand('~', '')).toThrow(unknown);
});

test('folders are where the environment says, or at home', () => {
  expect(findConfigFolder({XDG_CONFIG_HOME: '/x'}, '/home/ada')).toBe('/x/branchlog');
  expect(findConfigFolder({XDG_CONFIG_HOME: 'x'}, '/home/ada')).toBe('/home/ada/.config/branchlog');
  expect(findConfigFolder({XDG_STATE_HOME: '/x'}, '/home/ada')).toBe('/home/ada/.config/branchlog');
  expect(findStateFolder({XDG_STATE_HOME: '/x'}, undefined)).toBe('/x/branchlog');
  expect(findStateFolder({}, '/home/ada')).toBe('/home/ada/.local/state/branchlog');
  expect([findConfigFolder({}, undefined), findStateFolder({XDG_STATE_HOME: ''}, '')]).toEqual([undefined, undefined]);
});

test('a header has visible ASCII, with blanks inside', () => {
  expect(checkHeaderValue('  a b~ ', 'tenant')).toBe('a b~');
  expect(() => checkHeaderValue(' \t', 'tenant')).toThrow('tenant: expected a value, got blanks');
  expect(() => checkHeaderValue(' aé', 'tenant')).toThrow(
    'tenant: the character at offset 1 cannot be sent in a header, only visible ASCII can',
  );
  expect(() => checkHeaderValue('a\tb', 'tenant')).toThrow('offset 1');
  expect(() => checkHeaderValue('ab\u007f', 'tenant')).toThrow('offset 2');
});
