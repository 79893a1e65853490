import {describe, expect, test} from 'vitest';
import {countPods, listPods, podWords, troubleRows} from '#app/log/list-pods.ts';
import {groupPod} from '#app/log/pod-fields.ts';
import {settleSoughtPod, showLinesOf} from '#app/log/search.ts';
import {listPodsPane} from '#app/log/select-pods.ts';
import type {LogState} from '#app/state/state.ts';
import type {SeenPod} from '#app/tail/branch-changes.ts';
import {answer, enter, give, linesOf, logOf, openEmptyLog, openLogWith, type Play, textOf} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

const seen = (name: string, change: Partial<SeenPod> = {}, createdAt?: string, metadata = {}): SeenPod => ({
  pod: {name, resourceVersion: '', metadata, createdAt},
  ...{cameAtMs: undefined, wentAtMs: undefined, image: undefined},
  ...change,
});

const withPods = (log: LogState, ...pods: readonly SeenPod[]): LogState => {
  const [first, ...others] = log.sources;
  return {...log, sources: [{...first, tail: {...first.tail, pods}}, ...others]};
};

const play = openLogWith(linesOf(1, 3));
const log = logOf(play);

test('pods that run are listed youngest first, and those that went latest first', () => {
  const listed = listPods(
    withPods(
      log,
      seen('old', {}, '2026-11-18T13:00:00Z'),
      seen('went-first', {wentAtMs: 1000}, '2026-11-21T13:00:00Z'),
      seen('unknown'),
      seen('came', {cameAtMs: 9000}),
      seen('young', {}, '2026-11-21T13:00:00Z'),
      seen('went-last', {wentAtMs: 2000}, '2026-11-18T13:00:00Z'),
    ),
  );
  expect(listed.map(({pod}) => pod.name)).toEqual(['came', 'young', 'old', 'unknown', 'went-last', 'went-first']);
});

test('they are counted by the word for them', () => {
  const counted = (...went: readonly (number | undefined)[]): string =>
    countPods(listPods(withPods(log, ...went.map((wentAtMs, index) => seen(`p${index}`, {wentAtMs})))), 'container');
  expect([counted(undefined), counted(undefined, undefined), counted(undefined, 5), counted(5, 6)]).toEqual([
    '1 container runs',
    '2 containers run',
    '1 container runs, 1 went',
    '0 containers run, 2 went',
  ]);
});

test('an opened file has its lines, and neither an age nor an owner that are made up', () => {
  const file = (pod: SeenPod) => {
    const [listed = expect.fail()] = listPods(withPods(log, pod));
    const state = {...play.state, context: {name: 'app.log', host: '', parts: 'none' as const}};
    return {
      words: podWords(state, {...listed, written: [{name: {pod: 'app.log'}, lineCount: 1800, gapCount: 0}]}),
      titles: groupPod(state, listed).map(({title}) => title),
    };
  };
  const metadata = {namespace: 'n', ownerReferences: [{kind: 'StatefulSet', name: 'app.log'}]};
  expect(file(seen('app.log', {}, '2026-11-21T13:00:00Z', metadata))).toEqual({
    words: {name: 'app.log', age: '1,800 lines', when: '', owner: '', image: ''},
    titles: ['File'],
  });
  expect(file(seen('app.log', {wentAtMs: 10_000})).words.when).toBe('ended 14:02:10');
  expect(countPods(listPods(withPods(log, seen('a'), seen('b', {wentAtMs: 1}))), 'file')).toBe('2 files');
});

describe('a pod in words', () => {
  const words = (pod: SeenPod) => {
    const [listed = expect.fail()] = listPods(withPods(log, pod));
    return podWords(play.state, listed);
  };

  test('has its age, with the date it came once that is a day ago', () => {
    expect(words(seen('a', {}, '2026-11-20T14:02:11Z'))).toMatchObject({age: '23 h', when: 'came 14:02:11'});
    expect(words(seen('a', {}, '2026-11-20T14:02:10Z'))).toMatchObject({age: '1 day', when: 'came 11-20 14:02'});
    expect(words(seen('a', {}, '2026-11-21T14:02:11Z')).age).toBe('0 s');
  });

  test('that does not say when it was created has the age since it came, if that is known', () => {
    expect(words(seen('a', {cameAtMs: 7000}))).toMatchObject({age: '3 s', when: 'came 14:02:07'});
    expect(words(seen('a'))).toMatchObject({age: '', when: 'age unknown'});
    expect(words(seen('a', {wentAtMs: 8000}))).toMatchObject({age: 'went 14:02:08', when: ''});
    expect(words(seen('a', {cameAtMs: 3000, wentAtMs: 8000})).when).toBe('after 5 s');
  });

  test('has its owner and its image, without the registry', () => {
    const owned = (ownerReferences: unknown) => words(seen('a', {}, undefined, {ownerReferences})).owner;
    expect([owned([{kind: 'ReplicaSet', name: 'rs'}]), owned([{kind: 'Job'}]), owned([]), owned('x')]).toEqual([
      'ReplicaSet rs',
      'Job',
      '',
      '',
    ]);
    const came = {cameAtMs: 1};
    expect(words(seen('a', {...came, image: 'registry.example/shop/php:8'})).image).toBe('php:8');
    expect(words(seen('a', {...came, image: 'php:8'})).image).toBe('php:8');
  });
});

