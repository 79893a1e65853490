import {parse, TomlError} from 'smol-toml';
import {errorCodeOf} from '#base/error-code.ts';
import {PathError} from '#base/system/open-regular.ts';
import {readTrusted} from '#base/system/trusted-files.ts';
import {isTable} from '#base/table.ts';
import {findClosestWord} from './closest-word.ts';

/**
 * An invalid configuration: exit code 2. The message is one sentence: which setting, where, and what was expected. It
 * quotes the value only of settings that can't be secret.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Names the TOML type of a value, never the value, which may be a misplaced token. */
const describeTomlType = (value: unknown): string => {
  if (value === undefined) {
    return 'nothing';
  }
  if (Array.isArray(value)) {
    return 'an array';
  }
  if (value instanceof Date) {
    return 'a date';
  }
  if (typeof value === 'object') {
    return 'a table';
  }
  return value === '' ? 'an empty string' : `a ${typeof value}`;
};

/** Suggests the word that was probably meant; never quotes the value, for the same reason. */
const suggest = (value: string, words: readonly string[]): string => {
  const meant = findClosestWord(value, words);
  return meant === undefined ? '' : `: did you mean "${meant}"?`;
};

/**
 * Typed access to one table of a config file. Every problem throws a `ConfigError` with the file, the path, and what
 * was expected and found.
 */
export type TableReader = {
  /** Returns a non-empty string, untrimmed; undefined if the key is missing. */
  text(key: string): string | undefined;
  texts(key: string): readonly string[] | undefined;
  flag(key: string): boolean | undefined;
  integer(key: string, min: number, max: number): number | undefined;
  /** Returns one of the given words. */
  choice<W extends string>(key: string, words: readonly W[]): W | undefined;
  /** Returns a string or a number as text: for times. */
  scalar(key: string): string | undefined;
  table(key: string): TableReader | undefined;
  tables(key: string): readonly TableReader[];
  /** Returns the keys of the table. */
  keys(): readonly string[];
  /** Returns the value unchanged; undefined if the key is missing. */
  raw(key: string): unknown;
  /** Throws for keys that are not `known`, and suggests which one was probably meant. */
  refuseOthers(known: readonly string[]): void;
  fail(key: string, sentence: string): never;
  /** Throws because a value has the wrong type, and names its type. */
  mistyped(key: string, expected: string, got: unknown): never;
  /** Returns where a key is, for messages: `/path/config.toml: contexts.prod.tenant`. */
  where(key: string): string;
};

/** Returns the line of a path such as `sites[0].name` in the file, if it can be found. */
export type LineOf = (path: string) => number | undefined;

export const createTableReader = (
  source: Readonly<Record<string, unknown>>,
  file: string,
  path = '',
  lineOf: LineOf = () => undefined,
): TableReader => {
  const pathOf = (key: string): string => (path === '' ? key : key === '' ? path : `${path}.${key}`);
  const where = (key: string): string => `${file}: ${pathOf(key)}`;
  const raw = (key: string): unknown => (Object.hasOwn(source, key) ? source[key] : undefined);
  const fail = (key: string, sentence: string): never => {
    const line = lineOf(pathOf(key));
    throw new ConfigError(`${file}${line === undefined ? '' : `, line ${line}`}: ${pathOf(key)}: ${sentence}`);
  };
  const mistyped = (key: string, expected: string, got: unknown): never =>
    fail(key, `expected ${expected}, got ${describeTomlType(got)}`);
  const readAs = <T>(key: string, expected: string, is: (value: unknown) => value is T): T | undefined => {
    const value = raw(key);
    return value === undefined || is(value) ? value : mistyped(key, expected, value);
  };
  const text = (key: string): string | undefined => readAs(key, 'a string', isText);
  return {
    text,
    texts: key =>
      readAs(key, 'an array of strings', isArray)?.map((item, index) =>
        isText(item) ? item : mistyped(`${key}[${index}]`, 'a string', item),
      ),
    flag: key => readAs(key, 'true or false', value => typeof value === 'boolean'),
    integer: (key, min, max) => {
      const expected = `a whole number from ${min} to ${max}`;
      const value = readAs(key, expected, each => typeof each === 'number');
      return value === undefined || (Number.isInteger(value) && value >= min && value <= max)
        ? value
        : fail(key, `expected ${expected}, got ${value}`);
    },
    choice: (key, words) => {
      const value = text(key);
      const word = words.find(candidate => candidate === value);
      return value === undefined || word !== undefined
        ? word
        : fail(key, `expected ${words.map(candidate => `"${candidate}"`).join(' or ')}${suggest(value, words)}`);
    },
    scalar: key => {
      const value = raw(key);
      return typeof value === 'number' ? String(value) : text(key);
    },
    table: key => {
      const value = readAs(key, 'a table', isTable);
      return value && createTableReader(value, file, pathOf(key), lineOf);
    },
    tables: key =>
      (readAs(key, `a list of tables ([[${pathOf(key)}]])`, isArray) ?? []).map((item, index) =>
        isTable(item)
          ? createTableReader(item, file, `${pathOf(key)}[${index}]`, lineOf)
          : mistyped(`${key}[${index}]`, 'a table', item),
      ),
    keys: () => Object.keys(source),
    raw,
    refuseOthers: known => {
      const other = Object.keys(source).find(key => !known.includes(key));
      if (other !== undefined) {
        const meant = findClosestWord(other, known);
        fail(
          other,
          meant ? `no such setting: did you mean ${meant}?` : `no such setting; valid settings: ${known.join(', ')}`,
        );
      }
    },
    fail,
    mistyped,
    where,
  };
};

