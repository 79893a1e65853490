import {expect, test} from 'vitest';
import {ApiError} from '#api/client/api-error.ts';
import {type RuleName, rules} from '#cli/commands/doctor/conformance/numbered-log.ts';
import {type AskedWith, runSuite} from '#cli/commands/doctor/conformance/run-suite.ts';
import {createNumberedDouble, type DoubleAnswer, type DoubleField, type NumberedDouble} from './numbered-double.ts';

type Spoil = (answer: DoubleAnswer, headers: AskedWith, double: NumberedDouble) => void;

const check = async (
  spoil: Spoil = () => {},
  {double = createNumberedDouble(), sleep}: {double?: NumberedDouble; sleep?: () => void} = {},
) => {
  const result = await runSuite({
    ask: async headers => {
      const answer = double.answer(headers);
      spoil(answer, headers, double);
      return answer;
    },
    sleep: async ms => {
      if (ms > 0) {
        (sleep ?? double.grow)();
      }
    },
    isTimeUp: () => false,
  });
  return {result, double, deviations: result.kind === 'checked' ? result.deviations : []};
};

test.each([[12], [3], [0]])('a service of %i lines that keeps to the convention has no deviation', async lineCount => {
  const {result, double} = await check(undefined, {double: createNumberedDouble(lineCount)});
  expect(result).toMatchObject({kind: 'checked', deviations: [], lineCount: Math.min(8, lineCount)});
  expect(double.askedCount).toBeLessThanOrEqual(16);
});

test('says what the log gave no occasion to check', async () => {
  const {result} = await check(undefined, {double: createNumberedDouble(3), sleep: () => {}});
  expect(result).toMatchObject({
    unchecked: ['no line came while the log was followed', 'the service told no losses, so their form was not checked'],
  });
});

test('sends nothing more when the time is up, and says so', async () => {
  const double = createNumberedDouble();
  const suite = {ask: async (headers: AskedWith) => double.answer(headers), sleep: async () => {}};
  expect(await runSuite({...suite, isTimeUp: () => double.askedCount === 4})).toMatchObject({
    deviations: [],
    requestCount: 4,
    unchecked: ['the checks were stopped, because the service answers slowly'],
  });
  expect(double.askedCount).toBe(4);
});

test('says that a window moved on too fast to compare answers', async () => {
  const double = createNumberedDouble();
  const {result} = await check(() => Array.from({length: 8}, double.grow), {double});
  expect(result).toMatchObject({
    deviations: [],
    unchecked: ['the window moved on too fast to compare answers with each other'],
  });
});

test('a service without the field does not offer it, after two requests', async () => {
  const {result, double} = await check(answer => {
    answer.branchlog = undefined;
  });
  expect([result, double.askedCount]).toEqual([{kind: 'notOffered'}, 2]);
});

/** Changes the field of every answer, or of those to some requests. */
const field =
  (
    change: (field: DoubleField, answer: DoubleAnswer, double: NumberedDouble) => void,
    only?: 'plain' | 'after',
  ): Spoil =>
  (answer, {after}, double) => {
    if (answer.branchlog && (only === undefined || (only === 'after') === (after?.startsWith('a:b:') ?? false))) {
      change(answer.branchlog, answer, double);
    }
  };

/** Answers as if the header had been another. */
const asIf =
  (change: (headers: AskedWith) => AskedWith): Spoil =>
  (answer, headers, double) => {
    const other = double.answer(change(headers));
    Object.assign(answer, {podNamesList: undefined}, other);
  };

const isStrange = ({after}: AskedWith): boolean => after !== undefined && !/^a:b:\d{1,3}$/.test(after);

