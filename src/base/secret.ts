/**
 * Guesses which fields of a record hold a secret: by the words of the field's name, and by values that look like a
 * secret whatever the field is called. When in doubt it masks, because a key press reveals the value.
 */

// `pw`, `pwd` and `key` only as whole words: `keyboard` and `primaryKeyName` are not secrets, `apiKey` is. Short words
// such as `pin` only at the end or before a word that makes them a secret: `pinned`, `seedling` and `spin` are none.
const secretWords = new RegExp(
  [
    'passw(?:or)?d|passwd|passphrase|passcode|\\bpass\\b|\\bpwd?\\b|secret|token|credential|\\bcreds?\\b|\\bjwt\\b',
    'bearer|\\bauth\\b|authorization|cookie|\\bsalt\\b|\\bdsn\\b|\\bhmac\\b|\\bmnemonic\\b|\\bkube ?config\\b',
    'private ?key|(?:api|access|signing|encryption|ssh|auth|license|licence) ?key|\\bkey\\b$',
    '\\b(?:pin|t?otp|seed)(?: (?:code|phrase|words|hash|value))?$|[a-z0-9] (?:pat|sk)$',
  ].join('|'),
);

// Words run together, as often in environment variables: `DBPASS`, `ROOTPW`. This masks "compass" too.
const secretEndings = /(?:pass|pwd?|apikey)$/;

const inWords = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase();

/** Longer names are cut before matching, to keep the patterns fast. */
const nameCharsMax = 200;

/** The names of records recur in every record; a hundred times as many as the interface has. */
const knownNamesMax = 10_000;
const knownNames = new Map<string, boolean>();

/** Returns whether to mask a field or environment variable of this name: `dbPassword`, `DB_PASSWORD`, `editorPwd`. */
export const isSecretName = (name: string): boolean => {
  const known = knownNames.get(name);
  if (known !== undefined) {
    return known;
  }
  const words = inWords(name.slice(0, nameCharsMax));
  const isSecret = secretWords.test(words) || secretEndings.test(words);
  if (name.length <= nameCharsMax && knownNames.size < knownNamesMax) {
    knownNames.set(name, isSecret);
  }
  return isSecret;
};

// All patterns over values take linear time, because a service may send long and hostile ones.
const secretForms = new RegExp(
  [
    // A private key in PEM.
    '-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----',
    // Credentials inside an address, a signed address (S3, GCS, Azure).
    ':\\/\\/[^/?#\\s@:]{0,1000}:[^/?#\\s@]{1,1000}@',
    '[?&](?:[^=&#\\s]{0,40}(?:[Ss]ignature|[Kk]ey)|sig)=[^&\\s]',
    '\\b[Bb]earer (?=\\S{0,200}\\d)[\\w.~+/=-]{8}',
    // Tokens that name their issuer: GitHub, GitLab, AWS, Slack, Stripe, npm, Google, Vault, SendGrid and the like; and
    // JSON Web Tokens.
    `(?<![A-Za-z0-9])(?:${[
      'gh[oprsu]_\\w{8}|github_pat_\\w{8}|glpat-[\\w-]{8}|(?:AKIA|ASIA)[0-9A-Z]{12}|xox[a-z]-[\\w-]{8}|xapp-[\\w-]{8}',
      '[rs]k_(?:live|test)_\\w{8}|whsec_\\w{8}|sk-[\\w-]{20}|npm_\\w{20}|pypi-\\w{20}|AIza[\\w-]{30}|ya29\\.[\\w-]{8}',
      'hv[bs]\\.\\w{8}|SG\\.[\\w-]{16}|dckr_pat_[\\w-]{8}|dop_v1_\\w{8}|shp(?:at|ca|pa|ss)_\\w{8}|AGE-SECRET-KEY-1',
      'eyJ[\\w-]{8}',
    ].join('|')})`,
  ].join('|'),
);

