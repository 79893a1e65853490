import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import {zstdCompressSync, zstdDecompressSync} from 'node:zlib';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type HandOver, openHandOver, writeHandOver} from '#api/recording/hand-over.ts';
import {createBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import type {Entry, SourceName} from '#log/line/entry.ts';
import {parseInstant} from '#log/line/instant.ts';
import {noShapes} from '#log/traits/shape-table.ts';

const at = (text: string) => parseInstant(text) ?? 0n;
const t1 = '2026-11-21T14:02:11.031000000Z';

const line = (id: number, stamp: string, text: string, source?: SourceName): Entry => ({
  kind: 'line',
  id,
  at: at(stamp),
  raw: `${stamp} ${text}`,
  textIndex: stamp.length + 1,
  late: false,
  ...(source && {source}),
});

const bufferOf = (entries: readonly Entry[], nextId: number) => {
  const edit = editBuffer(createBuffer(1_000_000_000));
  for (const entry of entries) {
    edit.insert(entry);
  }
  return {...edit.finish(), nextId};
};

const web: SourceName = {pod: 'web-1', container: 'php'};

const handOverOf = (entries: readonly Entry[], more: Partial<HandOver> = {}): HandOver => ({
  head: {
    savedAt: at('2026-11-21T14:05:00Z'),
    by: 'ada@desk',
    branchlog: '1.0.0',
    context: 'prod',
    host: 'logs.example.com',
    site: {id: 's1', name: 'shop'},
    branch: {id: 'b1', name: 'master'},
  },
  view: {
    ...{filters: ['-health'], contextLines: 2, minimumLevel: 'warn', wraps: true, timeMode: 'utc', rows: 'received'},
    ...{highlights: ['order'], lastSeenAt: undefined},
    marks: [{at: t1, lineHash: '0123456789abcdef', note: 'here it began'}],
  },
  handed: {
    log: {
      ...createBranchLog(1_000_000),
      buffer: bufferOf(entries, 1_000_000),
      ...{wholeSince: at(t1), horizon: at(t1), proof: 'said', gapCount: 1},
      pods: [{name: 'web-1', createdAt: '2026-11-20T00:00:00Z'}],
    },
    shapes: {
      ...noShapes,
      learnedUntil: at(t1),
      newIds: new Set([3]),
      shapes: new Map([['a ‹n›', {shape: 'a ‹n›', count: 2, firstAt: at(t1), lastAt: at(t1), firstId: 3}]]),
    },
    cursor: {id: 2, at: at(t1)},
    top: {id: 1, at: at(t1), rowsAbove: 0},
  },
  said: {cut: 'pod'},
  ...more,
});

const write = async (handOver: HandOver): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const {bytes} of writeHandOver(handOver, new AbortController().signal)) {
    parts.push(bytes);
  }
  return Buffer.concat(parts);
};

const some: readonly Entry[] = [
  line(1, t1, 'GET / 200', web),
  {
    ...{kind: 'gap', id: 7, at: at(t1), after: at(t1), before: at(t1), reason: 'told', proof: 'counted'},
    ...{missingLines: 3, why: 'the disk was full', source: web},
  },
  line(2, '2026-11-21T14:02:12.000000000Z', 'order 7 failed', {pod: 'web-1', container: 'nginx'}),
  {...line(3, '2026-11-21T14:02:12.000000000Z', 'late'), late: true} as Entry,
  {kind: 'line', id: 4, at: at('2026-11-21T14:02:13Z'), raw: 'no stamp at all', textIndex: 0, late: false},
  {kind: 'pod', id: 5, at: at('2026-11-21T14:02:14Z'), change: 'gone', name: 'web-1', since: at(t1)},
  {kind: 'change', id: 6, at: at('2026-11-21T14:02:14Z'), change: {kind: 'status', before: null, now: 'DEPLOYED'}},
];

test('what is read again is what was written: lines, markers, proof, view and place', async () => {
  const given = handOverOf(some);
  const opened = await openHandOver(await write(given));
  const {log, shapes, cursor, top} = await opened.readLog(undefined);

  expect(sliceEntries(log.buffer, 0, 100)).toEqual(some);
  expect(opened.head).toEqual({...given.head, lines: 4, maskedLines: 0});
  expect(opened.view).toEqual({...given.view, filtersOff: [], sourcePick: undefined});
  expect({shapes, cursor, top}).toEqual({
    shapes: given.handed.shapes,
    cursor: given.handed.cursor,
    top: given.handed.top,
  });
  expect(log).toMatchObject({wholeSince: at(t1), horizon: at(t1), proof: 'said', gapCount: 1});
  expect(opened.said).toMatchObject({cut: 'pod'});
});