describe('the rows of the pods', () => {
  const owned = {ownerReferences: [{kind: 'Job', name: 'j1'}]};
  const web = seen('web-1', {cameAtMs: 7000, image: 'php:8'}, undefined, owned);
  const rows = (columns: number, ...pods: readonly SeenPod[]): readonly string[] =>
    listPodsPane({...play.state, columns}, withPods(log, ...pods), {kind: 'pods', selectedKey: undefined, top: 0})
      .rows.map(({row}) => textOf(row()))
      .filter(row => row !== '');

  test('lose the owner, then the image, then the second time', () => {
    const full = 'web-1  3 s      came 14:02:07  Job j1  php:8';
    // Three columns are for the highlight.
    expect(rows(3 + full.length, web)).toEqual([full]);
    expect(rows(2 + full.length, web)).toEqual(['web-1  3 s      came 14:02:07  php:8']);
    expect(rows(3 + 36, web)).toEqual(['web-1  3 s      came 14:02:07  php:8']);
    expect(rows(2 + 36, web)).toEqual(['web-1  3 s      came 14:02:07']);
    expect(rows(3 + 29, web)).toEqual(['web-1  3 s      came 14:02:07']);
    expect(rows(2 + 29, web)).toEqual(['web-1  3 s']);
  });

  test('have no column for what no pod has', () => {
    expect(rows(80, seen('web-1', {cameAtMs: 7000, image: 'php:8'}))).toEqual(['web-1  3 s      came 14:02:07  php:8']);
    expect(rows(80, seen('web-1', {cameAtMs: 7000}, undefined, owned))).toEqual([
      'web-1  3 s      came 14:02:07  Job j1',
    ]);
  });

  test('cut the name where not even the age fits beside it, to no less than eight cells', () => {
    const long = seen('a-name-of-24-characters-', {cameAtMs: 7000});
    expect(rows(20, long)[0]).toMatch(/^a-name-of-…? *\S* +3 s$/);
    expect(rows(20, long)[0]?.length).toBe(20 - 3);
    expect(rows(10, long)).toEqual(['a-name-…  3 s']);
  });

  test('are dim if the pod went, and wide enough for when it did', () => {
    const {rows: items} = listPodsPane(play.state, withPods(log, web, seen('gone', {cameAtMs: 1, wentAtMs: 4000})), {
      kind: 'pods',
      selectedKey: undefined,
      top: 0,
    });
    expect(items.map(({row}) => row()[0])).toMatchObject([{tone: 'plain'}, {text: 'gone ', tone: 'dim'}]);
    expect(items.map(({row}) => textOf(row()))).toEqual(
      ['web-1  3 s      came 14:02:07        Job j1  php:8', 'gone   went 14:02:04, after 3 s      '].map(row =>
        expect.stringContaining(row.trimEnd().slice(0, 28)),
      ),
    );
  });

  test('of several branches leave room for their labels', () => {
    const several = openEmptyLog(['master', 'staging']);
    // Wide enough that the labels do not get narrower as well.
    const two = withPods(logOf(several), {...web, image: 'php:8.2.14-fpm-alpine'});
    const shown = (columns: number): string =>
      textOf(
        listPodsPane({...several.state, columns}, two, {kind: 'pods', selectedKey: undefined, top: 0}).rows[0]?.row() ??
          [],
      );
    const full = shown(80);
    expect(full).toMatch(/^\S+ {2}.*Job j1 {2}php:\S+$/);
    expect(shown(full.length + 3)).toBe(full);
    expect(shown(full.length + 2)).not.toContain('Job j1');
  });

  test('say what keeps pods from working: three troubles, and how many more', () => {
    const trouble = {name: 'a', kind: 'pod', reason: 'x', message: 'y'} as never;
    const count = (some: number): readonly string[] =>
      troubleRows({troubles: Array.from({length: some}, () => trouble)})
        .slice(3)
        .map(textOf);
    expect([count(3), count(4), count(5)]).toEqual([[], ['and 1 trouble more'], ['and 2 troubles more']]);
  });
});