// `password=x`, `"password": "x"`, `password:x`; quotes may be escaped, as in JSON within JSON. A value may be an
// assignment itself, as in `failed: password=x`, so it is looked for separately.
const assignments =
  /(?<![\w.])(?<name>[A-Za-z_][\w.-]{0,199})(?<quote>\\*["']?)(?<sign>[ \t]*=[ \t]*\{?|[ \t]*:[ \t]*)(?<opening>\\*["']?)(?=[^\s"'\\,;&<>(){}[\]])/g;
const assignedValue = /[^\s"'\\,;&<>(){}[\]]+/y;

/** Characters of a value that tell whether it is one: of many names without a blank, each has the rest as its value. */
const toldValueChars = 1_000;

const valueAt = (text: string, index: number, charsMax = toldValueChars): string => {
  assignedValue.lastIndex = 0;
  return assignedValue.exec(text.slice(index, index + charsMax))?.[0] ?? '';
};

/** Values that are no secret: none, and references to a variable (of `${NAME}` only the `$` is matched). */
const noSecret = /^(?:true|false|null|nil|none|undefined|yes|no|on|off|\$[A-Z_]*)$/i;

const flags = /(?<!\S)--?(?<name>[\w-]{1,200}) +[^\s-]/g;
const flagValues = /(?<!\S)(?<flag>--?(?<name>[\w-]{1,200}) +)[^\s-]\S*/g;

/** A key in PEM, as far as the line has it, and what a token bears. They have blanks in them. */
const spokenSecrets =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY.*?(?:-----END [A-Z ]{0,40}-----|$)|(\b[Bb]earer )(?=\S{0,200}\d)[\w.~+/=-]{8,}/gs;
/** What a secret stands in: first in quotes, as within a record in JSON, then also with them. */
const wordForms = [/[^\s"'\\<>]+/g, /\S+/g] as const;

/** Names after which even a value without a clear mark is a secret: `--password x`, `password:x`. */
const plainSecretName = /(?:passw(?:or)?d|passwd|passphrase|pwd|secret|token|api-?key)$/i;

const isSecretAssigned = (text: string): boolean => {
  for (const match of text.matchAll(assignments)) {
    const {index, groups: {name = '', quote = '', sign = '', opening = ''} = {}} = match;
    // `secret:prod` in an ARN, `token:1.2` as an image: without space or quotes only a plain name counts.
    const isBare = sign === ':' && quote === '' && opening === '';
    const isPlain = plainSecretName.test(name) && !/[/:@-]/.test(text[index - 1] ?? '');
    // `key` alone is the name of many things in text: of a taint, a label, a cache entry.
    const isSecret = name.toLowerCase() !== 'key' && isSecretName(name) && (!isBare || isPlain);
    if (isSecret && !noSecret.test(valueAt(text, index + match[0].length))) {
      return true;
    }
  }
  return false;
};

// `{"name": "API_TOKEN", "value": "x"}`, also as YAML; and the other way round.
const pairs = [
  /(?<![\w.-])(?:name|key)\\*["']?\s{0,9}[:=]\s{0,9}\\*["']?(?<name>[\w.-]{1,200})\\*["']?[\s,;]{1,40}\\*["']?value\\*["']?\s{0,9}[:=]\s{0,9}\\*["']?[^\s"'\\,}\]]/gi,
  /(?<![\w.-])value\\*["']?\s{0,9}[:=]\s{0,9}\\*["'][^"'\\]{1,4000}\\*["'][\s,;]{1,40}\\*["']?(?:name|key)\\*["']?\s{0,9}[:=]\s{0,9}\\*["']?(?<name>[\w.-]{1,200})/gi,
];

const hasNamed = (text: string, pattern: RegExp, isSecret: (name: string) => boolean): boolean =>
  text.matchAll(pattern).some(({groups}) => isSecret(groups?.name ?? ''));

/** Returns whether the value itself contains a secret, whatever its field is called. */
export const isSecretValue = (value: string): boolean =>
  secretForms.test(value) ||
  (/[:=]/.test(value) && isSecretAssigned(value)) ||
  (/value/i.test(value) && pairs.some(pattern => hasNamed(value, pattern, isSecretName))) ||
  (value.includes('-') && hasNamed(value, flags, name => plainSecretName.test(name)));

/** Replaces a secret wherever it would be printed. Its fixed width does not reveal the secret's length. */
export const secretMask = '********';

/** Longer words of these characters are keys rather than names; ids of requests have 36. */
const keyWords = /[\w+=-]{40,}/g;

/** Returns a line in which the values of secret names are masked. */
const maskAssigned = (line: string): string => {
  let masked = '';
  let from = 0;
  for (const {index, 0: whole, groups: {name = '', sign = ''} = {}} of line.matchAll(assignments)) {
    const start = index + whole.length;
    const told = index < from || !isSecretName(name) ? '' : valueAt(line, start);
    // In the shape of a line, numbers are folded.
    const isValue = told !== '' && (sign.includes('=') || /\d|‹n›/.test(told)) && !noSecret.test(told);
    if (isValue) {
      masked += `${line.slice(from, start)}${secretMask}`;
      from = start + valueAt(line, start, line.length).length;
    }
  }
  return from === 0 ? line : `${masked}${line.slice(from)}`;
};

/**
 * What a line has in which `maskSecrets` changes something, besides `secretForms`: a name that may be one of a secret,
 * before its value; what a token bears; and a key, also the beginning of one in PEM. Nearly all lines have none of it,
 * and it is found ten times as fast.
 */
const mayBeSecret = new RegExp(
  [
    '(?:pass|pwd?|secret|token|cred|jwt|bearer|auth|cookie|salt|dsn|hmac|mnemonic|kube|key|pin|otp|seed|pat|sk)[\\w.-]{0,199}\\\\*["\']?[ \\t]*[=:]',
    '(?:passw(?:or)?d|passwd|passphrase|pwd|secret|token|api-?key) +[^\\s-]',
    'bearer |-----BEGIN ',
    '(?<![\\w+=-])[\\w+=-]{40}',
  ].join('|'),
  'i',
);

const groupsOf = (rest: readonly unknown[]) => rest.at(-1) as Readonly<Record<string, string>>;

/**
 * Returns a line of a log, or of a program's messages, in which what looks like a secret is masked. Unlike a record's
 * fields, its words are kept where they only speak of secrets (`Error loading SSO Token: Token for dev is missing`).
 * Only where a secret is seen that cannot be told from what is around it, the whole line is masked.
 */
export const maskSecrets = (line: string): string => {
  if (!mayBeSecret.test(line) && !secretForms.test(line)) {
    return line;
  }
  let masked = maskAssigned(line)
    .replaceAll(spokenSecrets, (_, before: string | undefined) => `${before ?? ''}${secretMask}`)
    .replaceAll(flagValues, (whole: string, ...rest: readonly unknown[]) => {
      const {flag = '', name = ''} = groupsOf(rest);
      return plainSecretName.test(name) ? `${flag}${secretMask}` : whole;
    });
  for (const form of wordForms) {
    masked = masked.replaceAll(form, word => (secretForms.test(word) ? secretMask : word));
  }
  masked = masked.replaceAll(keyWords, secretMask);
  return secretForms.test(masked) ? secretMask : masked;
};

/** Returns whether an argument is a flag that makes the next one a secret: `--password`. */
export const isSecretFlag = (argument: unknown): boolean =>
  typeof argument === 'string' && /^--?[\w-]{1,200}$/.test(argument) && plainSecretName.test(argument);

/**
 * A value that cannot be shown by accident: printing, inspecting, serialising or converting it gives a mask. Only
 * `reveal()` returns the value, so searching for that word finds every place where a secret leaves.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the value itself: for the header it is sent in, and for the one key that shows it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return secretMask;
  }

  toJSON(): string {
    return secretMask;
  }

  /** For template literals and `+`, which call this before `toString`. */
  [Symbol.toPrimitive](): string {
    return secretMask;
  }

  /** For `util.inspect`, `console.log` and assertion messages; the symbol is `util.inspect.custom`. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return secretMask;
  }
}
