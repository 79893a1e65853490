import {Readable} from 'node:stream';
import {expect, test} from 'vitest';
import {describeConnectionFailure, readRefusal} from '#service/kubernetes/describe-kube-failure.ts';
import {KubeError, readRefusedImpersonation} from '#service/kubernetes/kube-client.ts';
import {TunnelError, type TunnelFailure} from '#service/kubernetes/transport/open-tunnel.ts';
import {ConnectTimeoutError} from '#service/kubernetes/transport/transport.ts';
import {SilentLinkError} from '#service/link/link.ts';

const withCode = (code: string, message = 'it failed'): Error => Object.assign(new Error(message), {code});
const told = (error: unknown) => {
  const {kind, message} = describeConnectionFailure(error, 'https://c');
  return [kind, message];
};

test.each<readonly [error: unknown, kind: string, message: string]>([
  [
    new ConnectTimeoutError('', {cause: new TunnelError('proxy:1', {kind: 'unreachable'})}),
    'timeout',
    'The proxy proxy:1 refused to connect to https://c in time: check the proxy, and whether it can reach that address.',
  ],
  [
    new ConnectTimeoutError(''),
    'timeout',
    'No connection to https://c in time: check the address, and whether a firewall or a missing VPN is in the way.',
  ],
  [
    new SilentLinkError('a PING was not answered'),
    'connection',
    'The connection to https://c was dead: a PING was not answered.',
  ],
  [withCode('CERT_HAS_EXPIRED'), 'connection', 'The certificate of https://c has expired: it must be renewed there.'],
  [
    withCode('CERT_NOT_YET_VALID'),
    'connection',
    "The certificate of https://c is not valid yet: check this machine's clock.",
  ],
  [
    withCode('DEPTH_ZERO_SELF_SIGNED_CERT'),
    'connection',
    'The certificate of https://c is not signed by a known authority: check certificate-authority of the cluster.',
  ],
  [
    withCode('ERR_TLS_CERT_ALTNAME_INVALID'),
    'connection',
    'The certificate of https://c is for another name: check the address, or name it in tls-server-name.',
  ],
  [
    withCode('ENOTFOUND'),
    'connection',
    "The name of https://c cannot be resolved: check the address and this machine's DNS.",
  ],
  [
    withCode('EAI_AGAIN'),
    'connection',
    "The name of https://c cannot be resolved: check the address and this machine's DNS.",
  ],
  [
    withCode('ECONNREFUSED'),
    'connection',
    'https://c refused the connection: check the address, and that the API server runs.',
  ],
  [
    withCode('EHOSTUNREACH'),
    'connection',
    'https://c cannot be reached (EHOSTUNREACH): check the address, and whether a VPN is missing.',
  ],
  [withCode('ECONNRESET'), 'connection', 'https://c closed the connection before it answered (ECONNRESET).'],
  [withCode('EPIPE'), 'connection', 'https://c closed the connection before it answered (EPIPE).'],
  [
    withCode('EPROTO'),
    'connection',
    expect.stringMatching(/^(?:No secure connection to|The request to) https:\/\/c .*\(?EPROTO/) as never,
  ],
  [
    withCode('ERR_HTTP2_ERROR', 'ENHANCE_YOUR_CALM'),
    'connection',
    'The request to https://c failed (ENHANCE_YOUR_CALM).',
  ],
  [withCode('EWHATEVER'), 'connection', 'The request to https://c failed (EWHATEVER).'],
  [new Error('it failed'), 'connection', 'The request to https://c failed (it failed).'],
  ['text', 'connection', 'The request to https://c failed (text).'],
  [
    new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]),
    'connection',
    'https://c refused the connection: check the address, and that the API server runs.',
  ],
])('a request that got no answer says why: %s', (error, kind, message) => {
  expect(told(error)).toEqual([kind, message]);
});

test('an error that has words of its own keeps them', () => {
  const error = new KubeError('auth', 'No credentials.');
  expect(describeConnectionFailure(error, 'https://c')).toBe(error);
});

const settings = 'check proxy-url, HTTPS_PROXY or ALL_PROXY';

test.each<readonly [failure: TunnelFailure, cause: unknown, message: string]>([
  [{kind: 'unreachable'}, withCode('ECONNREFUSED'), `The proxy p:1 cannot be reached (ECONNREFUSED): ${settings}.`],
  [
    {kind: 'unreachable'},
    new Error('EIO: i/o error, read'),
    `The proxy p:1 cannot be reached (i/o error): ${settings}.`,
  ],
  [{kind: 'broken'}, undefined, `The proxy p:1 closed the connection before it reached https://c: ${settings}.`],
  [{kind: 'foreign'}, undefined, `The proxy p:1 does not speak SOCKS5: ${settings}.`],
  [
    {kind: 'login', isRefused: true},
    undefined,
    'The proxy p:1 does not accept the name and the password in its address: correct them there.',
  ],
  [
    {kind: 'login', isRefused: false},
    undefined,
    'The proxy p:1 asks for a name and a password: write them into its address.',
  ],
  [
    {kind: 'refused', words: '403'},
    undefined,
    'The proxy p:1 refused to connect to https://c (403): check what it allows, or exempt the address with NO_PROXY.',
  ],
  [
    {kind: 'far', words: 'host unreachable'},
    undefined,
    'The proxy p:1 cannot reach https://c (host unreachable): check the address, and that the API server runs.',
  ],
])('a proxy that gives no way says what to do: %j', (failure, cause, message) => {
  expect(told(new TunnelError('p:1', failure, cause))).toEqual(['connection', message]);
});

