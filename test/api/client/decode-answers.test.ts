import {describe, expect, test} from 'vitest';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {decodeLog} from '#api/client/decode-log.ts';
import {decodeNumbering} from '#api/client/decode-numbering.ts';
import {decodePulses} from '#api/client/decode-pulses.ts';
import {createFieldProblems, createFieldReader, decodeObjects, describeType, listIn} from '#api/client/field-reader.ts';
import {maskRecord} from '#api/client/mask-record.ts';
import {Secret} from '#base/secret.ts';
import {isTable} from '#base/table.ts';
import {parseInstant} from '#log/line/instant.ts';

/** What is decoded, and the notes about what is malformed. */
const noted = <T>(decode: (problems: ReturnType<typeof createFieldProblems>) => T): readonly [T, readonly string[]] => {
  const problems = createFieldProblems();
  return [decode(problems), problems.list()];
};

describe('the errors of branches', () => {
  const good = {_id: 'b', seenUntil: '2026-11-21T14:02:11.500Z', seenMs: 60_000, lines: 4, errors: 3, minutes: []};
  const toMs = Date.parse(good.seenUntil);
  const one = (change: object): unknown => decodePulses([{...good, ...change}]).value.get('b');

  test('have what was counted', () => {
    expect(decodePulses([good])).toEqual({
      value: new Map([['b', {toMs, spanMs: 60_000, lines: 4, errors: 3, minutes: []}]]),
      skipped: [],
    });
    expect(one({lastLine: '2026-11-21T14:02:10Z'})).toMatchObject({lastLineMs: Date.parse('2026-11-21T14:02:10Z')});
    expect(one({seenMs: 59_999})).toMatchObject({spanMs: 59_999});
    expect(one({seenMs: 60_001})).toMatchObject({spanMs: 60_000});
    expect(one({seenMs: 0, lines: 0, errors: 0})).toMatchObject({spanMs: 0, lines: 0, errors: 0});
  });

  test('have their last minutes, as far as these can be read', () => {
    const minute = {from: '2026-11-21T14:02:30Z', seenMs: 5, lines: 2, errors: 1};
    const read = {minute: Date.parse('2026-11-21T14:02:00Z') / 60_000, seenMs: 5, lines: 2, errors: 1};
    expect(one({minutes: [minute]})).toMatchObject({minutes: [read]});
    expect(
      one({minutes: [minute, 7, {...minute, from: 'now'}, {...minute, lines: -1}, {...minute, seenMs: undefined}]}),
    ).toMatchObject({
      minutes: [read],
    });
    expect(one({minutes: Array.from({length: 7}, (_, errors) => ({...minute, errors}))})).toMatchObject({
      minutes: [2, 3, 4, 5, 6].map(errors => ({...read, errors})),
    });
  });

  test('have their last error, if its time can be read, its text cut at 400 characters', () => {
    const atMs = Date.parse('2026-11-21T14:02:09Z');
    const error = {time: '2026-11-21T14:02:09Z', text: 'boom'};
    expect(one({lastError: error})).toMatchObject({lastError: {atMs, text: 'boom'}});
    expect(one({lastError: {time: error.time}})).toMatchObject({lastError: {atMs, text: ''}});
    expect(one({lastError: {...error, text: 'x'.repeat(401)}})).toMatchObject({lastError: {text: 'x'.repeat(400)}});
    expect(one({lastError: {...error, time: 'now'}})).not.toHaveProperty('lastError');
    expect(one({})).not.toHaveProperty('lastError');
    expect(one({})).not.toHaveProperty('lastLineMs');
  });

  test.each([
    ['no object', 7],
    ['no id', {...good, _id: 5}],
    ['no time', {...good, seenUntil: 'now'}],
    ['a count below zero', {...good, errors: -1}],
    ['a count that is missing', {...good, lines: undefined}],
    ['no time seen', {...good, seenMs: undefined}],
  ])('with %s are noted and left out', (_, item) => {
    const {value, skipped} = decodePulses([item, {...good, _id: 'c'}]);
    expect([...value.keys()]).toEqual(['c']);
    expect(skipped.at(-1)).toMatch(/^\[0\]: expected an object with _id, seenUntil, seenMs, lines and errors, got /);
  });
});

