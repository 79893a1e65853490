import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough, Readable, Writable} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import {parseArguments} from '#cli/arguments/args.ts';
import {processIo} from '#cli/io/io.ts';
import {printSmall} from '#cli/logs/print-small.ts';
import {findWords, openNamed} from '#cli/open/open-named.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

/** Opens files, or standard input, on a terminal of so many rows and columns. */
const print = async (
  files: Readonly<Record<string, string>>,
  {stdin = new PassThrough() as Readable, rows = 5, columns = 10} = {},
) => {
  const folder = createTempFolder('small');
  onTestFinished(folder.remove);
  const before = {rows: process.stdout.rows, columns: process.stdout.columns};
  Object.assign(process.stdout, {rows, columns});
  onTestFinished(() => {
    Object.assign(process.stdout, before);
  });
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  });
  let shown = '';
  let slept = 0;
  const said: string[] = [];
  const base = processIo(folder.path);
  const io = {
    ...base,
    stdin,
    stdout: new Writable({
      write: (chunk, _encoding, done) => {
        shown += chunk;
        done();
      },
    }),
    env: {TERM: 'dumb'},
    clock: {
      ...base.clock,
      sleep: async () => {
        slept += 1;
        await new Promise(resolve => setImmediate(resolve));
      },
    },
  };
  const say = (sentence: string) => said.push(sentence);
  const opened = await openNamed(await findWords(parseArguments(['open', ...paths]), io), io, say, {
    back: {},
    firstBytesMax: 1_000_000,
    isAllAtOnce: undefined,
    follows: false,
  });
  onTestFinished(opened.stop);
  return {isPrinted: await printSmall(opened, io, say), shown, said, slept, name: opened.name};
};

test('a log that leaves a row to spare is printed, without the times before its lines', async () => {
  expect(await print({'app.log': '1\n2\n3\n4\n'})).toMatchObject({
    isPrinted: true,
    shown: '1\n2\n3\n4\n',
    said: [],
    name: 'app.log',
  });
  expect(await print({'app.log': '1\n2\n3\n4\n5\n'})).toMatchObject({isPrinted: false, shown: ''});
});

test('a long line takes as many rows as it is wide, an empty one takes one', async () => {
  expect((await print({'app.log': `${'x'.repeat(20)}\n\n\n`})).isPrinted).toBe(true);
  expect((await print({'app.log': `${'x'.repeat(21)}\n\n\n`})).isPrinted).toBe(false);
  expect((await print({'app.log': `${'漢'.repeat(10)}\n\n\n`})).isPrinted).toBe(true);
  expect((await print({'app.log': `${'漢'.repeat(11)}\n\n\n`})).isPrinted).toBe(false);
});

test('nothing is a log that fits', async () => {
  expect(await print({'app.log': ''})).toMatchObject({isPrinted: true, shown: ''});
});

test('a pipe is waited for until all of it has come, or more than fits', async () => {
  const slow = async function* () {
    yield Buffer.from('1\n');
    await new Promise(resolve => setImmediate(resolve));
    yield Buffer.from('2\n');
  };
  expect(await print({}, {stdin: Readable.from(slow())})).toMatchObject({
    isPrinted: true,
    shown: '1\n2\n',
    said: [],
    name: 'stdin',
  });
  const endless = new PassThrough();
  endless.write('1\n2\n3\n4\n5\n6\n');
  expect(await print({}, {stdin: endless})).toMatchObject({isPrinted: false, shown: ''});
});

test('several files are named by the first', async () => {
  expect(await print({'a.log': '1\n', 'b.log': '2\n', 'c.log': '3\n'})).toMatchObject({
    name: 'a.log and 2 more',
    isPrinted: true,
  });
});
