import {describe, expect, test} from 'vitest';
import {describeRefusal, describeUnauthorised, type RefusedAnswer} from '#api/client/http/describe-failure.ts';
import {Secret, secretMask} from '#base/secret.ts';

const refusal = (status: number, change: Partial<RefusedAnswer> = {}) =>
  describeRefusal({
    ...{status, headers: {}, host: 'api.example', url: 'https://api.example/a', tenant: 'org-1', subject: 'branch'},
    ...{proxy: undefined, token: new Secret('to.ken+1'), nowMs: 0},
    ...change,
  });

describe('a refusal', () => {
  test.each([
    [300, 'redirect'],
    [399, 'redirect'],
    [304, 'notInterface'],
    [400, 'notInterface'],
    [403, 'forbidden'],
    [404, 'notFound'],
    [407, 'network'],
    [418, 'notInterface'],
    [429, 'tooManyRequests'],
    [499, 'notInterface'],
    [500, 'server'],
    [599, 'server'],
  ])('of %i is %s', (status, kind) => {
    expect(refusal(status)).toMatchObject({kind, status, retryAfterMs: undefined});
  });

  test('says how long to wait only if it is one that passes', () => {
    const headers = {'retry-after': '30'};
    expect([429, 500, 503].map(status => refusal(status, {headers}).retryAfterMs)).toEqual([30_000, 30_000, 30_000]);
    expect([403, 404, 499].map(status => refusal(status, {headers}).retryAfterMs)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(refusal(429, {headers}).message).toBe('api.example received too many requests (429), and asks to wait 30 s');
    expect(refusal(500, {headers: {'retry-after': ['20', '40']}}).retryAfterMs).toBe(20_000);
  });

  test('names the status, where it has a name', () => {
    expect(refusal(418).message).toBe("api.example answered 418 (I'm a Teapot), which the interface does not have");
    expect(refusal(499).message).toBe('api.example answered 499, which the interface does not have');
    expect(refusal(404).message).toBe('api.example knows no such branch (404): is it gone?');
    expect(refusal(407).message).toContain('the proxy in between asks');
    expect(refusal(407, {proxy: 'p.example:3128'}).message).toContain('the proxy p.example:3128 asks');
  });

  test('has the reason that the service gives, safe and without the token', () => {
    const said = (reason: string): string => refusal(503, {headers: {'branchlog-reason': reason}}).message;
    expect(said(encodeURIComponent('no right to read.'))).toBe('no right to read (503 by api.example)');
    expect(said(encodeURIComponent('bad \u001b[31m TO.KEN+1'))).not.toMatch(/\u001b|TO\.KEN/);
    expect(said(encodeURIComponent('bad TO.KEN+1'))).toContain(secretMask);
    expect(said(encodeURIComponent('toXken+1'))).toContain('toXken+1');
    expect(said('%')).toBe('api.example answered 503 (Service Unavailable)');
    expect(said('')).toBe('api.example answered 503 (Service Unavailable)');
    expect(said('x'.repeat(601))).toBe(`${'x'.repeat(600)} (503 by api.example)`);
  });

  test('of a redirect names the host it leads to, and no more', () => {
    const leads = (location?: string): string => refusal(302, {headers: {location}}).message;
    expect(leads('https://login.example/?ticket=1')).toBe(
      'api.example answered 302 (Found) to login.example, which is not followed: check base_url',
    );
    expect(leads('/other')).toContain(' to api.example, ');
    expect(leads()).toContain(' without a target, ');
    expect(leads('javascript:alert(1)')).toContain(' to an address of javascript:, ');
    expect(leads('https://to.ken+1.example/')).toContain(` to ${secretMask}.example, `);
  });
});

test('a token that is refused is expired from its last moment on, else rejected', () => {
  const message = (expiresAtMs: number | undefined, detail?: string): string =>
    describeUnauthorised(
      {expiresAtMs: () => expiresAtMs, describe: () => 'TOKEN'} as never,
      'api.example',
      1_000_000,
      detail,
    ).message;
  expect(message(1_000_000)).toBe(
    'token expired at 1970-01-01 00:16:40 UTC (401 by api.example): replace the one in TOKEN',
  );
  expect(message(1_000_001)).toBe('token rejected (401 by api.example): replace the one in TOKEN');
  expect(message(undefined, 'its file is gone')).toBe(
    'token rejected (401 by api.example): replace the one in TOKEN (its file is gone)',
  );
});