/** A config file with a thousand sites is about 100 KB. */
const fileBytesMax = 1024 * 1024;

/** No settings are nested this deeply, and every later walk is recursive. */
const depthMax = 40;

/** A TOML file. Messages name a line of the text. */
export type TomlFile = {readonly table: Record<string, unknown>; readonly text: string};

/**
 * Reads a TOML file; returns undefined if it does not exist. Throws a `ConfigError` if others may write to it, or it
 * cannot be read, or is not valid UTF-8 or TOML. The error names line and column but does not quote the line, which may
 * hold a proxy's password.
 */
export const readToml = async (path: string): Promise<TomlFile | undefined> => {
  const text = await readText(path);
  return text === undefined ? undefined : {table: parseToml(text, path), text};
};

/** Parses a text that is, or is about to be, the content of a file. Throws a `ConfigError` that names the place. */
export const parseToml = (text: string, path: string): Record<string, unknown> => {
  try {
    return parse(text, {unsafeKeyBehaviour: 'throw', maxDepth: depthMax});
  } catch (error) {
    if (error instanceof TomlError) {
      throw new ConfigError(`${path}, line ${error.line}, column ${error.column}: ${explain(error, text)}`);
    }
    throw new ConfigError(`${path} is not a TOML file`);
  }
};

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(await readTrusted(path, fileBytesMax));
  } catch (error) {
    if (error instanceof PathError) {
      throw new ConfigError(`the config file ${path} ${error.message}`);
    }
    const code = errorCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return undefined;
    }
    throw new ConfigError(
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? `the config file ${path} is not UTF-8: save it as UTF-8`
        : `cannot read the config file ${path} (${code})`,
    );
  }
};

/** Returns the parser's first sentence; what follows it quotes the file. */
const explain = (error: TomlError, text: string): string => {
  const sentence = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'not TOML';
  if (!sentence.includes('redefine')) {
    return sentence;
  }
  const header = /^\s*\[+\s*([^\]#]+?)\s*\]/.exec(text.split(/\r?\n/)[error.line - 1] ?? '')?.[1];
  if (header === undefined) {
    return 'this key is given twice in one table: keep one of them';
  }
  const contexts = listContexts(text);
  const list = header.startsWith('contexts.') ? `; contexts of this file: ${contexts.join(', ')}` : '';
  return `[${header}] is given twice: keep one of them${list}`;
};

const listContexts = (text: string): readonly string[] => {
  const names = [...text.matchAll(/^\s*\[\s*contexts\s*\.\s*([^\].#]+?)\s*\]/gm)].map(match => match[1] ?? '');
  return [...new Set(names)];
};
