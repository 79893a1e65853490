import {X509Certificate} from 'node:crypto';
import {chmodSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {openServedTls, readTlsPair, type TlsPair} from '#service/http/served-tls.ts';
import {createTestAuthority} from '../../support/kubernetes/server/test-authority.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const createFolder = () => {
  const folder = createTempFolder('tls');
  onTestFinished(folder.remove);
  const at = (name: string): string => join(folder.path, name);
  const replace = (name: string, content: string): void => {
    writeFileSync(at('new'), content, {mode: 0o600});
    renameSync(at('new'), at(name));
  };
  const {server} = createTestAuthority(['logs.example', 'localhost']);
  replace('cert.pem', server.cert);
  replace('key.pem', server.key);
  return {at, replace, server, paths: {cert: at('cert.pem'), key: at('key.pem')}};
};

test('a pair names its first host and its end', async () => {
  const {paths, server} = createFolder();
  const {cert, key, host, validUntilMs} = await readTlsPair(paths);
  expect([String(cert), String(key), host]).toEqual([server.cert, server.key, 'logs.example']);
  expect(validUntilMs).toBe(new X509Certificate(server.cert).validToDate.getTime());
});

test.each([
  [[], undefined],
  [['*.example'], undefined],
  [['*.example', 'logs.example'], 'logs.example'],
])('of a certificate for %j, the host is %s', async (hosts, host) => {
  const {replace, paths} = createFolder();
  const {server} = createTestAuthority(hosts);
  replace('cert.pem', server.cert);
  replace('key.pem', server.key);
  expect((await readTlsPair(paths)).host).toBe(host);
});

test('a pair that is none is refused, without any of its key', async () => {
  const {at, replace, server, paths} = createFolder();
  const refusal = () =>
    readTlsPair(paths).then(
      () => 'taken',
      (error: Error) => error.message,
    );
  replace('key.pem', createTestAuthority().server.key);
  expect(await refusal()).toBe(`The TLS key ${at('key.pem')} does not belong to the certificate ${at('cert.pem')}.`);
  replace('key.pem', 'hello');
  expect(await refusal()).toBe(`The TLS key ${at('key.pem')} is not a private key in PEM form, without a passphrase.`);
  replace('key.pem', server.key);
  replace('cert.pem', 'hello');
  expect(await refusal()).toBe(`The TLS certificate ${at('cert.pem')} is not a certificate in PEM form.`);
  rmSync(at('cert.pem'));
  expect(await refusal()).toMatch(/^The TLS certificate \S+cert\.pem /);
  replace('cert.pem', server.cert);
  chmodSync(at('cert.pem'), 0o644);
  expect(await refusal()).toBe('taken');
  chmodSync(at('key.pem'), 0o644);
  expect(await refusal()).toMatch(/^The TLS key \S+key\.pem is open to every user: run chmod 600/);
});

const open = async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const folder = createFolder();
  const taken: TlsPair[] = [];
  const warnings: string[] = [];
  const clock = {nowMs: Date.now()};
  const tls = await openServedTls(folder.paths, {
    take: pair => taken.push(pair),
    warn: message => warnings.push(message),
    nowMs: () => clock.nowMs,
  });
  onTestFinished(tls.stop);
  /** Lets the time until the next look pass, and waits until it is over. */
  const look = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(2_000);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  };
  return {...folder, tls, taken, warnings, clock, look};
};

test('files that are replaced are read within two seconds, and once', async () => {
  const {replace, tls, taken, look} = await open();
  await look();
  expect(taken).toEqual([]);
  const {server} = createTestAuthority();
  replace('cert.pem', server.cert);
  replace('key.pem', server.key);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(taken).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(taken.map(({cert}) => String(cert))).toEqual([server.cert]));
  expect(tls.pair()).toBe(taken[0]);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await look();
  expect(taken).toHaveLength(1);
});

test('half a renewal is warned of once, tried again, and changes nothing', async () => {
  const {at, replace, tls, taken, warnings, look} = await open();
  const before = tls.pair();
  const {server} = createTestAuthority();
  replace('key.pem', server.key);
  await look();
  await look();
  const words = `The TLS certificate was not reloaded; the previous one stays in effect: The TLS key ${at('key.pem')} does not belong to the certificate ${at('cert.pem')}.`;
  expect([warnings, taken, tls.pair() === before]).toEqual([[words], [], true]);
  replace('cert.pem', server.cert);
  await look();
  expect([taken.length, warnings.length]).toEqual([1, 1]);
  // It was mended meanwhile: the same trouble is told again.
  replace('key.pem', createTestAuthority().server.key);
  await look();
  expect(warnings).toEqual([words, words]);
});

test('other files are put in effect when it is asked for, and looked at from then on', async () => {
  const {at, replace, tls, taken, look} = await open();
  const {server} = createTestAuthority();
  replace('other.pem', server.cert);
  replace('other.key', server.key);
  const use = await tls.prepare({cert: at('other.pem'), key: at('other.key')});
  expect(taken).toEqual([]);
  use();
  expect([String(taken[0]?.cert), tls.pair() === taken[0]]).toEqual([server.cert, true]);
  await look();
  replace('cert.pem', createTestAuthority().server.cert);
  await look();
  expect(taken).toHaveLength(1);
  await expect(tls.prepare({cert: at('gone.pem'), key: at('other.key')})).rejects.toThrow('The TLS certificate');
});

test('once it is stopped nothing is looked at', async () => {
  const {tls} = await open();
  tls.stop();
  expect(vi.getTimerCount()).toBe(0);
});

const day = 24 * 60 * 60_000;

test.each([
  ['two weeks before its end nothing is said', 14 * day, undefined],
  ['a moment later it is', 14 * day - 1, /^The TLS certificate \S+cert\.pem expires at 20\d\d-\S+Z: renew it\.$/],
  ['a moment before its end too', 1, /expires at/],
  ['at its end it is over', 0, /^The TLS certificate \S+cert\.pem expired at 20\d\d-\S+Z: clients refuse it\.$/],
])('of a certificate, %s', async (_, leftMs, words) => {
  const {tls, clock, warnings} = await open();
  clock.nowMs = tls.pair().validUntilMs - leftMs;
  const {cert, key} = {cert: tls.pair().cert, key: tls.pair().key};
  const folder = createFolder();
  folder.replace('cert.pem', String(cert));
  folder.replace('key.pem', String(key));
  (await tls.prepare(folder.paths))();
  expect(warnings).toEqual(words === undefined ? [] : [expect.stringMatching(words)]);
});
