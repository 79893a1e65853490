import fc from 'fast-check';
import {expect, test} from 'vitest';
import {maskSecrets, secretMask} from '#base/secret.ts';

const pieces = [
  ...['password', 'DB_PASS', 'rootpw', 'pwd', 'passphrase', 'client-secret', 'ToKen', 'creds', 'jwt', 'authorization'],
  ...['cookie', 'salt', 'dsn', 'hmac', 'mnemonic', 'kube_config', 'apiKey', 'pin', 'totp', 'seed phrase', 'my_pat'],
  ...['aSk', '=', ': ', ':', ' = ', '="', '\\": \\"', '":"', ' ', '  ', '\t', '{', '}', '"', "'", ',', '--', '-', '.'],
  ...['x1y2', 'hunter2', 'true', 'null', '$HOME', 'Bearer abcdefgh1', 'bearer ', '/', 'eyJabcdefghij', 'é', '日志'],
  ...['-----BEGIN RSA PRIVATE KEY-----', '-----BEGIN PRIVATE KEY', '-----END RSA PRIVATE KEY-----', '+='.repeat(20)],
  ...['ghp_12345678', 'AKIAABCDEFGHIJKL', 'https://u:p@h/', '?sig=a', '&X-Signature=1', 'a'.repeat(39), 'b'.repeat(40)],
  ...['--token', '--password abc', 'AGE-SECRET-KEY-1', 'sk-12345678901234567890', 'name: API_TOKEN, value: x'],
];

test('a first look at a line leaves no secret that is masked where another stands before it', () => {
  const line = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({maxLength: 6})), {maxLength: 12});
  fc.assert(
    fc.property(line, parts => {
      const text = parts.join('');
      // What stands before is masked for certain, so that the first look does not decide.
      const masked = maskSecrets(`--token abc , ${text}`);
      expect([`--token ${secretMask} , ${maskSecrets(text)}`, secretMask]).toContain(masked);
    }),
    {numRuns: 20_000},
  );
});

test('a key in PEM of which the line has only the beginning is masked', () => {
  expect(maskSecrets('-----BEGIN RSA PRIVATE KEY MIIEow')).toBe('********');
});
