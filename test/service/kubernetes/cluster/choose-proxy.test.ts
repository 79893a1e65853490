import {expect, test} from 'vitest';
import {chooseProxy} from '../../../../src/service/kubernetes/cluster/choose-proxy.ts';

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

test('names what holds an address that is no HTTP proxy, without the address', () => {
  expect(() => choose('https://a.example', {HTTPS_PROXY: 'socks5://dev:secret@proxy:1'})).toThrow(
    /^HTTPS_PROXY: must be the address of an HTTP proxy, such as http:\/\/proxy\.example:3128\.$/,
  );
});