describe('a log', () => {
  const log = (change: object = {}) => decodeLog({podNamesList: [], data: ['a'], ...change});

  test('is an object with a list of lines', () => {
    expect(() => decodeLog(7)).toThrow('the answer is not a log: expected an object, got a number');
    expect(() => log({data: undefined})).toThrow('the answer is not a log: data: expected an array, got nothing');
    expect(log()).toEqual({value: {pods: [], lines: ['a'], sessionId: undefined}, skipped: []});
  });

  test('has the session that it names', () => {
    expect(log({sessionId: 's'}).value.sessionId).toBe('s');
    expect(log({sessionId: 5})).toMatchObject({
      value: {sessionId: undefined},
      skipped: ['sessionId: expected a string, got a number'],
    });
  });

  test('tells where items are no lines', () => {
    expect(log({data: [1, 'a', null, {}, 'b', []]})).toMatchObject({
      value: {lines: ['a', 'b'], notLines: [0, 1, 1, 2]},
    });
    expect(log().value).not.toHaveProperty('notLines');
  });

  test('has its pods, with their secrets masked; what is malformed is noted', () => {
    const pod = {
      name: 'web-1',
      resourceVersion: '5',
      metadata: {creationTimestamp: '2026', annotations: {password: 'x'}},
    };
    const pods = (...list: readonly unknown[]) => log({podNamesList: list});
    const {value, skipped} = pods(pod);
    expect(skipped).toEqual([]);
    expect(value.pods[0]).toMatchObject({name: 'web-1', resourceVersion: '5', createdAt: '2026'});
    expect(JSON.stringify(value.pods)).not.toContain('"x"');
    expect(pods({...pod, resourceVersion: 5})).toMatchObject({
      value: {pods: [{name: 'web-1', resourceVersion: ''}]},
      skipped: ['podNamesList[0].resourceVersion: expected a string, got a number'],
    });
    expect(pods({...pod, metadata: undefined})).toMatchObject({
      value: {pods: [{metadata: {}, createdAt: undefined}]},
      skipped: [],
    });
    expect(pods({...pod, metadata: 5}).skipped).toEqual(['podNamesList[0].metadata: expected an object, got a number']);
    expect(pods({...pod, metadata: {creationTimestamp: 5}}).value.pods[0]?.createdAt).toBeUndefined();
    expect(pods({...pod, name: ''}, {...pod, name: 7}, 'x', pod)).toMatchObject({
      value: {pods: [{name: 'web-1'}]},
      skipped: [
        'podNamesList[0].name: expected a string that is not empty, got a string',
        'podNamesList[1].name: expected a string that is not empty, got a number',
        'podNamesList[2]: expected an object, got a string',
      ],
    });
    expect(log({podNamesList: 5})).toMatchObject({
      value: {pods: []},
      skipped: ['podNamesList: expected an array, got a number'],
    });
  });

  test('need not name its pods to a reader that has them', () => {
    const branchlog = {series: 's', first: 1, pods: 'tag-1'};
    expect(log({podNamesList: undefined, branchlog})).toMatchObject({podsTag: 'tag-1', hasPods: false, skipped: []});
    expect(log({branchlog})).toMatchObject({podsTag: 'tag-1', hasPods: true});
    expect(log()).not.toHaveProperty('podsTag');
    expect(log({podNamesList: undefined}).skipped).toEqual(['podNamesList: expected an array, got nothing']);
    expect(log({branchlog: {...branchlog, pods: 'x'.repeat(129)}})).not.toHaveProperty('podsTag');
    expect(log({branchlog: {...branchlog, pods: 'x'.repeat(128)}})).toHaveProperty('podsTag');
  });

  test('with numbers leaves out those of items that are no lines, and tells each as a loss', () => {
    const branchlog = {
      series: 's',
      first: 5,
      sources: [{pod: 'a'}, {pod: 'b'}],
      runs: [
        [0, 2],
        [1, 1],
      ],
      losses: [{number: 6, source: 1, lines: 3, why: 'rotated'}],
    };
    const {value} = log({data: ['a', null, 'b'], branchlog});
    expect(value.numbering).toMatchObject({series: 's', first: 5, last: 7, sources: [{pod: 'a'}, {pod: 'b'}]});
    expect(value.numbering?.numbers).toEqual([
      [5, 1],
      [7, 1],
    ]);
    expect(value.numbering?.losses).toEqual(
      expect.arrayContaining([
        expect.objectContaining({lines: 1, isNoLine: true}),
        expect.objectContaining({lines: 3, why: 'rotated', source: 1}),
      ]),
    );
    const first = log({data: [null, 'a'], branchlog: {series: 's', first: 5}});
    expect(first.value.numbering).toMatchObject({first: 5, last: 6, numbers: [[6, 1]]});
  });
});

