import {createHash, generateKeyPairSync, type KeyObject, randomBytes, sign} from 'node:crypto';

/** A certificate and its key, as PEM. */
export type Credentials = {readonly cert: string; readonly key: string};

export type TestAuthority = {
  readonly ca: string;
  readonly server: Credentials;
  /** A client certificate: common name is the user, organisations are the groups. */
  issueClient(user: string, groups?: readonly string[]): Credentials;
};

// A certificate is DER: tag, length, content. These are the few shapes that it takes.
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);

const oid = (name: string): Buffer => {
  const [first = 0, second = 0, ...rest] = name.split('.').map(Number);
  const base128 = (value: number): readonly number[] =>
    value < 128 ? [value] : [...base128(Math.floor(value / 128)).map(byte => byte | 128), value % 128];
  return der(6, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
};

const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const truth = der(1, Buffer.from([0xff]));
const time = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

const nameOf = (user: string, groups: readonly string[] = []): Buffer =>
  sequence(
    ...groups.map(group => der(0x31, sequence(oid('2.5.4.10'), text(group)))),
    der(0x31, sequence(oid('2.5.4.3'), text(user))),
  );

const extension = (name: string, isCritical: boolean, value: Uint8Array): Buffer =>
  sequence(oid(name), ...(isCritical ? [truth] : []), der(4, value));

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));

// No empty line: what is before one is a header.
const pem = (body: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(body)
    .toString('base64')
    .replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;

const keyIdOf = (key: KeyObject): Buffer =>
  createHash('sha1')
    .update(key.export({type: 'spki', format: 'der'}))
    .digest();

type Request = {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly issuerKey: KeyObject;
  readonly issuerPublicKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
};

const issue = ({subject, issuer, issuerKey, issuerPublicKey, publicKey, extensions}: Request): string => {
  const dayMs = 86_400_000;
  const body = sequence(
    der(0xa0, der(2, Buffer.from([2]))),
    // A serial number is positive, so its first bit is 0.
    der(2, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    issuer,
    sequence(time(new Date(Date.now() - dayMs)), time(new Date(Date.now() + 30 * dayMs))),
    subject,
    publicKey.export({type: 'spki', format: 'der'}),
    der(
      0xa3,
      sequence(
        extension('2.5.29.14', false, der(4, keyIdOf(publicKey))),
        extension('2.5.29.35', false, sequence(der(0x80, keyIdOf(issuerPublicKey)))),
        ...extensions,
      ),
    ),
  );
  return pem(sequence(body, ecdsaWithSha256, der(3, Buffer.from([0]), sign('sha256', body, issuerKey))));
};

const digitalSignature = extension('2.5.29.15', true, der(3, Buffer.from([7, 0x80])));

const usage = (purpose: string): Buffer => extension('2.5.29.37', false, sequence(oid(purpose)));

/** An authority of the test's own, whose server certificate is for the host names and addresses given. */
export const createTestAuthority = (
  hosts: readonly string[] = ['localhost', 'kubernetes.default.svc'],
  addresses: readonly string[] = ['127.0.0.1'],
): TestAuthority => {
  const pair = () => generateKeyPairSync('ec', {namedCurve: 'P-256'});
  const caPair = pair();
  const caName = nameOf('kubernetes');
  const issuer = {issuer: caName, issuerKey: caPair.privateKey, issuerPublicKey: caPair.publicKey};
  const ca = issue({
    ...issuer,
    subject: caName,
    publicKey: caPair.publicKey,
    extensions: [
      extension('2.5.29.19', true, sequence(truth)),
      extension('2.5.29.15', true, der(3, Buffer.from([2, 0xa4]))),
    ],
  });
  const credentials = (subject: Buffer, extensions: readonly Buffer[]): Credentials => {
    const {publicKey, privateKey} = pair();
    return {
      cert: issue({...issuer, subject, publicKey, extensions}),
      key: privateKey.export({type: 'pkcs8', format: 'pem'}).toString(),
    };
  };
  const subjectNames = sequence(
    ...hosts.map(host => der(0x82, Buffer.from(host))),
    ...addresses.map(address => der(0x87, Buffer.from(address.split('.').map(Number)))),
  );
  return {
    ca,
    server: credentials(nameOf('kube-apiserver'), [
      digitalSignature,
      usage('1.3.6.1.5.5.7.3.1'),
      extension('2.5.29.17', false, subjectNames),
    ]),
    issueClient: (user, groups = []) =>
      credentials(nameOf(user, groups), [digitalSignature, usage('1.3.6.1.5.5.7.3.2')]),
  };
};
