import {createHash} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {zstdCompressSync} from 'node:zlib';
import {afterAll, expect, test} from 'vitest';
import {readHandOver} from '#api/recording/hand-over.ts';
import {openHandOver} from '#api/recording/hand-over-client.ts';
import {RecordingError} from '#api/recording/recording-format.ts';
import {formatInstant} from '#log/line/instant.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const folder = createTempFolder('hostile');
afterAll(() => folder.remove());

const sum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const firstRow = '{"format":"branchlog recording","version":3}\n';

const head = '{"savedAtMs":1795269600000,"savedBy":"ada","context":{"name":"prod","host":"h"},"site":{"id":"s"}}';
const facts = '{"branch":{"_id":"b","name":"master","status":"OPEN"},"held":{},"pods":[]}';
const second = '1795269600000000000';

/** The lines of a section that is as it should be, but for some fields. */
const lines = (changed: Readonly<Record<string, string>> = {}): string => {
  const fields = {
    ...{lines: '[" one"," two"]', times: `[${second.slice(0, -9)}e9,1]`, sources: '[{"pod":"p"}]'},
    ...{runs: '[[0,2]]', odd: '[]', late: '[]', markers: '[]'},
    ...changed,
  };
  const usual = {...fields, lines: changed.lines ?? '["2026-11-21T14:00:00Z one","2026-11-21T14:00:01Z two"]'};
  const json = {...usual, times: changed.times ?? '[null,null]'};
  return `{${Object.entries(json)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
};

type Given = {readonly head?: string; readonly view?: string; readonly lines?: string; readonly count?: number};

/** A file made by hand, under sums that fit. */
const forge = (given: Given): Buffer => {
  const texts = [given.head ?? head, given.view ?? '{}', '[]', given.lines ?? lines()];
  const packed = texts.map(text => zstdCompressSync(text));
  const names = ['head', 'view', 'findings', 'lines from 1 on'];
  const index = `{"firstRow":"${sum(Buffer.from(firstRow))}","sections":${JSON.stringify(
    packed.map((bytes, place) => ({name: names[place], bytes: bytes.length, sha256: sum(bytes)})),
  )},"blocks":[{"log":0,"first":1,"count":${given.count ?? 2},"at":"${second}"}],"logs":[${facts}]}`;
  const last = `\n{"index":${Buffer.byteLength(index)},"sha256":"${sum(Buffer.from(index))}"}\n`;
  return Buffer.concat([Buffer.from(firstRow), ...packed, Buffer.from(`\n${index}${last}`)]);
};

/** Reads all of a file, as text that tells each time, or the error that refuses it. */
const read = (given: Given): string => {
  try {
    const {logs} = readHandOver(forge(given), 'a.branchlog');
    const entries = logs.flatMap(log => log.blocks.flatMap(block => log.read(block)));
    return `read ${entries.map(({at}) => formatInstant(at)).join(' ')}`;
  } catch (error) {
    return error instanceof RecordingError ? 'refused' : `failed: ${String(error)}`;
  }
};

const million = 1_000_000;

test('a file made by hand that is as it should be is read', () => {
  expect(read({})).toBe('read 2026-11-21T14:00:00.000000000Z 2026-11-21T14:00:01.000000000Z');
});

test.each<readonly [what: string, given: Given]>([
  ['runs of more lines than there are', {lines: lines({runs: '[[0,2],[0,2]]'})}],
  ['runs of fewer lines', {lines: lines({runs: '[[0,1]]'})}],
  ['a million runs', {lines: lines({runs: `[${'[0,2],'.repeat(million)}[0,2]]`})}],
  ['a source that has no name', {lines: lines({runs: '[[1,2]]'})}],
  ['a time that no calendar has', {lines: lines({odd: `[[0,"${'9'.repeat(30)}",0]]`})}],
  ['a time before every calendar', {lines: lines({odd: `[[0,"-${'9'.repeat(30)}",0]]`})}],
  [
    'distances of times that leave the calendar',
    {
      lines: lines({
        lines: `[${'" x",'.repeat(40_000)}" x"]`,
        times: `[${'9e15,'.repeat(40_000)}9e15]`,
        runs: '[[0,40001]]',
      }),
      count: 40_001,
    },
  ],
  [
    'a marker of a time that no calendar has',
    {lines: lines({markers: `[[2,{"kind":"quiet","at":"${'9'.repeat(30)}"}]]`}), count: 3},
  ],
  ['many more values than lines', {lines: `{"lines":[${'[],'.repeat(20 * million)}[]]}`}],
  ['a head of many values', {head: `{"x":[${'[],'.repeat(20 * million)}[]]}`}],
  ['no JSON', {lines: '{"lines":'}],
  ['more entries than the index says', {count: 1}],
  ['fewer entries than the index says', {count: 3}],
])('a file made by hand is refused for %s', (_, given) => {
  expect(read(given)).toBe('refused');
});

test('a line as long as an answer may be is read', () => {
  const long = 'x,[]{}'.repeat(8 * million);
  const text = lines({lines: `["2026-11-21T14:00:00Z ${long}","2026-11-21T14:00:01Z two"]`});
  expect(read({lines: text})).toBe('read 2026-11-21T14:00:00.000000000Z 2026-11-21T14:00:01.000000000Z');
});

test.each(['1e999', '-1e999', '8.7e15', '"x"', 'null', '[]'])(
  'a hand-over saved at %s has a time that can be written',
  async at => {
    const path = join(folder.path, 'a.branchlog');
    writeFileSync(path, forge({head: head.replace('1795269600000', at)}));
    const opened = await openHandOver(path, {number: undefined, opens: 'whole'});
    expect(new Date(opened.head.savedAtMs).toISOString()).toBe('1970-01-01T00:00:00.000Z');
  },
);

test('whoever asks again for lines that are damaged is told so, and not that there are none', async () => {
  const path = join(folder.path, 'b.branchlog');
  writeFileSync(path, forge({count: 3}));
  const {client} = await openHandOver(path, {number: undefined, opens: 'place'});
  const {kept} = (await client.fetchLog('s', 'b')).value;
  expect(() => [...(kept?.blocks ?? [])]).toThrow(RecordingError);
  for (const _ of [1, 2, 3]) {
    await expect(client.fetchLog('s', 'b')).rejects.toMatchObject({
      kind: 'notInterface',
      message: expect.stringContaining('its lines from 1 on are damaged'),
    });
  }
});
