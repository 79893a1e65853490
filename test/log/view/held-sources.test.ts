import {describe, expect, test} from 'vitest';
import {createBuffer, type LineBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import type {SourceName} from '#log/line/entry.ts';
import {createLineFilter} from '#log/view/line-filter.ts';
import {
  countSources,
  declaredSourceAt,
  hiddenBy,
  learnSources,
  pickOf,
  settlePick,
  sourcesMax,
  toggleSource,
} from '#log/view/sources.ts';
import {sourceKey, sourceOfKey, sourceWords, sourceWordsInFull, unsaidSource} from '#log/words/source-words.ts';

const php: SourceName = {pod: 'web-1', container: 'php'};
const nginx: SourceName = {pod: 'web-1', container: 'nginx'};

/** A log of so many lines, a millisecond each; the source of a line is `sources[index % sources.length]`. */
const logOf = (count: number, sources: readonly SourceName[], before?: BranchLog, first = 1): BranchLog =>
  takeWindow(before ?? createBranchLog(1e8), {
    pods: [],
    lines: Array.from(
      {length: count},
      (_, index) => `${new Date(Date.UTC(2026, 10, 21, 14) + first + index).toISOString().slice(0, -1)}000000Z line`,
    ),
    numbering: {
      series: 'a',
      first,
      sources,
      runs: Array.from({length: count}, (_, index) => [index % sources.length, 1] as const),
      losses: [],
    },
  }).log;

const nothing: LineBuffer = createBranchLog(1).buffer;
const countsOf = (...buffers: readonly LineBuffer[]) =>
  [...countSources(buffers).values()].map(({name, lineCount}) => [sourceWordsInFull(name), lineCount]);

/** More than stays open, so that most of it is packed. */
const many = 9000;

describe('the sources of a log', () => {
  const log = logOf(many, [php, nginx, {}]);

  test('are counted in open and packed chunks', () => {
    expect(new Set(log.buffer.chunks.map(({kind}) => kind))).toEqual(new Set(['packed', 'open']));
    expect(countsOf(log.buffer)).toEqual([
      ['web-1 php', 3000],
      ['web-1 nginx', 3000],
      ['', 3000],
    ]);
  });

  test('of several branches are one if their fields are', () => {
    expect(countsOf(log.buffer, logOf(3, [{...php}]).buffer)).toContainEqual(['web-1 php', 3003]);
  });

  test('are learned in order of appearance, and the list stays the same while none is new', () => {
    const known = learnSources([], nothing, log.buffer);
    expect(known).toEqual([php, nginx]);
    const next = logOf(2, [nginx], log, many + 1);
    expect(learnSources(known, log.buffer, next.buffer)).toBe(known);
    const cron = {pod: 'cron'};
    const last = logOf(2, [cron], next, many + 3);
    expect(learnSources(known, next.buffer, last.buffer)).toEqual([php, nginx, cron]);
  });

  test('are not more than a bound', () => {
    const crowd = Array.from({length: sourcesMax + 10}, (_, index) => ({pod: `pod-${index}`}));
    const log = logOf(crowd.length, crowd);
    const known = learnSources([], nothing, log.buffer);
    expect(known).toEqual(crowd.slice(0, sourcesMax));
    expect(learnSources(known, nothing, log.buffer)).toBe(known);
  });

  test('have keys that lead back to them', () => {
    for (const name of [php, {stream: 'stderr'}, {container: 'php', stream: 'x'}, unsaidSource]) {
      expect(sourceKey(sourceOfKey(sourceKey(name)))).toBe(sourceKey(name));
      expect(sourceWordsInFull(sourceOfKey(sourceKey(name)))).toBe(sourceWordsInFull(name));
    }
  });
});

describe('a choice of sources', () => {
  const known = [php, nginx, unsaidSource];
  const hidden = (pick: Parameters<typeof hiddenBy>[0]) => known.map(hiddenBy(pick));

  test('hides some, or all but some, by their fields', () => {
    expect(hidden(undefined)).toEqual([false, false, false]);
    expect(hidden({kind: 'hide', names: [{...php}]})).toEqual([true, false, false]);
    expect(hidden({kind: 'only', names: [{...php}]})).toEqual([false, true, true]);
  });

  test('is none as soon as it hides nothing', () => {
    const hides = toggleSource(undefined, php, known);
    expect(hides).toEqual({kind: 'hide', names: [php]});
    expect(toggleSource(hides, php, known)).toBeUndefined();
    expect(settlePick({kind: 'only', names: known}, known)).toBeUndefined();
  });

  test('a source more is hidden besides the others, or leaves those that are shown alone', () => {
    expect(pickOf({kind: 'hide', names: [php]}, {kind: 'hide', names: [nginx, php]})).toEqual({
      kind: 'hide',
      names: [nginx, php],
    });
    expect(pickOf({kind: 'only', names: [php, nginx]}, {kind: 'hide', names: [php]})).toEqual({
      kind: 'only',
      names: [nginx],
    });
    expect(pickOf({kind: 'hide', names: [php]}, {kind: 'only', names: [php]})).toEqual({kind: 'only', names: [php]});
  });

  test('filters packed chunks without unpacking them, and no context brings a hidden line back', () => {
    const {buffer} = logOf(many, [php, nginx]);
    const filter = createLineFilter({
      includes: [],
      excludes: [],
      levelMin: 0,
      contextLines: 9,
      hidesSource: hiddenBy({kind: 'only', names: [php]}),
    });
    const {list, pendingCount} = filter.apply(buffer);
    expect([list.entryCount, pendingCount]).toEqual([many / 2, 0]);
    const sources = new Set(list.slice(0, 2000).map(entry => (entry.kind === 'line' ? entry.source : undefined)));
    expect([...sources]).toEqual([php]);
  });
});

test('a gap of a source is counted to it, and names one of which no line is held', () => {
  const edit = editBuffer(createBuffer(1e9));
  const gapOf = (source: SourceName | undefined) =>
    edit.insert({kind: 'gap', id: edit.takeId(), at: 1n, after: 0n, before: 1n, ...(source && {source})});
  edit.insert({kind: 'line', id: edit.takeId(), at: 1n, raw: 'a', textIndex: 0, late: false, source: php});
  edit.insert({kind: 'line', id: edit.takeId(), at: 1n, raw: 'b', textIndex: 0, late: false});
  for (const source of [php, nginx, nginx, undefined]) {
    gapOf(source);
  }
  edit.insert({kind: 'quiet', id: edit.takeId(), at: 1n, since: 0n});
  const buffer = edit.finish();
  expect([...countSources([buffer]).values()]).toEqual([
    {name: php, lineCount: 1, gapCount: 1},
    {name: unsaidSource, lineCount: 1, gapCount: 0},
    {name: nginx, lineCount: 0, gapCount: 2},
  ]);
  expect(learnSources([], nothing, buffer)).toEqual([php, nginx]);
  const [chunk] = buffer.chunks;
  expect(chunk && [0, 1].map(offset => declaredSourceAt(chunk, offset))).toEqual([php, unsaidSource]);
});

test('of lines of which nobody says who wrote them, the number is known', () => {
  const {buffer} = logOf(2, [{}]);
  expect([...countSources([buffer]).values()]).toEqual([{name: unsaidSource, lineCount: 2, gapCount: 0}]);
  const [chunk] = buffer.chunks;
  expect(chunk && declaredSourceAt(chunk, 0)).toBeUndefined();
});

test('a source is called by its pod and container, or by its stream if that is all', () => {
  const words = [{pod: 'a', container: 'b', stream: 'c'}, {pod: 'a'}, {container: 'b', stream: 'c'}, {stream: 'c'}, {}];
  expect(words.map(sourceWords)).toEqual(['a b', 'a', 'b', 'c', '']);
  expect(words.map(sourceWordsInFull)).toEqual(['a b c', 'a', 'b c', 'c', '']);
});

test('a first choice is what is wished, and hides more afterwards', () => {
  expect(pickOf(undefined, {kind: 'hide', names: [php]})).toEqual({kind: 'hide', names: [php]});
  expect(toggleSource({kind: 'only', names: [php]}, nginx, [php, nginx, {pod: 'x'}])).toEqual({
    kind: 'only',
    names: [php, nginx],
  });
  expect(toggleSource({kind: 'only', names: [php, nginx]}, {...php}, [php, nginx])).toEqual({
    kind: 'only',
    names: [nginx],
  });
});
