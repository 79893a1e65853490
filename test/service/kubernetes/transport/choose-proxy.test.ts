import {expect, test} from 'vitest';
import {chooseProxy} from '#service/kubernetes/transport/choose-proxy.ts';

const proxy = 'http://proxy.example:3128';

const choose = (server: string, env: NodeJS.ProcessEnv, address?: string) =>
  chooseProxy(new URL(server), {title: '"proxy-url"', address}, env)?.href;

test('takes the proxy for the scheme of the server, upper case first', () => {
  expect(choose('https://a.example', {HTTPS_PROXY: proxy, https_proxy: 'http://other:1'})).toBe(`${proxy}/`);
  expect(choose('https://a.example', {https_proxy: 'proxy.example:3128'})).toBe(`${proxy}/`);
  expect(choose('https://a.example', {HTTP_PROXY: proxy})).toBeUndefined();
  expect(choose('http://a.example', {http_proxy: proxy})).toBe(`${proxy}/`);
});

test('the kubeconfig wins over the environment, whatever NO_PROXY says', () => {
  const env = {HTTPS_PROXY: 'http://other.example:1', NO_PROXY: '*'};
  expect(choose('https://a.example', env, proxy)).toBe(`${proxy}/`);
});

test.each([
  ['*', 'https://a.example'],
  ['b.example, a.example', 'https://a.example'],
  ['example', 'https://a.example'],
  ['.example', 'https://a.example'],
  ['*.example', 'https://a.example'],
  ['A.Example:6443', 'https://a.example:6443'],
  ['a.example:443', 'https://a.example'],
  ['10.0.0.0/8', 'https://10.96.0.1'],
  ['10.96.0.1', 'https://10.96.0.1'],
  ['fd00::/8', 'https://[fd00::1]:6443'],
  ['[fd00::1]:6443', 'https://[fd00::1]:6443'],
  ['fd00::1', 'https://[fd00::1]:6443'],
  ['', 'https://localhost:6443'],
  ['', 'https://127.0.0.1:6443'],
  ['', 'https://[::1]:6443'],
])('NO_PROXY=%j excepts %s', (exceptions, server) => {
  expect(choose(server, {HTTPS_PROXY: proxy, NO_PROXY: exceptions})).toBeUndefined();
  expect(choose(server, {HTTPS_PROXY: proxy, no_proxy: exceptions})).toBeUndefined();
});

test.each([
  ['', 'https://a.example'],
  ['xample', 'https://a.example'],
  ['a.example:443', 'https://a.example:6443'],
  ['10.0.0.0/8', 'https://11.0.0.1'],
  ['10.0.0.0/8', 'https://10.example'],
  ['0.1', 'https://10.96.0.1'],
  ['fd00::/8', 'https://10.96.0.1'],
  ['10.0.0.0/99', 'https://11.0.0.1'],
])('NO_PROXY=%j does not except %s', (exceptions, server) => {
  expect(choose(server, {HTTPS_PROXY: proxy, NO_PROXY: exceptions})).toBe(`${proxy}/`);
});

test('ALL_PROXY is for what has no proxy of its own, and may be SOCKS5', () => {
  const env = {ALL_PROXY: 'socks5h://dev:secret@proxy.example:1080', NO_PROXY: 'b.example'};
  expect(choose('https://a.example', env)).toBe(env.ALL_PROXY);
  expect(choose('http://a.example', {all_proxy: 'socks5://proxy.example'})).toBe('socks5://proxy.example');
  expect(choose('https://a.example', {...env, https_proxy: proxy})).toBe(`${proxy}/`);
  expect(choose('https://b.example', env)).toBeUndefined();
});

test.each(['socks4://dev:secret@proxy:1', 'socks5://', 'ftp://dev:secret@proxy', 'socks5:proxy'])(
  'names what holds the address %s, which is none of a proxy, without it',
  address => {
    expect(() => choose('https://a.example', {HTTPS_PROXY: address})).toThrow(
      /^HTTPS_PROXY: must be the address of an HTTP or SOCKS5 proxy, such as \S+ or \S+$/,
    );
  },
);

test('names what holds a password that is not encoded', () => {
  expect(() => choose('https://a.example', {}, 'socks5://dev:50%@proxy.example')).toThrow(
    '"proxy-url": the name or the password has a "%" that begins no escape sequence: write it as %25.',
  );
});
