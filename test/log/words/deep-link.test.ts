import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseInstant} from '#log/line/instant.ts';
import {formatDeepLink, parseDeepLink} from '#log/words/deep-link.ts';
import {anyCharacter} from '../../support/any-character.ts';

const at = (text: string) => parseInstant(text);
const noon = '2026-11-21T12:00:00Z';

test.each([
  ['shop/master@2026-11-21T14:02:11Z', 'shop', 'master', '2026-11-21T14:02:11Z'],
  ['shop/master@2026-11-21T14:02:11.031000001Z', 'shop', 'master', '2026-11-21T14:02:11.031000001Z'],
  ['shop/master@2026-11-21T15:02:11+01:00', 'shop', 'master', '2026-11-21T14:02:11Z'],
  ['shop/feature/new-theme@2026-11-21T14:02:11Z', 'shop', 'feature/new-theme', '2026-11-21T14:02:11Z'],
  ['shop/release@2@2026-11-21T14:02:11Z', 'shop', 'release@2', '2026-11-21T14:02:11Z'],
  ['me@work/master@2026-11-21T14:02:11Z', 'me@work', 'master', '2026-11-21T14:02:11Z'],
  ['a%2Fb/c%20d%40@2026-11-21T14:02:11Z', 'a/b', 'c d@', '2026-11-21T14:02:11Z'],
])('%s is a place', (text, site, branch, time) => {
  expect(parseDeepLink(text)).toEqual({site, branch, at: at(time)});
});

test.each([
  ['shop/master', 'shop', 'master'],
  ['shop/feature/x', 'shop', 'feature/x'],
  ['shop/release@2', 'shop', 'release@2'],
  ['shop/master@2026-02-30T14:02:11Z', 'shop', 'master@2026-02-30T14:02:11Z'],
  ['shop/100%', 'shop', '100%'],
  ['shop/50%off', 'shop', '50%off'],
  ['shop/a%FFb', 'shop', 'a%FFb'],
  ['5f3c/6a1', '5f3c', '6a1'],
])('%s is a branch without a time', (text, site, branch) => {
  expect(parseDeepLink(text)).toEqual({site, branch, at: undefined});
});

test.each(['', 'shop', '/', '/master', 'shop/', `shop/@${noon}`, `shop@${noon}`, `@${noon}`])('%j is no link', text => {
  expect(parseDeepLink(text)).toBeUndefined();
});

test('a link says no more than it must, and is one word for a shell', () => {
  const link = (site: string, branch: string, time: string | undefined) =>
    formatDeepLink({site, branch, at: time === undefined ? undefined : at(time)});
  expect(link('shop', 'feature/new-theme', '2026-11-21T14:02:10.000Z')).toBe(
    'shop/feature/new-theme@2026-11-21T14:02:10Z',
  );
  expect(link('shop', 'master', '2026-11-21T14:02:11.031Z')).toBe('shop/master@2026-11-21T14:02:11.031Z');
  expect(link('-x', `it's $5; a@b`, undefined)).toBe('%2Dx/it%27s%20%245%3B%20a%40b');
});

test('whatever the names are, the link leads back to them', () => {
  const name = fc.oneof(
    fc.string({unit: anyCharacter, minLength: 1}),
    fc
      .array(fc.constantFrom('a', '/', '@', '%', '%2F', '%25', noon, ' ', '-', 'ü'), {minLength: 1})
      .map(parts => parts.join('')),
  );
  const time = fc.option(fc.bigInt({min: 0n, max: 4_000_000_000_000_000_000n}), {nil: undefined});
  fc.assert(
    fc.property(name, name, time, (site, branch, instant) => {
      const text = formatDeepLink({site, branch, at: instant});
      expect(text).toMatch(/^[\w.%/:+,@-]+$/);
      expect(parseDeepLink(text)).toEqual({site, branch, at: instant});
    }),
  );
});
