import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isSecretFlag, isSecretName, isSecretValue, maskSecrets} from '#base/secret.ts';

test.each(
  `adminPassword dbPassword editorPwd lockPassword privateKey DB_PASSWORD MYSQL_PASS DBPASS apiKey API_KEY accessToken
  AUTH_SALT clientSecret client_secret sshPassphrase credentials sessionCookie jwt password2 PASSWD privatekey
  pin userPin PIN_CODE otp totp otpSecret seed SEED_PHRASE walletSeed mnemonic hmac HMAC_SHA256 kubeconfig KUBE_CONFIG
  GITHUB_PAT githubPat stripe_sk STRIPE_SK`.split(/\s+/),
)('%s looks like a secret', name => {
  expect(isSecretName(name)).toBe(true);
});

test.each(
  `_id isEnableEditor isEnablePMA lock doNotIndex secureConnection project name branchType originBranch createdAt
  updatedAt customDomains status appSettings type adminUser applicationName appserverImage appserverTag webserverImage
  webserverTag backupInterval copyDatabaseFilesApplication copyDatabaseFilesType copyDatabaseUrl copyFilesUrl customDomain
  dbName dbUser deployedBy deploymentConfig editorHostname environment fromApplicationName fromDB hostname
  isEnablePolymorphing isEnablePolyscripting lockUsername namespace oldHostname pmaHostname replicas lastActivity elb
  action createdBy workspace application lastResponse id payload task taskName domain sslCertificate
  NGINX_SERVER_ROOT NGINX_VHOST_PRESET NGINX_BACKEND_HOST NGINX_SET_REAL_IP_FROM APP_ROOT WEB_ROOT keyboard author
  pinned seedling spin spinner shopping_pinboard opinion seeded pattern path compat desk task risk_level sk optimiser
  kubernetes`.split(/\s+/),
)('%s does not', name => {
  expect(isSecretName(name)).toBe(false);
});

test.each([
  ['-----BEGIN RSA PRIVATE KEY-----\nabc', true],
  ['-----BEGIN CERTIFICATE-----\nabc', false],
  ['mysql://user:pw@db.example/shop', true],
  ['https://shop.example/?a=1', false],
  ['https://shop.example:8080/a@b', false],
  ['https://x.example/f?sig=abc', true],
  ['https://x.example/f?a=1&access_token=abc', true],
  ['5Gi', false],
  ['-----BEGIN PGP PRIVATE KEY BLOCK-----', true],
  ['Server=db;Database=shop;User Id=sa;Password=hunter2;', true],
  ['DefaultEndpointsProtocol=https;AccountName=a;AccountKey=c2VjcmV0', true],
  ['user = sa\npassword = hunter2\n', true],
  ['PASSWORD=hunter2', true],
  ['export DB_PASS="hunter2"', true],
  ['mysqldump --host=db --password=hunter2 shop', true],
  ['mysqldump --password hunter2 shop', true],
  ['password: hunter2', true],
  ['user:sa,password:hunter2', true],
  ['{"user":"sa","password":"hunter2"}', true],
  ['"{\\"password\\":\\"hunter2\\"}"', true],
  ['{"env":[{"name":"API_TOKEN","value":"hunter2"}]}', true],
  ['[{"key": "DB_PASSWORD", "value": "hunter2"}]', true],
  ['{"value":"hunter2","name":"DB_PASSWORD"}', true],
  ['- name: API_TOKEN\n  value: hunter2', true],
  ['Authorization: Bearer abc.def', true],
  ['curl -H "x: Bearer abcdef0123456789"', true],
  ['jdbc:postgresql://user:pw@db.example/shop', true],
  ['see ftp://user:pw@db.example/ for more', true],
  ['https://oauth:ghp_16C7e42F292c6912E7710c838347Ae178B4a@github.com/a/b', true],
  ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', true],
  ['github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuv', true],
  ['glpat-abcdefghij0123456789', true],
  ['AKIAIOSFODNN7EXAMPLE', true],
  ['xoxb-123456789012-abcdefghijkl', true],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', true],
  ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', true],
  ['AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY', true],
  ['hvs.CAESIJ3NsampleToken0123456789', true],
  ['failed: password=hunter', true],
  ['password=', false],
  ['{"password":""}', false],
  ['{"password":null,"token":false}', false],
  ['--password-file /run/secrets/db', false],
  ['PASSWORD=$DB_PASSWORD', false],
  ['automountServiceAccountToken: false', false],
  ['{"key":"node.kubernetes.io/not-ready","operator":"Exists"}', false],
  ['registry.example/shop/token-service:1.2.3', false],
  ['arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db', false],
  ['auth-service:8080', false],
  ['a bearer of news', false],
  ['no secrets here, only words about tokens', false],
  ['pinned: yes; spin=3; seedling=oak', false],
  ['risk_live_total', false],
  ['SKIAMASK', false],
])('the value %j carries a secret: %s', (value, expected) => {
  expect(isSecretValue(value)).toBe(expected);
});

const key = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1';

