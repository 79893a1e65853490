import {expect, test} from 'vitest';
import {abortable, impersonationHeaders} from '#service/kubernetes/kube-connection.ts';

test('whom to act as is sent as headers, one line for each value', () => {
  expect(impersonationHeaders({user: 'jane', uid: '7', groups: ['a', 'b'], extra: {scopes: ['x', 'y']}})).toEqual({
    'impersonate-user': 'jane',
    'impersonate-uid': '7',
    'impersonate-group': ['a', 'b'],
    'impersonate-extra-scopes': ['x', 'y'],
  });
  expect(impersonationHeaders({user: 'jane', groups: [], extra: {}})).toEqual({'impersonate-user': 'jane'});
});

test.each([
  ['acme.com/team', 'acme.com%2fteam'],
  ['100%', '100%25'],
  ['é b', '%c3%a9%20b'],
  ["aZ09!#$&'*+.^_`|~-", "aZ09!#$&'*+.^_`|~-"],
  ['\u0001', '%01'],
])('the name %j is written as %s', (name, escaped) => {
  expect(Object.keys(impersonationHeaders({user: 'jane', groups: [], extra: {[name]: []}}))).toContain(
    `impersonate-extra-${escaped}`,
  );
});

test('a wait ends with what is waited for, or with the signal, also if that came first', async () => {
  const control = new AbortController();
  expect(await abortable(Promise.resolve(7), control.signal)).toBe(7);
  await expect(abortable(Promise.reject(new Error('failed')), control.signal)).rejects.toThrow('failed');
  const never = new Promise(() => undefined);
  const waiting = abortable(never, control.signal);
  control.abort(new Error('given up'));
  await expect(waiting).rejects.toThrow('given up');
  await expect(abortable(never, control.signal)).rejects.toThrow('given up');
});