test('lines of one source share one name after they were read again, and a gap names the same', async () => {
  const opened = await openHandOver(await write(handOverOf(some)));
  const [first, gap] = sliceEntries((await opened.readLog(undefined)).log.buffer, 0, 2);
  expect(first?.kind === 'line' && gap?.kind === 'gap' && first.source === gap.source).toBe(true);
});

test('a file in which any one byte is another is refused, and so is one that is cut off or goes on', async () => {
  const bytes = await write(handOverOf(some));
  const refusals = new Set<string>();
  for (let index = 0; index < bytes.length; index++) {
    for (const flip of [1, 0x20, 0x80]) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ flip;
      const said = await openHandOver(changed).then(
        () => `opened with byte ${index} changed`,
        (error: Error) => error.message,
      );
      refusals.add(said);
    }
  }
  for (let length = 0; length < bytes.length; length++) {
    const said = await openHandOver(bytes.subarray(0, length)).then(
      () => `opened with ${length} bytes`,
      (error: Error) => error.message,
    );
    refusals.add(said);
  }
  for (const more of ['\n', '{}\n', 'x', '\0']) {
    const said = await openHandOver(Buffer.concat([bytes, Buffer.from(more)])).then(
      () => `opened with ${JSON.stringify(more)} after it`,
      (error: Error) => error.message,
    );
    refusals.add(said);
  }
  expect([...refusals].toSorted()).toEqual(
    [
      'first row',
      'last row',
      'list of sections',
      'section “head”',
      'section “lines”',
      'section “log”',
      'section “view”',
    ]
      .map(part => `its ${part} was changed or is cut off, so nothing of it is shown`)
      .toSorted(),
  );
});

/** A file with a section of other content under sums that fit. */
const forge = (bytes: Buffer, name: string, change: (text: string) => string, size?: number): Buffer => {
  const lastFrom = bytes.lastIndexOf('{"list":');
  const {list: length} = JSON.parse(bytes.toString('utf8', lastFrom)) as {list: number};
  const list = JSON.parse(bytes.toString('utf8', lastFrom - length, lastFrom)) as {
    sections: {name: string; bytes: number; size: number; sha256: string}[];
  };
  let from = bytes.indexOf('\n') + 1;
  const parts: Buffer[] = [bytes.subarray(0, from)];
  for (const section of list.sections) {
    const part = bytes.subarray(from, from + section.bytes);
    from += section.bytes;
    const plain = Buffer.from(
      section.name === name ? change(zstdDecompressSync(part).toString()) : zstdDecompressSync(part),
    );
    const packed = zstdCompressSync(plain);
    section.bytes = packed.length;
    section.size = section.name === name ? (size ?? plain.length) : plain.length;
    section.sha256 = createHash('sha256').update(packed).digest('hex');
    parts.push(packed);
  }
  const row = Buffer.from(`${JSON.stringify(list)}\n`);
  const sum = createHash('sha256').update(row).digest('hex');
  return Buffer.concat([...parts, row, Buffer.from(`{"list":${row.length},"sha256":"${sum}"}\n`)]);
};

