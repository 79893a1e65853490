import {mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Writable} from 'node:stream';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createRecordingFile, openRecordingFile} from '#api/recording/recording-file.ts';
import {RecordingError} from '#api/recording/recording-format.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
let said: string[];
const stopped = (sentence: string): void => {
  said.push(sentence);
};

beforeEach(() => {
  folder = createTempFolder('recording');
  said = [];
});

afterEach(() => folder.remove());

test('rows stand in the file in their order when it is finished, for its owner only', async () => {
  const path = join(folder.path, 'a.ndjson');
  const file = await openRecordingFile({path, stopped});
  for (let number = 0; number < 1000; number += 1) {
    file.write(() => ({number, text: 'é\u2028'}));
  }
  await file.finish();
  const rows = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(rows.map(row => JSON.parse(row).number)).toEqual(Array.from({length: 1000}, (_, number) => number));
  expect(rows[0]).toBe('{"number":0,"text":"é\\u2028"}');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(said).toEqual([]);
});

test('a file that is there is not overwritten, nor what a link points to', async () => {
  const path = join(folder.path, 'a.ndjson');
  const link = join(folder.path, 'link');
  writeFileSync(path, 'precious');
  symlinkSync(path, link);
  for (const taken of [path, link]) {
    await expect(openRecordingFile({path: taken, stopped})).rejects.toThrow(
      new RecordingError(`--record: ${taken} already exists and is not overwritten: give another name, or remove it`),
    );
  }
  expect(readFileSync(path, 'utf8')).toBe('precious');
});

test('a place where no file can be made is said', async () => {
  const path = join(folder.path, 'none', 'a.ndjson');
  await expect(openRecordingFile({path, stopped})).rejects.toThrow(
    new RecordingError(`--record: ${path} cannot be created, there is no such file or folder`),
  );
  mkdirSync(join(folder.path, 'b'));
  await expect(openRecordingFile({path: join(folder.path, 'b'), stopped})).rejects.toThrow(RecordingError);
});

test('a disk that is full ends the recording with one sentence, and no row is made any more', async () => {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('ENOSPC'), {code: 'ENOSPC'})),
  });
  const closed = new Promise(resolve => stream.on('close', resolve));
  const file = createRecordingFile(stream, {path: 'a.ndjson', stopped});
  file.write(() => ({number: 1}));
  await closed;
  let made = 0;
  file.write(() => {
    made += 1;
    return {};
  });
  await file.finish();
  expect(said).toEqual([
    'the recording a.ndjson stops here, no space is left on the device; everything else continues',
  ]);
  expect(made).toBe(0);
});

test('a disk that takes nothing any more ends it before memory is full', async () => {
  const stream = new Writable({write: () => {}});
  const file = createRecordingFile(stream, {path: 'a.ndjson', stopped, queueBytesMax: 1000});
  for (let number = 0; number < 100; number += 1) {
    file.write(() => ({text: 'x'.repeat(80)}));
  }
  await file.finish();
  expect(said).toEqual(['the recording a.ndjson stops here, the disk is too slow for it; everything else continues']);
});

test('as many rows as the bounds allow are taken, and one of any size while none waits', () => {
  const takes = (rows: readonly number[], bounds: {bytesMax?: number; queueBytesMax?: number}) => {
    const stream = new Writable({write: () => {}});
    const file = createRecordingFile(stream, {path: 'a.ndjson', stopped, ...bounds});
    for (const bytes of rows) {
      // 11 bytes are the row without its text, and one is the end of its line.
      file.write(() => ({text: 'x'.repeat(bytes - 12)}));
    }
    const taken = said.length === 0;
    said = [];
    return taken;
  };
  expect(takes([50, 50], {queueBytesMax: 100})).toBe(true);
  expect(takes([50, 51], {queueBytesMax: 100})).toBe(false);
  expect(takes([200], {queueBytesMax: 100})).toBe(true);
  expect(takes([50, 50], {bytesMax: 100})).toBe(true);
  expect(takes([50, 51], {bytesMax: 100})).toBe(false);
  expect(takes([101], {bytesMax: 100})).toBe(false);
});

test('it ends where it would grow beyond its bound', async () => {
  const path = join(folder.path, 'a.ndjson');
  const file = await openRecordingFile({path, stopped, bytesMax: 3 * 1024 * 1024});
  for (let number = 0; number < 5; number += 1) {
    file.write(() => ({text: 'x'.repeat(1024 * 1024)}));
  }
  await file.finish();
  expect(said).toEqual([`the recording ${path} stops here, it has reached 3 MB; everything else continues`]);
});

test('a row that cannot be made ends the recording and nothing else', async () => {
  const file = createRecordingFile(new Writable({write: (_chunk, _encoding, done) => done()}), {
    path: 'a.ndjson',
    stopped,
  });
  file.write(() => {
    throw new RangeError('Invalid string length');
  });
  await file.finish();
  expect(said).toEqual([
    'the recording a.ndjson stops here, an answer is too large to be recorded; everything else continues',
  ]);
});
