import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {readConfigFile} from '../src/config/client/config-file.ts';
import {parseToml, readToml} from '../src/config/values/read-toml.ts';
import {findRecordStart} from '../src/log/json/find-record.ts';
import {readLogfmtFields} from '../src/log/layout/read-fields.ts';
import {readRecord} from '../src/log/layout/read-record.ts';
import {isSameTime} from '../src/log/layout/same-time.ts';
import {instantFromMs} from '../src/log/line/instant.ts';
import {foldPath} from '../src/log/summary/fold-path.ts';
import {FrequentTable} from '../src/log/summary/frequent-table.ts';
import {createLookTable} from '../src/terminal/cells/look.ts';
import {formatFault} from '../src/terminal/lifecycle/fault-sentence.ts';
import {formatClipboardWrite} from '../src/terminal/sequences/clipboard.ts';
import {linkPattern} from '../src/terminal/sequences/escapes.ts';
import {createTempFolder} from './support/temp-folder.ts';

const recordOf = (text: string) => readRecord(text, 0, text.length);
const fieldOf = (text: string) => recordOf(text)?.fields[0];
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const pairs = (count: number): string => Array.from({length: count}, (_, index) => `k${index}=1`).join(' ');
const kitty = {TERM: 'xterm-kitty'};
const megabyte = 1024 * 1024;

const exampleOf = (length: number): number | undefined => {
  const table = new FrequentTable();
  table.add('key', 'text', 'x'.repeat(length), 0n);
  return table.top(1)[0]?.example.length;
};

const sourceCountOf = (count: number): number | undefined => {
  const table = new FrequentTable();
  for (let source = 0; source < count; source += 1) {
    table.add('key', `field ${source}`, 'x', 0n);
  }
  return table.top(1)[0]?.sources.length;
};

/** Whether the first of so many looks is still there. */
const keepsLook = (count: number): boolean => {
  const {plain, withLink} = createLookTable({colours: 16, hasItalics: false, hasLinks: true});
  const looks = Array.from({length: count - 1}, (_, index) => withLink(plain, `https://x/${index}`));
  return withLink(plain, 'https://x/0') === looks[0];
};

const noon = '2026-11-21T12:00:00Z';
const isAbout = (laterMs: number): boolean => isSameTime(noon, instantFromMs(Date.parse(noon) + laterMs));

/** The longest run of `x` in a text. */
const lengthOf = (text: string | undefined): number =>
  Math.max(0, ...(text?.match(/x+/g) ?? []).map(run => run.length));

// What is read at a bound, and one beyond it.
test.each<readonly [bound: string, read: (size: number) => unknown, at: number, within: unknown, beyond: unknown]>([
  ['text before a JSON record', size => findRecordStart(`${' '.repeat(size - 2)}{"a":1}`), 512, 510, -1],
  ['text of a JSON record', size => recordOf(`{"a":"${'x'.repeat(size - 8)}"}`) !== undefined, 65_536, true, false],
  ['depth of a JSON record', size => fieldOf(nested(size))?.value.text, 16, '1', '{"a":1}'],
  ['name in a JSON record', size => lengthOf(fieldOf(`{"${'x'.repeat(size)}":1}`)?.key.text), 99, 99, 99],
  ['fields of logfmt', size => readLogfmtFields(pairs(size), 0)?.fields.length, 100, 100, undefined],
  ['path of a request', size => foldPath('x'.repeat(size)).length, 256, 256, 256],
  ['example of a shape', exampleOf, 400, 400, 400],
  ['sources of a value', sourceCountOf, 10, 10, 10],
  ['message of a fault', size => lengthOf(formatFault(new Error('x'.repeat(size)))), 300, 300, 300],
  [
    'address of a link',
    size => linkPattern.test(`\u001b]8;;https://${'x'.repeat(size - 8)}\u001b\\`),
    2000,
    true,
    false,
  ],
  ['looks of a terminal', keepsLook, 2048, true, false],
  ['time of a line behind the one in its text', isAbout, 1999, true, false],
  ['time of a line before the one in its text', size => isAbout(-size), 999, true, false],
  [
    'text for kitty',
    size => formatClipboardWrite(Buffer.alloc(size), kitty).kind,
    8 * megabyte,
    'sequence',
    'tooLarge',
  ],
])('%s', (_, read, at, within, beyond) => {
  expect([read(at), read(at + 1)]).toEqual([within, beyond]);
});

test('names of nested records, joined, are cut at 200 cells', () => {
  const name = 'x'.repeat(90);
  const text = fieldOf(`{"${name}":{"${name}":{"${name}":1}}}`)?.key.text ?? '';
  expect(text.length).toBeLessThanOrEqual(200);
  expect(text.length).toBeGreaterThan(190);
});

test('a value of a record is cut at 4,096 cells', () => {
  const text = fieldOf(`{"a":"${'x'.repeat(5000)}"}`)?.value.text ?? '';
  expect(text.length).toBeLessThanOrEqual(4096);
  expect(text.length).toBeGreaterThan(4000);
});

test('TOML that is nested too deeply is refused', () => {
  const listOf = (depth: number): string => `a = ${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect(parseToml(listOf(30), 'x.toml')).toHaveProperty('a');
  expect(() => parseToml(listOf(50), 'x.toml')).toThrow(/^x\.toml, line 1, /);
});

test('a config file of more than 1 MB, and settings out of their range, are refused', async () => {
  const folder = createTempFolder('bounds');
  onTestFinished(folder.remove);
  mkdirSync(join(folder.path, 'home'));
  const path = join(folder.path, 'config.toml');
  const write = (text: string): string => {
    writeFileSync(path, text, {mode: 0o600});
    return path;
  };
  await expect(readToml(write('#'.repeat(megabyte)))).resolves.toMatchObject({table: {}});
  await expect(readToml(write('#'.repeat(megabyte + 1)))).rejects.toThrow('config.toml');
  const settings = (text: string) => readConfigFile(write(text), undefined);
  await expect(settings('[log]\ninterval = "1h"\n')).resolves.toBeDefined();
  await expect(settings('[log]\ninterval = "3601s"\n')).rejects.toThrow('from 100ms to 1h');
  await expect(settings('[notify]\nquiet = "24h"\n')).resolves.toBeDefined();
  await expect(settings('[notify]\nquiet = "86401s"\n')).rejects.toThrow('from 1s to 24h');
});