describe('the numbers of lines', () => {
  const good = {series: 's', first: 7, sources: [{pod: 'a'}], runs: [[0, 3]]};
  const decode = (change: object, count = 3) =>
    noted(problems => decodeNumbering({...good, ...change}, count, problems));
  const numbering = (change: object) => decode(change)[0]?.numbering;

  test('may be given in any order, but none twice', () => {
    const at = (...numbers: readonly (readonly number[])[]) => decode({numbers});
    expect(at([7, 3])[0]?.numbering.numbers).toEqual([[7, 3]]);
    expect(at([9, 1], [0, 2])[0]?.numbering.numbers).toEqual([
      [9, 1],
      [0, 2],
    ]);
    expect(at([7, 2], [9, 1])[1]).toEqual([]);
    expect(at([9, 1], [8, 2])).toEqual([undefined, ['branchlog.numbers: a number is given twice']]);
    expect(at([7, 2], [8, 1])[1]).toEqual(['branchlog.numbers: a number is given twice']);
    expect(at([7, 2, 1])[1]).toEqual(['branchlog.numbers: expected runs [first, count] for each item of data']);
    expect(numbering({})).not.toHaveProperty('numbers');
  });

  test('have a series of at most 128 characters', () => {
    expect(decode({series: 'x'.repeat(128)})[1]).toEqual([]);
    expect(decode({series: 'x'.repeat(129)})[1]).toHaveLength(1);
  });

  test('have sources with names of at most 512 characters; what is malformed is left out', () => {
    const sources = [{pod: 'p'.repeat(512), container: 'c', stream: 'stderr'}, {pod: 'p'.repeat(513)}, {pod: ''}, 7];
    const [decoded, notes] = decode({sources});
    expect(decoded?.numbering.sources).toEqual([{pod: 'p'.repeat(512), container: 'c', stream: 'stderr'}, {}, {}, {}]);
    expect(notes).toEqual([
      'branchlog.sources[1].pod: expected a string of 1 to 512 characters, got a string',
      'branchlog.sources[2].pod: expected a string of 1 to 512 characters, got a string',
      'branchlog.sources[3]: expected an object, got a number',
    ]);
    expect(decode({sources: 5, runs: undefined})).toMatchObject([
      {numbering: {sources: [], runs: []}},
      ['branchlog.sources: expected an array of at most 20000 sources, got a number'],
    ]);
  });

  test('have as many sources and losses as any window tells', () => {
    const many = (count: number): readonly object[] => Array.from({length: count}, (_, number) => ({number}));
    expect(decode({sources: many(20_000)})[0]?.numbering.sources).toHaveLength(20_000);
    expect(decode({sources: many(20_001), runs: undefined})[0]?.numbering.sources).toEqual([]);
    expect(numbering({losses: many(10_000)})?.losses).toHaveLength(10_000);
    expect(numbering({losses: many(10_001)})?.losses).toEqual([]);
  });

  test('tell of each line who wrote it, or of none', () => {
    expect(
      numbering({
        runs: [
          [0, 1],
          [0, 2],
        ],
      })?.runs,
    ).toEqual([
      [0, 1],
      [0, 2],
    ]);
    const note = ['branchlog.runs: expected runs [source, count] for each item of data'];
    for (const runs of [undefined, 7, [[1, 3]], [[0, 2]], [[0, 3, 1]], [['0', 3]]]) {
      expect(decode({runs})).toMatchObject([{numbering: {runs: []}}, note]);
    }
    expect(decode({sources: undefined, runs: undefined})[1]).toEqual([]);
    expect(decode({sources: undefined, runs: [[0, 3]]})[1]).toEqual(note);
  });

  test('have losses, with what is known of each', () => {
    const at = '2026-11-21T14:00:00Z';
    const loss = {number: 8, source: 0, lines: 2, after: at, before: at, why: 'y'};
    const time = parseInstant(at);
    expect(numbering({losses: [loss]})?.losses).toEqual([{...loss, after: time, before: time}]);
    expect(numbering({losses: [{number: 8}]})?.losses).toEqual([{number: 8, why: ''}]);
    expect(numbering({losses: [{...loss, source: 1, lines: -1, after: 'x', before: 5, why: 5}]})?.losses).toEqual([
      {number: 8, why: ''},
    ]);
    expect(numbering({losses: [{...loss, why: 'w'.repeat(501)}]})?.losses[0]?.why).toBe('w'.repeat(500));
    expect(decode({losses: [7, {number: -1}]})).toMatchObject([
      {numbering: {losses: []}},
      [
        'branchlog.losses[0]: expected an object with a number',
        'branchlog.losses[1]: expected an object with a number',
      ],
    ]);
  });

  test('say which pods can not be read', () => {
    const read = (unreadable: unknown) => decode({unreadable})[0]?.unreadable;
    expect(read({pods: 1, of: 2, why: 'w'.repeat(600)})).toEqual({pods: 1, of: 2, why: 'w'.repeat(500)});
    expect(read({pods: 1, of: 2, isBlind: true})).toEqual({pods: 1, of: 2, why: '', isBlind: true});
    expect(read({pods: 1, of: 2, isBlind: 1})).toEqual({pods: 1, of: 2, why: ''});
    for (const wrong of [7, {pods: -1, of: 2}, {pods: 1}, null]) {
      expect(decode({unreadable: wrong})).toMatchObject([
        {unreadable: undefined},
        ['branchlog.unreadable: expected an object with pods and of'],
      ]);
    }
  });
});

