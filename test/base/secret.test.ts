import {inspect} from 'node:util';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {maskSecrets, Secret, secretMask} from '#base/secret.ts';

const secret = new Secret('hunter2-canary');

test('shows a mask of fixed width whichever way it is printed', () => {
  const mask = '********';
  expect(String(secret)).toBe(mask);
  expect(`${secret}`).toBe(mask);
  expect(['a', secret, 'b'].join(' ')).toBe(`a ${mask} b`);
  expect(JSON.stringify({secret})).toBe(`{"secret":"${mask}"}`);
  expect(inspect({secret, nested: [secret]}, {showHidden: true, depth: 9})).toBe(
    `{ secret: ${mask}, nested: [ ${mask}, [length]: 1 ] }`,
  );
  expect(inspect(secret, {customInspect: false, showHidden: true})).not.toContain('hunter2');
  expect(String(new Secret(''))).toBe(mask);
});

test('has no property that holds the value', () => {
  expect(Reflect.ownKeys(secret)).toEqual([]);
  expect({...secret}).toEqual({});
  expect(JSON.stringify(structuredClone(secret))).toBe('{}');
});

test('gives the value to reveal() alone', () => {
  expect(secret.reveal()).toBe('hunter2-canary');
});

const pieces = [
  ...['password', 'DB_PASS', 'rootpw', 'pwd', 'passphrase', 'client-secret', 'ToKen', 'creds', 'jwt', 'authorization'],
  ...[
    'cookie',
    'salt',
    'dsn',
    'hmac',
    'mnemonic',
    'kube_config',
    'apiKey',
    'pin',
    'totp',
    'seed phrase',
    'my_pat',
    'aSk',
  ],
  ...['=', ': ', ':', ' = ', '="', '\\": \\"', '":"', ' ', '  ', '\t', '{', '}', '"', "'", ',', '--', '-', '.', '/'],
  ...[
    'x1y2',
    'hunter2',
    'true',
    'null',
    '$HOME',
    'Bearer abcdefgh1',
    'bearer ',
    '-----BEGIN RSA PRIVATE KEY-----',
    'eyJabcdefghij',
  ],
  ...[
    'ghp_12345678',
    'AKIAABCDEFGHIJKL',
    'https://u:p@h/',
    '?sig=a',
    '&X-Signature=1',
    'a'.repeat(39),
    'b'.repeat(40),
    '+='.repeat(20),
  ],
  ...[
    '--token',
    '--password abc',
    'AGE-SECRET-KEY-1',
    'sk-12345678901234567890',
    'name: API_TOKEN, value: x',
    'é',
    '日志',
  ],
];

test('a first look at a line never leaves a secret that is masked where another stands before it', () => {
  const line = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({maxLength: 6})), {maxLength: 12});
  fc.assert(
    fc.property(line, parts => {
      const text = parts.join('');
      expect([`--token ${secretMask} , ${maskSecrets(text)}`, secretMask]).toContain(
        maskSecrets(`--token abc , ${text}`),
      );
    }),
    {numRuns: 20_000},
  );
});