test.each([
  ['Error loading SSO Token: Token for dev does not exist', undefined],
  ['SSO session expired. Run: aws sso login --profile dev', undefined],
  ['see https://device.sso.eu-west-1.amazonaws.com/start#/device', undefined],
  ['Request ID: 7f9a1c52-0b3d-4a5e-9c1f-2d3e4f5a6b7c', undefined],
  ['password=hunter and token: s3cr3t, user=dev', 'password=******** and token: ********, user=dev'],
  ['got eyJhbGciOiJSUzI1NiJ9.eyJzdWIi.c2ln for dev', 'got ******** for dev'],
  [`key ${key} is refused`, 'key ******** is refused'],
  ['proxy http://dev:pw@proxy.example', 'proxy ********'],
  ['curl --password hunter -v', 'curl --password ******** -v'],
  ['login --token a --token b', 'login --token ******** --token ********'],
  ['-----BEGIN RSA PRIVATE KEY-----', '********'],
  [
    'bad key -----BEGIN RSA PRIVATE KEY-----\\nMIIE+a b\\n-----END RSA PRIVATE KEY----- in tls.key',
    'bad key ******** in tls.key',
  ],
  ['Authorization: Bearer abc12345678 sent', 'Authorization: Bearer ******** sent'],
  ['GET /orders 401 Bearer abc12345678, retry', 'GET /orders 401 Bearer ********, retry'],
  [
    '{"msg":"cannot connect","url":"https://dev:pw@db/x","pod":"a"}',
    '{"msg":"cannot connect","url":"********","pod":"a"}',
  ],
  ['{"url":"https://dev:p\\"w@db"}', '********'],
  ['password=a password=a', 'password=******** password=********'],
  ['pw=w', 'pw=********'],
  ['order 5 failed: password=hunter2 refused', 'order 5 failed: password=******** refused'],
  ['token: canary-‹n› for dev', 'token: ******** for dev'],
  ['url=password=a b', 'url=password=******** b'],
])('%j is told without its secrets', (line, masked) => {
  expect(maskSecrets(line)).toBe(masked ?? line);
});

test('two hundred characters of a name are looked at', () => {
  expect(isSecretName(`${'x '.repeat(96)}password`)).toBe(true);
  expect(isSecretName(`${'x '.repeat(97)}password`)).toBe(false);
  expect(isSecretName(`${'x '.repeat(97)}password`)).toBe(false);
});

test.each([
  ['--password', true],
  ['-token', true],
  ['--db-secret', true],
  ['--api-key', true],
  ['--passwordfile', false],
  ['password', false],
  ['--password=x', false],
  [`--${'x'.repeat(194)}secret`, true],
  [`--${'x'.repeat(195)}secret`, false],
  [7, false],
])('after the argument %s a secret comes: %s', (argument, expected) => {
  expect(isSecretFlag(argument)).toBe(expected);
});

test.each([
  ['a/password:x', false],
  ['a:password:x', false],
  ['a@password:x', false],
  ['-password:x', false],
  ['password:x', true],
  ['key=x', false],
  ['Key: "x"', false],
  ['apiKey=x', true],
  ['token=yes', false],
  ['token="$TOKEN"', false],
  ['curl --token x', true],
  ['curl -token -x', false],
  ['{"value":"x","key":"name"}', false],
  ['a Bearer abcdefgh', false],
])('the value %j carries a secret: %s, though its name may be another', (value, expected) => {
  expect(isSecretValue(value)).toBe(expected);
});

test.each([
  ['token=yes', 'token=yes'],
  ['token: none', 'token: none'],
  ['token: abc', 'token: abc'],
  ['token: abc1', 'token: ********'],
  ['token = abc', 'token = ********'],
  [`x${'a'.repeat(39)}`, '********'],
  ['a'.repeat(39), 'a'.repeat(39)],
])('%j is told as %j', (line, masked) => {
  expect(maskSecrets(line)).toBe(masked);
});

test('what only may be a secret is looked at closely: the quick look before it leaves out none', () => {
  // The same without the quick look: a line that holds a key in PEM is always looked at.
  const pem = '-----BEGIN PRIVATE KEY-----';
  const maskSlowly = (line: string): string => {
    const masked = maskSecrets(`${line}\n${pem}`);
    return masked.slice(0, masked.lastIndexOf('\n'));
  };
  const word = fc.constantFrom(
    ...[
      'password',
      'apiKey',
      'x-api-key',
      'DB_PASS',
      'ROOTPW',
      'pin',
      'totp',
      'seedPhrase',
      'my pat',
      'kubeConfig',
      'salt',
    ],
    ...[
      'Bearer',
      '--token',
      '-pwd',
      '=',
      ':',
      ' ',
      '"',
      "'",
      '\\"',
      '{',
      'x1',
      'none',
      'abcdefghij0123456789',
      '+',
      '-',
      '_',
      ',',
    ],
    ...[
      'ghp_12345678',
      'eyJhbGciOi',
      'https://u:p@h',
      '?sig=a',
      'AKIAABCDEFGHIJKLMNOP',
      'Token',
      'secret',
      'for dev',
      'cookie',
    ],
  );
  fc.assert(
    fc.property(fc.array(word, {maxLength: 12}), words => {
      const line = words.join('');
      expect(maskSecrets(line)).toBe(maskSlowly(line));
    }),
    {numRuns: 5_000},
  );
});