test('managed fields that are no object are one field, and values that are not empty are said', () => {
  const labels = (fieldsV1: unknown): readonly string[] => {
    const [pod = expect.fail()] = listPods(
      withPods(log, seen('a', {}, undefined, {managedFields: [{manager: 'm', fieldsV1}]})),
    );
    return groupPod(play.state, pod)
      .filter(({title}) => title === 'Managed fields')
      .flatMap(({fields}) => fields.map(field => `${field.label}|${JSON.stringify(field)}`));
  };
  expect(labels('odd').join()).toContain('odd');
  expect(labels({'f:a': {}, 'f:b': 'x', 'f:c': 5}).join('\n')).toMatch(/f:a"[\s\S]*f:b: x"[\s\S]*f:c: 5"/);
});

describe('the lines of a pod', () => {
  const sourced = (): Play => {
    const some = openEmptyLog();
    const sources = [{pod: 'web-1'}, {pod: 'web-2'}];
    some.windowArrives(
      answer({
        ...linesOf(1, 2).value,
        numbering: {series: 'a', first: 1, sources, runs: [[0, 1] as const, [1, 1] as const], losses: []},
      }),
    );
    return some;
  };

  test('are those of its source, where the service says who wrote them', () => {
    const some = sourced();
    const shown = showLinesOf(some.state, logOf(some), 'web-1', []);
    expect(shown.log).toMatchObject({sourcePick: {kind: 'only', names: [{pod: 'web-1'}]}, overlay: undefined});
    expect([shown.notice, shown.columns]).toEqual([expect.stringMatching(/^only lines of web-1; \S+ shows all$/), 80]);
    const [pod] = listPods(withPods(logOf(some), seen('web-2')));
    const held = groupPod(play.state, pod ?? expect.fail()).find(({title}) => title === 'Lines held');
    expect(held?.fields).toMatchObject([{label: 'lines'}]);
    expect(JSON.stringify(held)).not.toContain('gap');
  });

  test('are all lines, if it wrote them all', () => {
    const some = openEmptyLog();
    some.windowArrives(
      answer({
        ...linesOf(1, 2).value,
        numbering: {series: 'a', first: 1, sources: [{pod: 'web-1'}], runs: [[0, 2] as const], losses: []},
      }),
    );
    const shown = showLinesOf(some.state, logOf(some), 'web-1', []);
    expect([shown.notice, shown.log?.sourcePick]).toEqual(['all lines are from web-1', undefined]);
  });

  test('are those that name it as a whole word, if its name is part of another', () => {
    const query = (...others: readonly string[]): string | undefined =>
      showLinesOf(play.state, log, 'web-1', listPods(withPods(log, ...others.map(name => seen(name))))).log?.use
        .patterns[0]?.pattern.query;
    expect([query('web-1'), query('web-1', 'web-2'), query('web-1', 'web-10')]).toEqual([
      'web-1',
      'web-1',
      String.raw`re:\bweb-1\b`,
    ]);
  });

  test('are looked for beside the filters that hide lines, instead of those that show some', () => {
    const filtered = openLogWith(linesOf(1, 3));
    for (const [command, text] of [
      ['filterOut', 'health'],
      ['filterIn', 'line'],
    ] as const) {
      give(filtered, command);
      enter(filtered, text);
      answerSearches(filtered);
    }
    const shown = showLinesOf(filtered.state, logOf(filtered), 'web-1', []);
    expect(shown.log?.use.filters.map(({kind}) => kind)).toEqual(['exclude', 'include']);
    expect(shown.notice).toContain(', instead of the filters before;');
    expect(shown.log?.soughtPod).toMatchObject({
      patternId: shown.log?.use.filters[1]?.patternId,
      filtersBefore: [
        {kind: 'exclude', query: 'health'},
        {kind: 'include', query: 'line'},
      ],
    });
    const failing = showLinesOf(play.state, log, 'x'.repeat(100_000), []);
    expect([failing.notice, failing.log?.soughtPod]).toEqual([expect.any(String), undefined]);
    const given = {...shown, log: shown.log && {...shown.log, use: {...shown.log.use, filters: []}}};
    expect(settleSoughtPod(given).log?.soughtPod).toBeUndefined();
    expect(settleSoughtPod(given).notice).toBe(shown.notice);
  });
});