const refusalOf = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readRefusal(
    {
      status,
      headers,
      body: Readable.from([Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))]),
      isWhole: () => true,
      cancel: () => undefined,
    },
    {address: 'https://c', path: '/api/v1/pods', accessName: 'user "dev"'},
    new AbortController().signal,
  );

test.each<readonly [status: number, body: unknown, message: string]>([
  [
    401,
    {message: 'Unauthorized'},
    'https://c does not accept user "dev" (401): log in again, or renew the credentials.',
  ],
  [403, '', 'https://c does not allow GET /api/v1/pods (403): a Role must grant this right.'],
  [403, {message: 'no'}, 'https://c does not allow GET /api/v1/pods (403): no.'],
  [
    403,
    {message: 'pods is forbidden: User "dev" cannot list resource "pods" in API group "" in the namespace "shop"'},
    'No right to list pods in namespace shop, as dev (403 by https://c): a Role must grant it.',
  ],
  [
    403,
    {message: 'nodes is forbidden: User "dev" cannot watch resource "nodes" in API group "" at the cluster scope'},
    'No right to watch nodes of the cluster, as dev (403 by https://c): a Role must grant it.',
  ],
  [
    403,
    {
      message:
        'users "jane" is forbidden: User "dev" cannot impersonate resource "users" in API group "" at the cluster scope',
    },
    'dev may not act as user jane (403 by https://c): leave that out, or have a ClusterRole grant dev the verb impersonate.',
  ],
  [500, '<html>', 'https://c answered GET /api/v1/pods with 500.'],
  [500, {reason: 'InternalError'}, 'https://c answered GET /api/v1/pods with 500 InternalError.'],
  [
    500,
    {message: 'it failed.', reason: 'InternalError'},
    'it failed (500 InternalError by https://c, GET /api/v1/pods).',
  ],
  [
    500,
    {message: 'Get "https://10.0.0.1:10250/x": dial tcp: timeout'},
    'dial tcp: timeout (500 by https://c, GET /api/v1/pods).',
  ],
  [
    500,
    {message: 'Get "https://10.0.0.1:10250/x": '},
    'Get "https://10.0.0.1:10250/x":  (500 by https://c, GET /api/v1/pods).',
  ],
])('an answer of %i is told: %j', async (status, body, message) => {
  expect(await refusalOf(status, body)).toMatchObject({kind: 'status', status, message});
});

const date = 'Sun, 22 Nov 2026 12:00:00 GMT';

test.each<readonly [what: string, headers: Record<string, string>, body: unknown, waitMs: number | undefined]>([
  ['seconds', {'retry-after': '7'}, {}, 7_000],
  ['none', {}, {}, undefined],
  ['a date, by the clock of the server', {'retry-after': 'Sun, 22 Nov 2026 12:00:30 GMT', date}, {}, 30_000],
  ['a date without that clock', {'retry-after': 'Sun, 22 Nov 2026 12:00:30 GMT'}, {}, undefined],
  ['nonsense', {'retry-after': 'soon', date}, {}, undefined],
  ['nothing at all is a second', {'retry-after': '0'}, {}, 1_000],
  ['a date that has passed is a second', {'retry-after': 'Sun, 22 Nov 2026 11:00:00 GMT', date}, {}, 1_000],
  ['ten minutes', {'retry-after': '600'}, {}, 600_000],
  ['more is ten minutes', {'retry-after': '601'}, {}, 600_000],
  ['the header before the body', {'retry-after': '7'}, {details: {retryAfterSeconds: 9}}, 7_000],
  ['the body', {}, {details: {retryAfterSeconds: 9}}, 9_000],
  ['the body, where 0 is none', {}, {details: {retryAfterSeconds: 0}}, undefined],
])('how long a server asks to wait: %s', async (_, headers, body, waitMs) => {
  expect((await refusalOf(429, body, headers)).retryAfterMs).toBe(waitMs);
});

test('whoever gives up gets its own reason', async () => {
  const answer = {status: 500, headers: {}, body: Readable.from([]), isWhole: () => true, cancel: () => undefined};
  const call = {address: 'https://c', path: '/', accessName: ''};
  await expect(readRefusal(answer, call, AbortSignal.abort(new Error('given up')))).rejects.toThrow('given up');
});

test.each([
  [
    'groups "admins" is forbidden: User "dev" cannot impersonate resource "groups" in API group ""',
    {user: 'dev', wanted: 'group admins'},
  ],
  [
    'serviceaccounts "ops" is forbidden: User "dev" cannot impersonate resource "serviceaccounts" in',
    {user: 'dev', wanted: 'ServiceAccount ops'},
  ],
  [
    'uids.authentication.k8s.io "7" is forbidden: User "dev" cannot impersonate resource "uids" in',
    {user: 'dev', wanted: 'uid 7'},
  ],
  [
    'userextras/scopes "x" is forbidden: User "dev" cannot impersonate resource "userextras" in',
    {user: 'dev', wanted: 'userextras/scopes x'},
  ],
  ['pods is forbidden: User "dev" cannot list resource "pods"', undefined],
  [undefined, undefined],
])('whom somebody may not act as, in %j', (serverMessage, found) => {
  expect(readRefusedImpersonation(serverMessage)).toEqual(found);
});
