import {expect, test} from 'vitest';
import {matchesLabels, parseLabelSelector, readSelectorObject} from '#service/kubernetes/objects/label-selector.ts';

test.each([
  ['', {}, true],
  ['app=shop', {app: 'shop'}, true],
  ['app==shop', {app: 'blog'}, false],
  ['app!=shop', {}, true],
  ['app!=shop', {app: 'shop'}, false],
  ['app.kubernetes.io/part-of = shop , tier', {'app.kubernetes.io/part-of': 'shop', tier: ''}, true],
  ['app=', {app: ''}, true],
  ['!tier', {tier: 'web'}, false],
  ['tier in (web, api),app=shop', {tier: 'api', app: 'shop'}, true],
  ['tier notin (web)', {tier: 'web'}, false],
  ['tier notin (web)', {}, true],
  // A name that every object has.
  ['constructor', {}, false],
  ['!constructor', {}, true],
  ['tier', {tier: ''}, true],
  ['tier', {}, false],
  ['! tier', {}, true],
  ['app=shop', {}, false],
  ['tier in (web,)', {tier: ''}, true],
  ['tier in (web)', {tier: 'api'}, false],
  ['tier notin (web)', {tier: 'api'}, true],
  ['  ', {}, true],
])('%s selects %j: %s', (selector, labels, isSelected) => {
  expect(matchesLabels(labels, parseLabelSelector(selector))).toBe(isSelected);
});

test.each(['app=a b', 'app in shop', '=x', 'a,,b', 'a in (b', '(a)', 'a=b=c'])('refuses %s', selector => {
  expect(() => parseLabelSelector(selector)).toThrow('cannot be read');
});

test('reads the selector of a workload; an empty one, or an operator that is not known, selects nothing', () => {
  const requirements = readSelectorObject({
    matchLabels: {app: 'shop'},
    matchExpressions: [
      {key: 'tier', operator: 'NotIn', values: ['test']},
      {key: 'hidden', operator: 'DoesNotExist'},
    ],
  });
  expect(matchesLabels({app: 'shop', tier: 'web'}, requirements ?? [])).toBe(true);
  expect(matchesLabels({app: 'shop', tier: 'test'}, requirements ?? [])).toBe(false);
  expect(matchesLabels({app: 'shop', hidden: ''}, requirements ?? [])).toBe(false);
  expect(matchesLabels({tier: 'web'}, requirements ?? [])).toBe(false);
  expect(readSelectorObject({})).toBeUndefined();
  expect(readSelectorObject({matchExpressions: [{key: 'a', operator: 'Gt', values: ['1']}]})).toBeUndefined();
  expect(readSelectorObject({matchExpressions: [{operator: 'Exists'}]})).toBeUndefined();
  expect(readSelectorObject({matchExpressions: [{key: 'a', operator: 'In', values: ['x', 1]}]})).toEqual([
    {key: 'a', operator: 'in', values: ['x']},
  ]);
  expect(readSelectorObject({matchExpressions: [{key: 'a', operator: 'Exists'}]})).toEqual([
    {key: 'a', operator: 'exists', values: []},
  ]);
});

test('says where a selector cannot be read', () => {
  expect(() => parseLabelSelector('app=shop,tier ! test')).toThrow(
    'The label selector "app=shop,tier ! test" cannot be read at "tier ! test": write it as for kubectl, such as app=shop,tier!=test.',
  );
});
