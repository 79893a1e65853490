import type {IncomingHttpHeaders} from 'node:http';
import {expect, test} from 'vitest';
import {findRepeatedHeader, judgeMetricsRequest, judgeRequest} from '#service/http/request-auth.ts';

const expected = {
  token: 'service-token',
  siteTokens: new Map([
    ['blog', 'blog-token'],
    ['shop', 'shop-token'],
  ]),
  metricsToken: 'metrics-token',
  tenant: 'acme',
  authMode: 'local',
};

const headers = (token: string, others: IncomingHttpHeaders = {}) => ({
  authorization: `Bearer ${token}`,
  tenant: 'acme',
  'auth-mode': 'local',
  ...others,
});

const judge = (given: Parameters<typeof judgeRequest>[0], siteId = 'other') => {
  const {tokenName, refusal} = judgeRequest(given, expected, siteId);
  return [tokenName, refusal?.status, refusal?.reason];
};

test.each<readonly [what: string, token: string, siteId: string, judgement: readonly unknown[]]>([
  [
    'the token of the service opens a site without its own',
    'service-token',
    'other',
    ['service', undefined, undefined],
  ],
  ['but none that has one', 'service-token', 'blog', ['service', 403, 'other_token']],
  ['that of a site opens the site', 'blog-token', 'blog', ['site blog', undefined, undefined]],
  ['but not another one', 'blog-token', 'shop', ['site blog', 403, 'other_token']],
  ['nor one without its own', 'blog-token', 'other', ['site blog', 403, 'other_token']],
  ['that for the metrics opens no site', 'metrics-token', 'other', ['metrics', 403, 'other_token']],
  ['no other opens anything', 'service-toke', 'other', [undefined, 401, 'wrong_token']],
])('%s', (_, token, siteId, judgement) => {
  expect(judge(headers(token), siteId)).toEqual(judgement);
});

test('a token that is that of several opens what each of them opens', () => {
  const same = {...expected, siteTokens: new Map([['blog', 'service-token']])};
  expect(judgeRequest(headers('service-token'), same, 'other')).toEqual({tokenName: 'service'});
  expect(judgeRequest(headers('service-token'), same, 'blog')).toEqual({tokenName: 'site blog'});
});

test.each([
  ['Bearer service-token', true],
  ['bearer   service-token  ', true],
  ['Bearer', false],
  ['Bearer ', false],
  ['Bearerservice-token', false],
  ['Bearer service-token more', false],
  ['Basic service-token', false],
  [undefined, false],
])('the header %j is a bearer token: %s', (authorization, isOne) => {
  expect(judge(headers('', {authorization}))).toEqual(
    isOne ? ['service', undefined, undefined] : [undefined, 401, 'no_token'],
  );
});

test('a refusal says what to do, and how to log in', () => {
  const refusalOf = (given: IncomingHttpHeaders) => judgeRequest(given, expected, 'blog').refusal;
  expect(refusalOf({})).toEqual({
    status: 401,
    reason: 'no_token',
    message: 'The request has no bearer token: send it as "authorization: Bearer <token>".',
    challenge: 'Bearer realm="branchlog"',
  });
  expect(refusalOf(headers('wrong'))).toEqual({
    status: 401,
    reason: 'wrong_token',
    message: "The bearer token is not this service's: use the one in the service's token file.",
    challenge: 'Bearer realm="branchlog", error="invalid_token"',
  });
  expect(refusalOf(headers('shop-token'))).toEqual({
    status: 403,
    reason: 'other_token',
    message: 'The bearer token is not valid here: use the one in its token file.',
  });
});

test.each([
  [{tenant: 'other'}, 'tenant', "The header tenant does not name this service's tenant."],
  [{tenant: undefined}, 'tenant', 'The header tenant is missing: it names the organization.'],
  [{tenant: ' '}, 'tenant', 'The header tenant is missing: it names the organization.'],
  [{'auth-mode': 'x'}, 'auth_mode', 'The header auth-mode does not have the value that this service expects.'],
  [{'auth-mode': undefined}, 'auth_mode', 'The header auth-mode is missing: it names the way of logging in.'],
  [{tenant: ['acme', 'acme']}, 'tenant', "The header tenant does not name this service's tenant."],
])('with the headers %j the request is refused', (others, reason, message) => {
  expect(judgeRequest(headers('service-token', others), expected, 'other')).toEqual({
    tokenName: 'service',
    refusal: {status: 403, reason, message},
  });
});

test('blanks around a header do not count', () => {
  expect(judge(headers('service-token', {tenant: ' acme ', 'auth-mode': '\tlocal'}))).toEqual([
    'service',
    undefined,
    undefined,
  ]);
});

test('the metrics are opened by the token of the service and by their own, and need no tenant', () => {
  const open = (token: string, credentials: Parameters<typeof judgeMetricsRequest>[1] = expected) =>
    judgeMetricsRequest({authorization: `Bearer ${token}`}, credentials);
  expect([open('service-token'), open('metrics-token')]).toEqual([{tokenName: 'service'}, {tokenName: 'metrics'}]);
  expect(open('blog-token').refusal?.reason).toBe('other_token');
  const {metricsToken, siteTokens, ...least} = expected;
  expect(open('metrics-token', least).refusal?.reason).toBe('wrong_token');
  expect(judgeRequest(headers('service-token'), least, 'blog')).toEqual({tokenName: 'service'});
});

test.each([
  [['Host', 'a', 'Authorization', 'b'], undefined],
  [['Host', 'a', 'host', 'b'], 'host'],
  [['authorization', 'a', 'X', 'b', 'AUTHORIZATION', 'a'], 'authorization'],
  [['x', 'a', 'X', 'b'], undefined],
  // A value is no name.
  [['x', 'host', 'host', 'a'], undefined],
])('the headers %j have one twice: %s', (rawHeaders, name) => {
  expect(findRepeatedHeader(rawHeaders)).toBe(name);
});
