import {expect, test} from 'vitest';
import {formatInstant, instantFromMs} from '#log/line/instant.ts';
import {createLineStamper, type PodReading, type StampedStream} from '#service/window/line-stamper.ts';
import {emptyStreamStamps} from '#service/window/stored-state.ts';

const noon = instantFromMs(Date.UTC(2026, 10, 22, 12));
const at = (time: string): string => `2026-11-22T${time}Z`;
const noHead = Buffer.alloc(0);

const create = (pod: PodReading = {}, parts: Partial<StampedStream> = {}) => {
  const stamper = createLineStamper({clock: {last: 0n, highest: 0n}, pods: new Map([[1, pod]])});
  const stream: StampedStream = {podKey: 1, stamps: emptyStreamStamps, held: {}, ...parts};
  const take = (
    lines: readonly string[],
    {endsHere = false, head = noHead, after = 0}: {endsHere?: boolean; head?: Buffer; after?: number} = {},
  ) =>
    stamper
      .take(stream, lines, {head, readAt: noon, after, endsHere})
      .map(({stamp, text, ownStream = '-'}) => `${formatInstant(stamp).slice(11, -1)} ${ownStream} ${text}`);
  return {stamper, stream, take};
};

const container = (time: string, text: string, kind = 'stdout F'): string => `${at(time)} ${kind} ${text}`;

test('lines of a container have their own stamps and streams', () => {
  const {take, stream} = create();
  expect(take([container('11:00:00', 'one'), container('10:00:00', 'two', 'stderr F')])).toEqual([
    '11:00:00.000000000 stdout one',
    '10:00:00.000000000 stderr two',
  ]);
  expect(stream.stamps.last).toBe(noon - 2n * 3_600_000_000_000n);
});

const docker = (time: string, text: string): string => JSON.stringify({log: text, stream: 'stderr', time: at(time)});

test('what Docker keeps is read as what the container wrote, also where the first line is longer than what tells', () => {
  const long = docker('11:00:00', `${'x'.repeat(600)}\n`);
  const head = Buffer.from(`${long}\n`).subarray(0, 512);
  const {take, stream} = create();
  expect(take([long, docker('11:00:01', 'two\n')], {head})).toEqual([
    `11:00:00.000000000 stderr ${'x'.repeat(600)}`,
    '11:00:01.000000000 stderr two',
  ]);
  expect(stream.stamps.format).toBe('container');
});

test('records of others that begin as those of Docker stay as they are', () => {
  const long = JSON.stringify({log: 'x'.repeat(600), level: 'error'});
  const {take, stream} = create();
  expect(take([long], {head: Buffer.from(long).subarray(0, 512)})).toEqual([`12:00:00.000000000 - ${long}`]);
  expect(stream.stamps.format).toBe('plain');
});

test('one whose stamp is more than two seconds in the future has the time of reading', () => {
  expect(create().take([container('12:00:02', 'a')])).toEqual(['12:00:02.000000000 stdout a']);
  expect(create().take([container('12:00:02.000000001', 'a')])).toEqual(['12:00:00.000000000 stdout a']);
});

test('a line amid those of a container that has no such form has the stamp of the line before', () => {
  const {take} = create({format: 'container'});
  expect(take(['no form', container('11:00:00', 'one'), 'no form'])).toEqual([
    '12:00:00.000000000 - no form',
    '11:00:00.000000000 stdout one',
    '11:00:00.000000000 - no form',
  ]);
});

test('pieces wait for their rest, over what is read together, and come where the stream ends', () => {
  const {take, stream} = create();
  expect(take([container('11:00:00', 'one ', 'stdout P')])).toEqual([]);
  expect(Object.keys(stream.held)).toEqual(['stdout']);
  expect(take([container('11:00:01', 'two')])).toEqual(['11:00:00.000000000 stdout one two']);
  expect(take([container('11:00:02', 'torn', 'stdout P')], {endsHere: true})).toEqual([
    '11:00:02.000000000 stdout torn',
  ]);
  expect(stream.held).toEqual({});
  expect(take([], {endsHere: true})).toEqual([]);
});