describe('fields', () => {
  const source = {
    text: 't',
    none: null,
    flag: false,
    count: 0,
    table: {a: 1},
    list: [1],
    secret: new Secret('s'),
    empty: '',
  };
  const read = (call: (reader: ReturnType<typeof createFieldReader>) => unknown, path = 'at') =>
    noted(problems => call(createFieldReader(source, path, problems)));

  test('of the wanted type are read; a missing one is none, and one of another type is noted', () => {
    expect(read(({text}) => text('text'))).toEqual(['t', []]);
    expect(read(({text}) => text('gone'))).toEqual([undefined, []]);
    expect(read(({text}) => text('constructor'))).toEqual([undefined, []]);
    expect(read(({text}) => text('count'))).toEqual([undefined, ['at.count: expected a string, got a number']]);
    expect(read(({text}) => text('count'), '')).toEqual([undefined, ['count: expected a string, got a number']]);
    expect(read(({text}) => text('secret'))).toEqual([undefined, []]);
    expect(read(({text}) => text('none'))).toEqual([undefined, []]);
    expect(read(({flag}) => flag('flag'))).toEqual([false, []]);
    expect(read(({flag}) => flag('text'))).toEqual([undefined, ['at.text: expected a boolean, got a string']]);
    expect(read(({number}) => number('count'))).toEqual([0, []]);
    expect(read(({secret}) => secret('secret'))).toEqual([source.secret, []]);
    expect(read(({secret}) => secret('empty'))).toEqual([undefined, []]);
    expect(read(({secret}) => secret('text'))).toEqual([undefined, ['at.text: expected a string, got a string']]);
    expect(read(({table}) => table('table'))).toEqual([source.table, []]);
    expect(read(({items}) => items('list'))).toEqual([[1], []]);
    expect(read(({items}) => items('none'))).toEqual([[], []]);
    expect(read(({within}) => within('table')?.number('a'))).toEqual([1, []]);
    expect(read(({within}) => within('table')?.text('a'))).toEqual([
      undefined,
      ['at.table.a: expected a string, got a number'],
    ]);
    expect(read(({within}) => within('text'))).toEqual([undefined, ['at.text: expected an object, got a string']]);
    expect(read(({value}) => value('none'))).toEqual([null, []]);
  });

  test('tell null from missing where null is a value', () => {
    for (const kind of ['textOrNull', 'flagOrNull', 'secretOrNull'] as const) {
      expect(read(reader => [reader[kind]('none'), reader[kind]('gone')])).toEqual([[null, undefined], []]);
    }
    expect(
      read(reader => [reader.textOrNull('text'), reader.flagOrNull('flag'), reader.secretOrNull('secret')]),
    ).toEqual([['t', false, source.secret], []]);
  });

  test('that nobody asked for are the rest', () => {
    expect(
      read(reader => {
        reader.text('text');
        return Object.keys(reader.rest(['flag', 'count', 'list']));
      }),
    ).toEqual([['none', 'table', 'secret', 'empty'], []]);
  });

  test('of a list are read where they are objects', () => {
    expect(
      noted(problems => decodeObjects([{a: 1}, 7, {a: 2}], 'l', problems, ({a}, path) => (a === 2 ? undefined : path))),
    ).toEqual([['l[0]'], ['l[1]: expected an object, got a number']]);
    expect([isTable({}), isTable([]), isTable(null), isTable(new Secret('x'))]).toEqual([true, false, false, false]);
  });

  test('are named by their type', () => {
    expect([undefined, null, [], {}, 'x', 1, true].map(describeType)).toEqual([
      'nothing',
      'null',
      'an array',
      'an object',
      'a string',
      'a number',
      'a boolean',
    ]);
    expect(listIn([1], 'x')).toEqual([1]);
    expect(() => listIn({}, 'a list')).toThrow('the answer is not a list: expected an array, got an object');
  });

  test('that are malformed are noted up to a hundred times, each note cut at 300 characters', () => {
    const [, notes] = noted(problems => {
      for (let index = 0; index < 102; index++) {
        problems.add('p'.repeat(index === 0 ? 400 : 1), 'x', 1);
      }
    });
    expect(notes).toHaveLength(101);
    expect([notes[0], notes[100]]).toEqual([`${'p'.repeat(300)}…`, 'and 2 more']);
    expect(noted(problems => problems.addNote('n'.repeat(300)))[1]).toEqual(['n'.repeat(300)]);
    expect(noted(problems => problems.addNote('n'.repeat(301)))[1]).toEqual([`${'n'.repeat(300)}…`]);
  });
});

