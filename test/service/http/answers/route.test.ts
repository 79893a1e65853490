import {expect, test} from 'vitest';
import {type Route, routeOf} from '#service/http/answers/exchange.ts';

test.each<readonly [path: string, route: Route | undefined]>([
  ['/livez', {name: 'livez'}],
  ['/readyz', {name: 'readyz'}],
  ['/healthz', {name: 'healthz'}],
  ['/metrics', {name: 'metrics'}],
  ['/dev-v1/sites/shop/branches', {name: 'branches', siteId: 'shop'}],
  ['/dev-v1/sites/shop/deployed-branches', {name: 'deployed-branches', siteId: 'shop'}],
  ['/dev-v1/sites/shop/pulses', {name: 'pulses', siteId: 'shop'}],
  ['/dev-v1/sites/a%2Fb%20c/branches/%C3%A4/logs', {name: 'logs', siteId: 'a/b c', branchId: 'ä'}],
  ['/dev-v1/sites/branches/branches/logs/logs', {name: 'logs', siteId: 'branches', branchId: 'logs'}],
  ['/', undefined],
  ['', undefined],
  ['/livez/', undefined],
  ['//livez', undefined],
  ['/dev-v1/livez', undefined],
  ['/dev-v2/sites/shop/branches', undefined],
  ['/dev-v1/sites//branches', undefined],
  ['/dev-v1/sites/shop', undefined],
  ['/dev-v1/sites/shop/', undefined],
  ['/dev-v1/sites/shop/branches/', undefined],
  ['/dev-v1/sites/shop/branches/master', undefined],
  ['/dev-v1/sites/shop/branches//logs', undefined],
  ['/dev-v1/sites/shop/deployed-branches/master/logs', undefined],
  ['/dev-v1/sites/shop/branches/master/logs/', undefined],
  ['/dev-v1/sites/shop/branches/master/logs/x', undefined],
  ['/dev-v1/sites/../sites/shop/branches', undefined],
  ['dev-v1/sites/shop/branches', undefined],
  ['x/livez', undefined],
  [`/dev-v1/sites/${'x'.repeat(1_025)}/branches`, undefined],
  [`/dev-v1/sites/shop/branches/${'x'.repeat(1_025)}/logs`, undefined],
])('%s asks for %j', (path, route) => {
  expect(routeOf(path)).toEqual(route);
});

test('an id may have 1,024 characters', () => {
  expect(routeOf(`/dev-v1/sites/${'%41'.repeat(1_024)}/branches`)).toEqual({
    name: 'branches',
    siteId: 'A'.repeat(1_024),
  });
});

test.each(['/dev-v1/sites/%/branches', '/dev-v1/sites/%C3/branches', '/%zz'])('%s is no path', path => {
  expect(() => routeOf(path)).toThrow(URIError);
});