test('plain lines keep times of their own, in their order, and others have the time of reading', () => {
  const {take} = create();
  expect(take([`${at('11:00:00')} a`, `${at('10:00:00')} b`, '  at', `${at('11:30:00')} c`])).toEqual([
    `11:00:00.000000000 - ${at('11:00:00')} a`,
    `11:00:00.000000001 - ${at('10:00:00')} b`,
    '11:00:00.000000002 -   at',
    `11:30:00.000000000 - ${at('11:30:00')} c`,
  ]);
  expect(create().take(['no time', 'no time'])).toEqual([
    '12:00:00.000000000 - no time',
    '12:00:00.000000001 - no time',
  ]);
});

test('where the pod asks for it, plain lines have the time of reading', () => {
  expect(create({stamps: 'read'}).take([`${at('11:00:00')} a`])).toEqual([`12:00:00.000000000 - ${at('11:00:00')} a`]);
});

test('the first bytes of a file tell its format, and only a full kilobyte half of them settles it', () => {
  const first = container('11:00:00', 'x'.repeat(20));
  const head = (length: number) => Buffer.from(`${first}\n`.repeat(20).slice(0, length));
  const formatOf = (bytes: Buffer, line: string, pod: PodReading = {}) => {
    const {take, stream} = create(pod);
    const [taken = ''] = take([line], {head: bytes});
    return [taken.split(' ')[1] === 'stdout' ? 'container' : 'plain', stream.stamps.format];
  };
  expect(formatOf(head(512), first)).toEqual(['container', 'container']);
  expect(formatOf(head(511), first)).toEqual(['container', undefined]);
  expect(formatOf(noHead, first)).toEqual(['container', undefined]);
  expect(formatOf(noHead, 'plain')).toEqual(['plain', 'plain']);
  // What follows may have been forged.
  expect(formatOf(Buffer.from('plain\n'), first)).toEqual(['plain', 'plain']);
  expect(formatOf(Buffer.from(`${first}\nplain\n`), first)).toEqual(['plain', 'plain']);
  expect(formatOf(Buffer.from(`plain ${'x'.repeat(506)}`), first)).toEqual(['plain', 'plain']);
  expect(formatOf(Buffer.from(`plain ${'x'.repeat(505)}`), first)).toEqual(['container', undefined]);
  expect(formatOf(Buffer.from(`${first}${'x'.repeat(512)}`), first)).toEqual(['container', 'container']);
  expect(formatOf(head(512), first, {format: 'plain'})).toEqual(['plain', undefined]);
});

test('where only the first line looked like one of a container, its piece is a line of its own', () => {
  const {take} = create();
  take([container('11:00:00', 'torn', 'stdout P')]);
  expect(take(['plain'])).toEqual(['11:00:00.000000000 stdout torn', '12:00:00.000000000 - plain']);
});

test('lines are numbered after the one before', () => {
  const {stamper, stream} = create();
  const taken = stamper.take(stream, ['a', 'b'], {head: noHead, readAt: noon, after: 7, endsHere: false});
  expect(taken.map(({sequence}) => sequence)).toEqual([8, 9]);
  expect(stamper.clockState()).toEqual({last: noon + 1n, highest: noon + 1n});
});

test.each<
  readonly [what: string, pod: PodReading | undefined, head: string, lines: readonly string[], isTimed: boolean]
>([
  ['a plain line with a time', undefined, '', [`${at('11:00:00')} a`], true],
  ['one among others', {}, '', ['x', `${at('11:00:00')} a`], true],
  ['none', {}, '', ['x'], false],
  ['a time that is in the future', {}, '', [`${at('12:00:03')} a`], false],
  ['a time that is about now', {}, '', [`${at('12:00:01')} a`], true],
  ['the time of reading is asked for', {stamps: 'read'}, '', [`${at('11:00:00')} a`], false],
  ['a container', {}, `${container('11:00:00', 'a')}\n`, ['x'], true],
  ['a container by its setting', {format: 'container', stamps: 'read'}, '', ['x'], true],
  ['plain by its setting', {format: 'plain'}, `${container('11:00:00', 'a')}\n`, ['x'], false],
])('whether the lines of a file can be ordered by their times: %s', (_, pod, head, lines, isTimed) => {
  expect(create().stamper.isTimed(pod, {head: Buffer.from(head), lines, readAt: noon})).toBe(isTimed);
});
