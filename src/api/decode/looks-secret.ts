/**
 * Guesses which fields of a branch record hold a secret: by the words of the field's name, and by values that look like
 * a secret whatever the field is called. When in doubt it masks, because a key press reveals the value.
 */

// `pw`, `pwd` and `key` only as whole words: `keyboard` and `primaryKeyName` are not secrets, `apiKey` is.
const secretWords =
  /passw(?:or)?d|passwd|passphrase|passcode|\bpass\b|\bpwd?\b|secret|token|credential|\bcreds?\b|\bjwt\b|bearer|\bauth\b|authorization|cookie|private key|(?:api|access|signing|encryption|ssh|auth|license|licence) ?key|\bsalt\b|\bdsn\b|\bkey\b$/;

// Words run together, as often in environment variables: `DBPASS`, `ROOTPW`. This masks "compass" too.
const secretEndings = /(?:pass|pwd?|apikey)$/;

const inWords = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase();

/** Longer names are cut before matching, to keep the patterns fast. */
const nameCharsMax = 200;

/** Returns whether to mask a field or environment variable of this name: `dbPassword`, `DB_PASSWORD`, `editorPwd`. */
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

/** Returns whether the value itself contains a secret, whatever its field is called. */
export const isSecretValue = (value: string): boolean => secretValues.some(pattern => pattern.test(value));
