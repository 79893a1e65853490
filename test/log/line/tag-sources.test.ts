import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {SourceName} from '#log/line/entry.ts';
import {tagSources} from '#log/line/tag-sources.ts';
import {cellWidth} from '#log/text/width.ts';

const pods = (...names: readonly string[]): readonly SourceName[] => names.map(pod => ({pod, container: 'app'}));

test.each([
  ['the part that differs', pods('shop-web-7d9c4-abcde', 'shop-web-7d9c4-fghij'), ['abcde', 'fghij']],
  ['no hash of a rollout if the rest tells them apart', pods('web-7d9c4-abcde', 'web-5f6b8-fghij'), ['abcde', 'fghij']],
  [
    'the name of the workload, where there are several',
    pods('shop-web-7d9c4-x2x4z', 'shop-worker-5d5f6-k9q1b'),
    ['web', 'worker'],
  ],
  [
    'both, where a workload has several pods',
    pods('shop-web-7d9c4-x2x4z', 'shop-web-7d9c4-k8p0c', 'shop-worker-5d5f6-k9q1b'),
    ['web-x2x4z', 'web-k8p0c', 'worker-k9q1b'],
  ],
  ['a word beside a number', pods('shop-web-0', 'shop-web-1'), ['web-0', 'web-1']],
  ['no common end', pods('eu-shop-prod', 'us-shop-prod'), ['eu', 'us']],
  ['a name that begins like another', pods('web', 'web-1'), ['web', 'web-1']],
  ['the whole name, where no part of it is left', pods('web-', 'web-eu'), ['web-', 'web-eu']],
  [
    'containers of one pod',
    [
      {pod: 'shop-web-0', container: 'nginx'},
      {pod: 'shop-web-0', container: 'php'},
    ],
    ['nginx', 'php'],
  ],
  [
    'pods and containers',
    [
      {pod: 'web-0', container: 'nginx'},
      {pod: 'web-0', container: 'php'},
      {pod: 'web-1', container: 'php'},
    ],
    ['web-0 nginx', 'web-0 php', 'web-1 php'],
  ],
  [
    'the end of a pod and its container, which says what it is for',
    [
      {pod: 'shop-web-7d9c4-x2x4z', container: 'nginx'},
      {pod: 'shop-web-7d9c4-x2x4z', container: 'php'},
      {pod: 'shop-web-7d9c4-k8p0c', container: 'php'},
      {pod: 'shop-worker-5d5f6-k9q1b', container: 'worker'},
    ],
    ['x2x4z nginx', 'x2x4z php', 'k8p0c php', 'k9q1b worker'],
  ],
  [
    'one tag for both streams of a container',
    [
      {pod: 'web-0', container: 'php', stream: 'stdout'},
      {pod: 'web-0', container: 'php', stream: 'stderr'},
      {pod: 'web-1', container: 'php', stream: 'stdout'},
    ],
    ['web-0', 'web-0', 'web-1'],
  ],
  [
    'streams, if that is all that is known',
    [{stream: 'access.log'}, {stream: 'error.log'}],
    ['access.log', 'error.log'],
  ],
  [
    'nothing, if there is nothing to tell apart',
    [
      {pod: 'web-0', stream: 'stdout'},
      {pod: 'web-0', stream: 'stderr'},
    ],
    ['', ''],
  ],
  ['a container beside one of no known pod', [{pod: 'web-0', container: 'php'}, {container: 'cron'}], ['php', 'cron']],
] as const)('a tag is %s', (_, names, tags) => {
  expect(tagSources(names, 20)).toEqual(tags);
});

describe('tags of six cells', () => {
  test.each<[string, readonly SourceName[], readonly string[]]>([
    [
      'are the parts that controllers made up',
      [{pod: 'web-5d8f7c9b4-lt8nm'}, {pod: 'web-5d8f7c9b4-bvc48'}],
      ['lt8nm', 'bvc48'],
    ],
    ['are numbers of replicas', [{pod: 'db-0'}, {pod: 'db-11'}], ['0', '11']],
    [
      'are containers',
      [
        {pod: 'web-0', container: 'nginx'},
        {pod: 'web-0', container: 'php'},
      ],
      ['nginx', 'php'],
    ],
    [
      'are pods where each has one container of its own',
      [
        {pod: 'web-0', container: 'nginx'},
        {pod: 'job-x7k2p', container: 'php'},
      ],
      ['0', 'x7k2p'],
    ],
    [
      'are both, as short as tells them apart',
      [
        {pod: 'web-5d8f7c9b4-lt8nm', container: 'php'},
        {pod: 'web-5d8f7c9b4-lt8nm', container: 'nginx'},
        {pod: 'web-5d8f7c9b4-bvc48', container: 'php'},
      ],
      ['8nm/ph', '8nm/ng', 'c48/ph'],
    ],
    [
      'are numbers where names tell nothing',
      [
        {pod: 'a', stream: 'stdout'},
        {pod: 'a', container: 'stdout'},
      ],
      ['1 a', '2 stdo'],
    ],
    [
      'are both ends of names that only both tell apart',
      [{pod: 'cart-0.log'}, {pod: 'cart-1.log'}, {pod: 'checkout-0.log'}, {pod: 'checkout-1.log'}],
      ['cart-0', 'cart-1', 'chec-0', 'chec-1'],
    ],
    [
      'are files of different names',
      [{pod: 'access.log'}, {pod: 'error.log'}, {pod: 'cron.log'}],
      ['access', 'error', 'cron'],
    ],
  ])('%s', (_, names, tags) => {
    expect(tagSources(names, 6)).toEqual(tags);
  });
});

test('a tag is cut in the middle, container and pod each by itself', () => {
  const names = [
    {pod: 'payment-gateway-worker', container: 'istio-proxy'},
    {pod: 'payment-gateway-worker', container: 'app'},
    {pod: 'shop', container: 'app'},
  ];
  expect(tagSources(names, 16)).toEqual(['paym…ker ist…oxy', 'paymen…orker app', 'shop app']);
});

test('foreign names are made safe', () => {
  expect(tagSources([{pod: 'a\u001b[2J'}, {pod: 'b\u202e'}], 20)).toEqual(['a␛', 'b�']);
});

const segment = fc.constantFrom('web', 'shop', 'worker', '0', '1', '7d9c4', 'abcde', 'x2x4z', 'é', '界', '');
const name = fc.record(
  {
    pod: fc.array(segment, {minLength: 1, maxLength: 5}).map(segments => segments.join('-')),
    container: fc.constantFrom('app', 'php', 'nginx', 'istio-proxy', 'a'.repeat(60)),
    stream: fc.constantFrom('stdout', 'stderr'),
  },
  {requiredKeys: []},
);

test('tags tell pods and containers apart, within their width', () => {
  fc.assert(
    fc.property(fc.array(name, {maxLength: 30}), fc.integer({min: 8, max: 30}), (names, cellsMax) => {
      const tags = tagSources(names, cellsMax);
      const keyOf = ({pod = '', container = '', stream = ''}: SourceName): string =>
        pod === '' && container === '' ? `\n${stream}` : `${pod}\n${container}`;
      const tagOfKey = new Map(names.map((each, index) => [keyOf(each), tags[index]]));
      expect(names.map(each => tagOfKey.get(keyOf(each)))).toEqual(tags);
      expect(Math.max(0, ...tags.map(cellWidth))).toBeLessThanOrEqual(cellsMax);
      if (tagOfKey.size > 1) {
        expect(new Set(tagOfKey.values()).size).toBe(tagOfKey.size);
      } else {
        expect(tags.every(tag => tag === '')).toBe(true);
      }
    }),
  );
});
