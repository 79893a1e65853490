import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
  type ContainerLog,
  createContainerLog,
  parseCriFile,
} from '../../../support/kubernetes/kubelet/container-log.ts';
import {createLogReader, type KubeletManners, type LogQuery} from '../../../support/kubernetes/kubelet/read-log.ts';

const noManners: KubeletManners = {stampsEachPiece: false, staysWithRotatedFile: false};

const plain: LogQuery = {
  follow: false,
  timestamps: false,
  sinceNs: undefined,
  tailLines: undefined,
  limitBytes: undefined,
  stream: undefined,
};

const read = (log: ContainerLog, query: Partial<LogQuery> = {}, manners: Partial<KubeletManners> = {}): string =>
  Buffer.from(
    createLogReader(log, {...plain, ...query}, {...noManners, ...manners}).read(Number.POSITIVE_INFINITY),
    'latin1',
  ).toString('utf8');

/** 2026-05-04T10:15:02Z and so many milliseconds. */
const at = (milliseconds: number): bigint => 1_777_889_702_000_000_000n + BigInt(milliseconds) * 1_000_000n;

const logOf = (...lines: readonly (readonly [text: string, milliseconds: number])[]): ContainerLog => {
  const log = createContainerLog({pieceBytes: 10, rotateBytes: 1_000_000});
  for (const [text, milliseconds] of lines) {
    log.write({text, stampNs: at(milliseconds), stream: 'stdout'});
  }
  return log;
};

test('joins the pieces of a long line under the stamp of the first one', () => {
  const log = logOf(['0123456789abcdefghijXYZ', 0]);
  expect(log.newest.records.map(({tag}) => tag)).toEqual(['P', 'P', 'F']);
  expect(read(log, {timestamps: true})).toBe('2026-05-04T10:15:02.000000000Z 0123456789abcdefghijXYZ\n');
});

test('stamps each piece on old kubelets, in the middle of the line too', () => {
  expect(read(logOf(['0123456789abc', 0]), {timestamps: true}, {stampsEachPiece: true})).toBe(
    '2026-05-04T10:15:02.000000000Z 01234567892026-05-04T10:15:02.000000000Z abc\n',
  );
});

test('counts pieces in a tail, so that it can begin inside a line, with a stamp', () => {
  expect(read(logOf(['0123456789abc', 0], ['next', 1]), {tailLines: 2, timestamps: true})).toBe(
    '2026-05-04T10:15:02.000000000Z abc\n2026-05-04T10:15:02.001000000Z next\n',
  );
});

test('cuts the front off a line whose first piece is older than asked for, and gives the rest no stamp', () => {
  const log = createContainerLog({pieceBytes: 10, rotateBytes: 1_000_000});
  log.append({stampNs: at(0), zone: 'Z', stream: 'stdout', tag: 'P', bytes: 'the front '});
  log.append({stampNs: at(5), zone: 'Z', stream: 'stdout', tag: 'F', bytes: 'the rest'});
  log.append({stampNs: at(6), zone: 'Z', stream: 'stdout', tag: 'F', bytes: 'whole'});
  expect(read(log, {sinceNs: at(5), timestamps: true})).toBe('the rest\n2026-05-04T10:15:02.006000000Z whole\n');
});

test('ends in the middle of a line when the bytes asked for are used up', () => {
  expect(read(logOf(['one', 0], ['two', 1]), {limitBytes: 6})).toBe('one\ntw');
});

test('reads the newest file only, and follows across a rotation', () => {
  const log = logOf(['old', 0]);
  const reader = createLogReader(log, {...plain, follow: true}, noManners);
  log.rotate();
  log.write({text: 'new', stampNs: at(1), stream: 'stdout'});
  expect(read(log)).toBe('new\n');
  expect(reader.read(1_000)).toBe('old\nnew\n');
  expect(reader.isDone).toBe(false);
  log.end();
  expect(reader.read(1_000)).toBe('');
  expect(reader.isDone).toBe(true);
});

test('loses the file between for a follower that two rotations pass', () => {
  const log = logOf(['one', 0]);
  const reader = createLogReader(log, {...plain, follow: true}, noManners);
  log.rotate();
  log.write({text: 'two', stampNs: at(1), stream: 'stdout'});
  log.rotate();
  log.write({text: 'three', stampNs: at(2), stream: 'stdout'});
  expect(reader.read(1_000)).toBe('one\nthree\n');
});

test('hears nothing after a rotation on old kubelets', () => {
  const log = logOf(['old', 0]);
  const reader = createLogReader(log, {...plain, follow: true}, {...noManners, staysWithRotatedFile: true});
  log.rotate();
  log.write({text: 'new', stampNs: at(1), stream: 'stdout'});
  expect(reader.read(1_000)).toBe('old\n');
});

test('rotates by itself once a file is too large', () => {
  const log = createContainerLog({pieceBytes: 8_192, rotateBytes: 500});
  for (let number = 1; number <= 13; number += 1) {
    log.write({text: `line ${number}`, stampNs: at(number), stream: 'stdout'});
  }
  expect(read(log)).toBe('line 11\nline 12\nline 13\n');
});

const fixtures = join(import.meta.dirname, '../../../support/kubernetes/fixtures');

const logOfFile = (name: string): ContainerLog => {
  const log = createContainerLog({pieceBytes: 8_192, rotateBytes: 1_000_000});
  for (const record of parseCriFile(readFileSync(join(fixtures, name)))) {
    log.append(record);
  }
  return log;
};

test("reads conmon's files as the kubelet does: pieces joined whatever their stream, a cut character whole again", () => {
  expect(
    read(logOfFile('conmon-story.log')).replaceAll(/a{99,}|b{99,}|0{99,}/g, run => `<${run.length} × ${run[0]}>`),
  ).toBe(
    [
      'started',
      'line 1',
      'line 2',
      'line 3',
      'line 4',
      'line 5',
      '',
      'umlaut: Grüße, 日本',
      '<8133 × a> warning',
      '<8868 × a> end of a',
      '<9000 × b>an error between',
      ' end of b',
      '<8191 × 0>ü cut inside a character',
      'a tab\there and a carriage return\r',
      'last words without an end',
    ].join('\n'),
  );
});

test('gives the rest of a line that stderr interrupted a stamp of its own', () => {
  const lines = read(logOfFile('conmon-story.log'), {timestamps: true})
    .split('\n')
    .map(line => line.replace(/b{99,}/, 'b…'));
  expect(lines.slice(10, 12)).toEqual([
    '2026-11-22T15:40:59.682041054Z b…an error between',
    '2026-11-22T15:41:00.103709950Z  end of b',
  ]);
});

test("writes an offset of nothing as Z, and a node's own zone as it stands in the file", () => {
  expect(read(logOfFile('conmon-tokyo.log'), {timestamps: true}).split('\n')).toEqual([
    '2026-11-23T00:40:43.534672428+09:00 morning line 1',
    '2026-11-23T00:40:43.598209763+09:00 morning line 2',
    '2026-11-23T00:40:43.649445113+09:00 morning line 3',
    '2026-11-23T00:40:43.700767080+09:00 morning line 4',
    '2026-11-23T00:40:43.753770763+09:00 a complaint',
    '',
  ]);
});
