import type {SourceName} from '#log/line/entry.ts';
import {isSyslogForm} from '#log/reading/find-form.ts';
import {restToken} from '#log/reading/form.ts';
import {levelOfRank} from '#log/tokens/level-words.ts';
import {type LineParts, readLineParts} from '#log/traits/read-parts.ts';

/** A line is read only so far. */
const readCharsMax = 4096;
const fieldsMax = 60;

// name=value, name="a value", "name":"value", name: value
const pair =
  /(?:^|[\s,{[("?&])"?([A-Za-z_][\w.-]{0,40})"?\s?[=:]\s?(?:"((?:[^"\\]|\\.){1,200})"|(?!\w+=)([^\s"',;()[\]{}]{1,100})(?=[\s,;)\]}]|$))/g;

const agentName = /^(?:http_?)?(?:user_?agent|ua|agent)$/i;

/** Browsers say that they are others, too: the first of these that one names is its family. */
const families: readonly (readonly [pattern: RegExp, family: string])[] = [
  [/\b(?:Edg|Edge|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|Opera)[/ ]/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const bot = /\b[\w-]*(?:bot|crawler|spider)\b/i;
const product = /^[\w.-]{2,40}(?=[/ ]|$)/;

/** Returns what a user agent is without its version: `Chrome`, `curl`, `Googlebot`. */
export const agentFamilyOf = (agent: string): string | undefined =>
  bot.exec(agent)?.[0] ?? families.find(([pattern]) => pattern.test(agent))?.[1] ?? product.exec(agent)?.[0];

/** Returns the user agent of an access line: the last of the quoted texts after its request that names a product. */
const agentIn = ({reading}: LineParts): string | undefined => {
  const rest = reading.form?.texts.status === undefined ? undefined : reading.form.texts.rest;
  return rest
    ?.match(restToken)
    ?.filter(token => token.startsWith('"'))
    .map(token => token.slice(1, -1))
    .findLast(token => /^[A-Za-z][\w.-]+\/[\d.]/.test(token));
};

/**
 * Returns the fields of a line by their names: those with a name in it, what it says of a request, who wrote it. Paths
 * are folded, and user agents without their versions. Foreign text. Takes some ten microseconds.
 */
export const fieldsOfLine = (
  text: string,
  rank: number,
  source: SourceName | undefined,
): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>();
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '' && fields.size < fieldsMax && !fields.has(name)) {
      fields.set(name, value);
    }
  };
  const cut = text.slice(0, readCharsMax);
  const parts = readLineParts(cut, levelOfRank(rank));
  const {reading, path, client} = parts;
  add('pod', source?.pod);
  add('container', source?.container);
  if (reading.form !== undefined && isSyslogForm(reading.form.form)) {
    const {b2} = reading.parts;
    add('host', b2 && reading.text.slice(b2.start, b2.end));
  }
  add('path', path?.value);
  add('method', reading.said.method?.text);
  add('client', client?.value);
  const agent = agentIn(parts);
  add('user agent', agent && agentFamilyOf(agent));
  for (const [, name = '', quoted, bare] of cut.matchAll(pair)) {
    const value = quoted ?? bare;
    add(name, value !== undefined && agentName.test(name) ? agentFamilyOf(value) : value);
  }
  return fields;
};
