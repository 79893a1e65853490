import {expect, test} from 'vitest';
import {tlsFaultOf} from '#base/error-code.ts';
import {isLoopbackHost, readServiceAddress, serviceAddress} from '#base/service-address.ts';

test.each([
  ['https://api.example.com/dev-v1', 'https://api.example.com/dev-v1', undefined, 'api.example.com', 'api.example.com'],
  ['http://[::1]:8080/a', 'http://[::1]:8080/a', undefined, '[::1]:8080', '[::1]'],
  ['unix:/run/x/serve.sock:/dev-v1', 'http://localhost/dev-v1', '/run/x/serve.sock', '/run/x/serve.sock', 'serve'],
  ['unix:/run/x/serve.sock', 'http://localhost/', '/run/x/serve.sock', '/run/x/serve.sock', 'serve'],
  ['unix:/run/x/serve.sock:', 'http://localhost/', '/run/x/serve.sock', '/run/x/serve.sock', 'serve'],
])('%s is reached at %s', (text, href, socketPath, host, name) => {
  const address = readServiceAddress(text);
  expect([address?.url.href, address?.socketPath, address?.host, address?.name]).toEqual([
    href,
    socketPath,
    host,
    name,
  ]);
  expect(serviceAddress(text)).toEqual(address);
});

test.each([
  '',
  'api.example.com',
  'ftp://api.example.com',
  'unix:run/x.sock',
  'unix:/run/x.sock:dev-v1',
  'file:///etc',
])('%s is no address of a service', text => {
  expect(readServiceAddress(text)).toBeUndefined();
  expect(() => serviceAddress(text)).toThrow(`not the address of a service: ${text}`);
});

test.each([
  ['localhost', true],
  ['api.localhost', true],
  ['127.0.0.1', true],
  ['127.255.1.2', true],
  ['::ffff:127.0.0.1', true],
  ['[::1]', true],
  ['::1', true],
  ['localhost.example.com', false],
  ['mylocalhost', false],
  ['128.0.0.1', false],
  ['127.0.0.1.example.com', false],
  ['[::2]', false],
  ['0.0.0.0', false],
])('the host %s never leaves this machine: %s', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});

test.each([
  ['CERT_HAS_EXPIRED', 'expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'selfSigned'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'otherHost'],
  ['CERT_REVOKED', 'other'],
  ['EPROTO', 'other'],
  ['EPROTOX', undefined],
  ['ECONNREFUSED', undefined],
  ['', undefined],
])('the code %s is the fault %s', (code, fault) => {
  expect(tlsFaultOf(code)).toBe(fault);
});