const wrong: readonly (readonly [rule: RuleName, what: string, spoil: Spoil])[] = [
  ['data-form', 'an item of data that is no text', answer => answer.data.push(7 as never)],
  ['data-form', 'pods that are no list', answer => Object.assign(answer, {podNamesList: 'web-1'})],
  ['field-form', 'a field that is no object', answer => Object.assign(answer, {branchlog: 'a:1'})],
  [
    'field-form',
    'the field only with a header',
    (answer, {after}) => {
      answer.branchlog = after === undefined ? undefined : answer.branchlog;
    },
  ],
  [
    'field-form',
    'the field only without a header',
    (answer, {after}) => {
      answer.branchlog = after === undefined ? answer.branchlog : undefined;
    },
  ],
  ['series-form', 'a series of 129 characters', field(each => Object.assign(each, {series: 'x'.repeat(129)}))],
  ['series-form', 'a series that does not fit into a header', field(each => Object.assign(each, {series: 'ä'}))],
  [
    'series-stable',
    'a new series with each answer',
    field((each, _, {askedCount}) => Object.assign(each, {series: `a${askedCount}`})),
  ],
  ['first-form', 'first as text', field(each => Object.assign(each, {first: '5'}))],
  ['first-form', 'first with a fraction', field(each => Object.assign(each, {first: 1.5}))],
  [
    'first-line',
    'first one too low',
    field((each, {data}) => {
      each.first -= data.length > 0 ? 1 : 0;
    }),
  ],
  [
    'first-empty',
    'the last number in place of the next',
    field((each, {data}) => {
      each.first -= data.length === 0 ? 1 : 0;
    }),
  ],
  [
    'first-empty',
    'without lines, a number far ahead',
    field((each, {data}) => {
      each.first += data.length === 0 ? 5 : 0;
    }),
  ],
  ['numbers-form', 'numbers that are no runs', field(each => Object.assign(each, {numbers: [5, 6, 7]}))],
  ['numbers-sum', 'a run of numbers too many', field(each => each.numbers?.push([90, 1]))],
  [
    'numbers-once',
    'a number twice',
    field((each, {data}) => {
      each.numbers = data.map((_, index) => [each.first + Math.max(0, index - 1), 1]);
    }),
  ],
  [
    'numbers-step',
    'numbers in steps of ten',
    field(each => {
      each.first *= 10;
      each.numbers = each.numbers?.flatMap(([start = 0, count = 0]) =>
        Array.from({length: count}, (_, index) => [(start + index) * 10, 1]),
      );
    }),
  ],
  [
    'numbers-reused',
    'places in place of numbers',
    field(each => {
      each.numbers = undefined;
    }, 'plain'),
  ],
  ['runs-form', 'runs that are missing', field(each => Object.assign(each, {runs: undefined}))],
  ['runs-sum', 'a line without a source', field(each => each.runs.pop())],
  [
    'runs-source',
    'sources counted from 1',
    field(each => {
      each.runs = each.runs.map(([source = 0, count = 0]) => [source + 1, count]);
    }),
  ],
  ['sources-form', 'sources as texts', field(each => Object.assign(each, {sources: ['web-1', 'web-2']}))],
  ['sources-form', 'a container that is a number', field(each => Object.assign(each, {sources: [{container: 1}, {}]}))],
  ['sources-kept', 'sources in another order for what follows', field(each => each.sources.reverse(), 'after')],
  ['losses-form', 'a loss without a number', field(each => each.losses.push({why: 'x'}))],
  ['losses-form', 'a loss without a reason', field(each => each.losses.push({number: 11}))],
  [
    'losses-form',
    'a loss with a time that is none',
    field(each => each.losses.push({number: 11, why: 'x', after: 'y'})),
  ],
  ['losses-form', 'a loss of no lines', field(each => each.losses.push({number: 11, why: 'x', lines: 0}))],
  ['losses-source', 'a loss of no source', field(each => each.losses.push({number: 11, why: 'x', source: 9}))],
  ['losses-why', 'a reason with a full stop', field(each => each.losses.push({number: 11, why: 'It was cut.'}))],
  ['losses-number', 'a loss far ahead', field(each => each.losses.push({number: 99, why: 'x'}))],
  ['losses-after', 'old losses again', field(each => each.losses.push({number: 1, why: 'x'}), 'after')],
  ['losses-after', 'losses in whole windows only', field(each => each.losses.splice(0), 'after')],
  ['after-behind', 'whole windows only', asIf(({pods}) => (pods === undefined ? {} : {pods}))],
  [
    'after-behind',
    'the line with the number once more',
    asIf(headers => ({
      ...headers,
      ...(headers.after?.match(/^a:b:\d{1,3}$/) && {after: `a:b:${Number(headers.after.slice(4)) - 1}`}),
    })),
  ],
  [
    'after-order',
    'lines by time',
    field((each, answer) => {
      answer.data.reverse();
      each.runs.reverse();
      each.numbers = each.numbers
        ?.flatMap(([start = 0, count = 0]) => Array.from({length: count}, (_, index) => [start + index, 1]))
        .reverse();
      each.first = each.numbers?.[0]?.[0] ?? each.first;
    }, 'after'),
  ],
  [
    'after-missing',
    'one line too few',
    asIf(headers => ({
      ...headers,
      ...(headers.after?.match(/^a:b:\d{1,3}$/) && {after: `a:b:${Number(headers.after.slice(4)) + 1}`}),
    })),
  ],
  [
    'after-missing',
    'not the first of those that came while it is followed',
    (answer, {after}) => {
      const {data, branchlog} = answer;
      if (/^a:b:1\d$/.test(after ?? '') && branchlog && data.length > 0) {
        data.shift();
        const [first = 0, count = 0] = branchlog.numbers?.[0] ?? [];
        Object.assign(branchlog, {first: first + 1, numbers: [[first + 1, count - 1]], runs: [[0, data.length]]});
      }
    },
  ],
  [
    'after-missing',
    'not the last line',
    field((each, answer) => {
      if (answer.data.length > 0) {
        answer.data.pop();
        const [run, lines] = [each.runs.at(-1), each.numbers?.at(-1)];
        for (const last of [run, lines]) {
          if (last) {
            last[1] = (last[1] ?? 0) - 1;
          }
        }
      }
    }, 'after'),
  ],
  [
    'after-whole',
    'nothing for another series',
    (answer, headers) => {
      if (headers.after?.startsWith('branchlog-doctor:') && answer.branchlog) {
        answer.data = [];
        Object.assign(answer.branchlog, {numbers: undefined, runs: [], first: 13});
      }
    },
  ],
  [
    'after-whole',
    'nothing for a number that is too high, or for no number',
    (answer, headers) => {
      if (isStrange(headers) && !headers.after?.startsWith('branchlog-doctor:') && answer.branchlog) {
        answer.data = [];
        Object.assign(answer.branchlog, {numbers: undefined, runs: [], first: 13});
      }
    },
  ],
  [
    'plain-same',
    'another order without the header',
    field((each, answer) => {
      if (answer.data.length > 1) {
        answer.data.push(answer.data.shift() ?? '');
        each.numbers = [...(each.numbers ?? []).slice(1), [each.first, 1]];
        each.first = each.numbers[0]?.[0] ?? 0;
        each.runs = [[0, answer.data.length]];
      }
    }, 'plain'),
  ],
  ['pods-form', 'a tag that is a number', field(each => Object.assign(each, {pods: 1}))],
  [
    'pods-left-out',
    'no pods for any tag',
    (answer, {pods}) => {
      answer.podNamesList = pods === undefined ? answer.podNamesList : undefined;
    },
  ],
  [
    'pods-left-out',
    'no pods with branchlog-after',
    (answer, {after}) => {
      answer.podNamesList = after === undefined ? answer.podNamesList : undefined;
    },
  ],
  [
    'pods-changed',
    'one tag for all lists',
    (answer, _, double) => {
      double.changePods();
      Object.assign(answer.branchlog ?? {}, {pods: 'tag'});
    },
  ],
  [
    'pods-kept',
    'a new tag with each answer',
    field((each, _, {askedCount}) => Object.assign(each, {pods: `${askedCount}`})),
  ],
];

