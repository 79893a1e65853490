import {expect, test} from 'vitest';
import {isSecretName, isSecretValue} from '../../../src/api/decode/looks-secret.ts';

test.each(
  `adminPassword dbPassword editorPwd lockPassword privateKey DB_PASSWORD MYSQL_PASS DBPASS apiKey API_KEY accessToken
  AUTH_SALT clientSecret client_secret sshPassphrase credentials sessionCookie jwt password2 PASSWD`.split(/\s+/),
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
  NGINX_SERVER_ROOT NGINX_VHOST_PRESET NGINX_BACKEND_HOST NGINX_SET_REAL_IP_FROM APP_ROOT WEB_ROOT keyboard author`.split(
    /\s+/,
  ),
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
])('the value %j carries a secret: %s', (value, expected) => {
  expect(isSecretValue(value)).toBe(expected);
});