describe('a record', () => {
  test('nested deeper than forty is cut, in lists as in objects', () => {
    const nest = (depth: number, wrap: (inner: unknown) => unknown): unknown =>
      Array.from({length: depth}).reduce<unknown>(wrap, 'x');
    for (const wrap of [(inner: unknown) => ({a: inner}), (inner: unknown) => [inner]]) {
      expect(noted(problems => JSON.stringify(maskRecord(nest(40, wrap), '', problems)))).toEqual([
        JSON.stringify(nest(40, wrap)),
        [],
      ]);
      const [cut, notes] = noted(problems => JSON.stringify(maskRecord(nest(41, wrap), '', problems)));
      expect(cut).not.toContain('x');
      expect(notes[0]).toMatch(/: nested deeper than 40, cut$/);
    }
  });

  test('of a branch that is no object, or has no id, is left out', () => {
    const {value, skipped, withoutId} = decodeBranches([
      7,
      {name: 'a'},
      {_id: '', name: 'b'},
      {_id: 'c', name: 'c', status: null},
    ]);
    expect(value.map(({_id}) => _id)).toEqual(['c']);
    expect([skipped, withoutId]).toEqual([
      [
        '[0]: expected an object, got a number',
        '[1]._id: expected a string that is not empty, got nothing',
        '[2]._id: expected a string that is not empty, got a string',
      ],
      3,
    ]);
  });

  test('of a branch has words, workloads and troubles only as described, and no more than a hundred', () => {
    const branch = (fields: object) =>
      decodeBranches([{_id: 'b', name: 'b', status: null, ...fields}]).value[0] ?? expect.fail();
    expect(branch({release: 'r', releaseTool: 't'})).toMatchObject({release: 'r', releaseTool: 't'});
    expect(branch({release: 5, releaseTool: {}})).toMatchObject({
      release: undefined,
      releaseTool: undefined,
      malformed: [],
    });
    const many = Array.from({length: 101}, (_, index) => `w${index}`);
    expect(branch({workloads: many}).workloads).toEqual(many.slice(0, 100));
    expect(branch({workloads: ['a', 5]}).workloads).toEqual(['a']);
    expect(branch({troubles: many.map(reason => ({reason}))}).troubles).toHaveLength(100);
    expect(
      branch({
        troubles: [
          {reason: 'a', state: 'starting'},
          {reason: 'b', state: 'odd'},
        ],
      }).troubles.map(({state}) => state),
    ).toEqual(['starting', 'now']);
    expect(branch({}).branchType).toBe('');
  });

  test('of a branch has its deployment, however it is nested', () => {
    const branch = (deploymentConfig: unknown) =>
      decodeBranches([{_id: 'b', name: 'b', status: null, deploymentConfig}]);
    const of = (config: unknown) => branch(config).value[0]?.deploymentConfig;
    const env = [{name: 'A', value: 'b'}];
    for (const config of [
      {'images.nginx.env': env},
      {images: {nginx: {env}}},
      {'images.nginx': {env}},
      {images: {'nginx.env': env}},
    ]) {
      expect(of(config)).toMatchObject({nginxEnv: env, phpEnv: []});
    }
    expect(of({application: {storage: '10Gi'}})).toMatchObject({applicationStorage: '10Gi'});
    expect(of({application: {storage: null}})).toMatchObject({applicationStorage: undefined});
    expect(branch({application: {storage: null}}).skipped).toEqual([]);
    expect(branch({application: {storage: 5}}).skipped).toEqual([
      '[0].deploymentConfig.application.storage: expected a string, got a number',
    ]);
    expect(branch({images: {php: {env: 5}}}).skipped).toEqual([
      '[0].deploymentConfig.images.php.env: expected an array, got a number',
    ]);
    expect(
      branch({
        images: {
          php: {
            env: [
              {name: 1, value: 'x'},
              {name: 'a', value: 1},
            ],
          },
        },
      }).skipped,
    ).toEqual([
      '[0].deploymentConfig.images.php.env[0].name: expected a string, got a number',
      '[0].deploymentConfig.images.php.env[1].value: expected a string, got a number',
    ]);
    expect(of(undefined)).toBeUndefined();
  });
});