test.each(wrong)('%s: %s', async (rule, _, spoil) => {
  const {deviations} = await check(spoil);
  expect(deviations.map(deviation => deviation.rule)).toContain(rule);
  for (const {asked, came} of deviations) {
    expect(asked).toMatch(/^with(?:out headers| branchlog-)/);
    expect(came).not.toBe('');
  }
});

test('each rule is deviated from by one of these, or by a refusal', () => {
  const deviated = new Set<string>(wrong.map(([rule]) => rule));
  expect(Object.keys(rules).filter(rule => !deviated.has(rule))).toEqual(['answered']);
});

test('a value of the header that makes a request fail is a deviation; a first request that fails is an error', async () => {
  const refuse = (fails: (headers: AskedWith) => boolean) =>
    check((_, headers) => {
      if (fails(headers)) {
        throw new ApiError('server', 'refused (500)');
      }
    });
  const {deviations} = await refuse(isStrange);
  expect(deviations).toEqual([
    {rule: 'answered', asked: 'with branchlog-after: branchlog-doctor:12', came: 'refused (500)'},
  ]);
  await expect(refuse(({after}) => after === undefined)).rejects.toThrow('refused (500)');
});

test('a deviation says what was asked and what came', async () => {
  const {deviations} = await check(field(each => each.runs.pop(), 'after'));
  expect(deviations).toEqual([
    {
      rule: 'runs-sum',
      asked: 'with branchlog-after: a:b:1000000012',
      came: 'the counts of runs add up to 6, data has 8 lines',
    },
  ]);
});
