import {expect, test} from 'vitest';
import type {PodReading, StreamNames} from '#service/window/line-stamper.ts';
import {createSourceNames} from '#service/window/source-names.ts';
import {emptyStreamStamps, type LineFormat} from '#service/window/stored-state.ts';

const create = (pod: PodReading) => createSourceNames(new Map([[1, {name: 'web', ...pod}]]));
const stream = (names?: StreamNames, format?: LineFormat) => ({
  podKey: 1,
  names,
  stamps: {...emptyStreamStamps, format},
  held: {},
});

test.each<
  readonly [what: string, pod: PodReading, names: StreamNames | undefined, own: 'stdout' | undefined, source: object]
>([
  ['its pod', {}, undefined, undefined, {pod: 'web'}],
  ['the stream that it names', {}, undefined, 'stdout', {pod: 'web', stream: 'stdout'}],
  ['the stream of all lines', {}, {stream: 'stderr'}, 'stdout', {pod: 'web', stream: 'stderr'}],
  ['its container', {}, {container: 'php'}, 'stdout', {pod: 'web', container: 'php', stream: 'stdout'}],
  ['its file, of several', {hasFiles: true}, {file: 'a.log'}, undefined, {pod: 'web', stream: 'a.log'}],
  ['its own stream before its file', {hasFiles: true}, {file: 'a.log'}, 'stdout', {pod: 'web', stream: 'stdout'}],
  ['no file, if it is the only one', {}, {file: 'a.log'}, undefined, {pod: 'web'}],
  [
    'a file as a source of its own',
    {hasNamedFiles: true},
    {file: 'a.log'},
    'stdout',
    {pod: 'web', container: 'a.log', stream: 'stdout'},
  ],
])('a line is of %s', (_, pod, names, own, source) => {
  expect(create(pod).ofLine(stream(names), own)).toEqual(source);
});

test('a source is one object, whoever asks', () => {
  const names = create({});
  const file = stream({container: 'php'});
  const first = names.ofLine(file, 'stdout');
  expect(names.ofLine(file, 'stdout')).toBe(first);
  expect(names.ofLine(file, 'stderr')).toEqual({pod: 'web', container: 'php', stream: 'stderr'});
  expect(names.ofLine(file, 'stdout')).toBe(first);
  expect(names.ofLine(stream({container: 'nginx'}), 'stdout').container).toBe('nginx');
  expect(names.ofLine({...file, podKey: 2}, 'stdout')).toEqual({container: 'php', stream: 'stdout'});
  expect(names.intern({pod: 'web', container: 'php', stream: 'stdout'})).toBe(first);
});

test('a whole stream has no name that its lines have each on their own', () => {
  const named = create({hasFiles: true});
  const file = {file: 'a.log'};
  expect(named.ofStream(stream(file, 'plain'))).toEqual({pod: 'web', stream: 'a.log'});
  expect(named.ofStream(stream(file, 'container'))).toEqual({pod: 'web'});
  expect(create({hasFiles: true, format: 'container'}).ofStream(stream(file))).toEqual({pod: 'web'});
  expect(named.ofStream(stream({...file, container: 'php'}, 'container'))).toEqual({pod: 'web', container: 'php'});
});