const readAll = async (bytes: Buffer): Promise<string> => {
  try {
    await (await openHandOver(bytes)).readLog(undefined);
    return 'read';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

test.each([
  ['a section that expands to more than the list says', 'lines', (text: string) => text + ' '.repeat(10_000_000), 1000],
  ['a section that expands to less', 'log', (text: string) => text, 1_000_000],
  ['a section that is no JSON', 'head', () => 'x', undefined],
  ['a field that there is none of', 'head', (text: string) => text.replace('{', '{"x":1,'), undefined],
  ['a size no section may have', 'lines', (text: string) => text, 1e15],
  ['a line out of the order of time', 'lines', (text: string) => text.replace('14:02:11', '15:02:11'), undefined],
  [
    'a line of an id that was never given',
    'lines',
    (text: string) => text.replace('"ids":[1,', '"ids":[5000000,'),
    undefined,
  ],
  ['a source that has no name', 'lines', (text: string) => text.replace('"writers":[[0', '"writers":[[9'), undefined],
  [
    'more lines of a source than there are',
    'lines',
    (text: string) => text.replace('[1,1]', '[1,9007199254740991]'),
    undefined,
  ],
] as const)('a file made by hand is refused for %s', async (_, name, change, size) => {
  const bytes = await write(handOverOf(some));
  expect(await readAll(forge(bytes, name, text => text))).toBe('read');
  expect(await readAll(forge(bytes, name, change, size))).toMatch(/was changed or is cut off/);
});

const secrets = ['hunter2secret99', 'eyJhbGciOiJIUzI1NiJ9abc', 'ghp_0123456789abcdef', 'S3cr3tPassw0rd'];

test('no secret is in a file, wherever one was', async () => {
  const [plain = '', jwt = '', github = '', password = ''] = secrets;
  const given = handOverOf([
    line(1, t1, `login password=${plain}`),
    line(2, t1, `Authorization: Bearer ${jwt}`),
    line(3, t1, `GET https://ada:${password}@example.com/ 200`),
    {kind: 'line', id: 4, at: at(t1), raw: `token=${plain}`, textIndex: 0, late: false},
    {kind: 'gap', id: 5, at: at(t1), after: at(t1), before: at(t1), why: `bad token=${plain}`},
    {kind: 'change', id: 6, at: at(t1), change: {kind: 'trouble', who: 'web', reason: `${github}`}},
  ]);
  const bytes = await write({
    ...given,
    head: {...given.head, host: `https://ada:${password}@logs.example.com`, branch: {id: 'b1', name: github}},
    view: {
      ...given.view,
      filters: [`+token=${plain}`, '-health'],
      highlights: [jwt],
      marks: [{at: t1, lineHash: undefined, note: `the password=${password}`}],
    },
    handed: {
      ...given.handed,
      shapes: {
        ...given.handed.shapes,
        shapes: new Map([[`token=${plain}`, {shape: `token=${plain}`, count: 1, firstAt: 0n, lastAt: 0n, firstId: 1}]]),
      },
    },
  });
  const texts: string[] = [bytes.toString('latin1')];
  for (const name of ['head', 'view', 'log', 'lines']) {
    forge(bytes, name, text => {
      texts.push(text);
      return text;
    });
  }
  expect(secrets.filter(secret => texts.some(text => text.includes(secret)))).toEqual([]);
  const opened = await openHandOver(bytes);
  expect(opened.head).toMatchObject({lines: 4, maskedLines: 4});
  expect(opened.view.filters).toEqual(['-health']);
});

test('any log is read again as it was written, also in parts around its reader', async () => {
  const entry = fc.record({
    late: fc.boolean(),
    step: fc.constantFrom(0n, 1n, 1_000_000_000n),
    text: fc.oneof(fc.string({unit: 'grapheme', maxLength: 20}), fc.constantFrom('', 'a\nb', '\ud800', ' x')),
    hasStamp: fc.boolean(),
    source: fc.constantFrom(undefined, web, {stream: 'stderr'}),
    idStep: fc.integer({min: 1, max: 3}),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, {maxLength: 40}), fc.nat(), async (drawn, wanted) => {
      let [now, id] = [at(t1), 0];
      const entries = drawn.map(({late, step, text, hasStamp, source, idStep}): Entry => {
        now += step;
        id += idStep;
        const stamp = hasStamp ? `${new Date(Number(now / 1_000_000n)).toISOString()} ` : '';
        return {
          ...{kind: 'line', id, at: now, raw: `${stamp}${text}`, textIndex: stamp.length, late},
          ...(source && {source}),
        };
      });
      const bytes = await write(handOverOf(entries));
      const opened = await openHandOver(bytes);
      expect(sliceEntries((await opened.readLog(undefined)).log.buffer, 0, 100)).toEqual(entries);
      if (entries.length > 0) {
        const number = wanted % entries.length;
        const there = await openHandOver(bytes, number + 1);
        expect((await there.readLog(undefined, true)).cursor?.id).toBe(entries[number]?.id);
      }
    }),
    {numRuns: 60},
  );
});

test('the lines around the reader are there without the others, and have the same ids', async () => {
  const entries = Array.from({length: 20_000}, (_, index) => line(index + 1, t1, `line ${index}`));
  const given = handOverOf(entries);
  const place = {id: 16_000, at: at(t1)};
  const opened = await openHandOver(await write({...given, handed: {...given.handed, top: {...place, rowsAbove: 0}}}));
  const near = (await opened.readLog(undefined, true)).log.buffer;
  const held = sliceEntries(near, 0, near.entryCount);
  expect(near.entryCount).toBe(7712);
  expect(held.find(({id}) => id === place.id)).toEqual(entries[15_999]);
  expect(near.nextId).toBe(1_000_000);
});

test('a line that there is none of is refused with the numbers there are', async () => {
  const bytes = await write(handOverOf(some));
  await expect(openHandOver(bytes, 8)).rejects.toThrow('it has no line 8: its lines and markers are 1 to 7');
});
