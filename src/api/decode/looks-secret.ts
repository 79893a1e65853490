/**
 * Guesses which fields of a branch record hold a secret: by the words of the field's name, and by values that carry one
 * whatever the field is called. It errs on the side of the mask, since a key reveals one.
 */

// `pw`, `pwd` and `key` only as whole words: `keyboard` and `primaryKeyName` are no secrets, `apiKey` is.
const secretWords =
  /passw(?:or)?d|passwd|passphrase|passcode|\bpass\b|\bpwd?\b|secret|token|credential|\bcreds?\b|\bjwt\b|bearer|\bauth\b|authorization|cookie|private key|(?:api|access|signing|encryption|ssh|auth|license|licence) ?key|\bsalt\b|\bdsn\b|\bkey\b$/;

// Run together, as environment variables often are: `DBPASS`, `ROOTPW`. A compass is masked too.
const secretEndings = /(?:pass|pwd?|apikey)$/;

const inWords = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase();

/** Field names longer than this are no names; cutting them keeps the patterns quick. */
const nameCharsMax = 200;

/** True where a field or environment variable of this name is to be masked: `dbPassword`, `DB_PASSWORD`, `editorPwd`. */
export const isSecretName = (name: string): boolean => {
  const words = inWords(name.slice(0, nameCharsMax));
  return secretWords.test(words) || secretEndings.test(words);
};

// A private key in PEM, credentials inside an address, a signed address (S3, GCS, Azure).
const secretValues = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/,
  /^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#\s@]{0,1000}:[^/?#\s@]{1,1000}@/i,
  /^[a-z][a-z0-9+.-]{0,20}:\/\/[^\s]{0,2000}?[?&](?:[^=&#]{0,40}(?:signature|token|password|secret|key)|sig)=./i,
];

/** True where the value itself carries a secret, whatever its field is called. */
export const isSecretValue = (value: string): boolean => secretValues.some(pattern => pattern.test(value));
