import {readFileSync, statSync} from 'node:fs';
import {parse, TomlError} from 'smol-toml';
import {errorCodeOf} from '../memory/state-file.ts';
import {ConfigError} from './config-error.ts';

/** A config file of a thousand sites has about 100 KB. */
const fileBytesMax = 1024 * 1024;

/** Nobody nests settings deeper, and every later walk is recursive. */
const depthMax = 40;

/**
 * Reads a TOML file; undefined where it does not exist. Throws a `ConfigError` where it cannot be read, is no UTF-8 or no
 * TOML: with line and column, and without the line itself, which may hold a proxy's password.
 */
export const readToml = (path: string): Record<string, unknown> | undefined => readTomlWithText(path)?.table;

/** The same, and the text that it was read from, for messages that name a line. */
export const readTomlWithText = (
  path: string,
): {readonly table: Record<string, unknown>; readonly text: string} | undefined => {
  const text = readText(path);
  if (text === undefined) {
    return undefined;
  }
  try {
    return {table: parse(text, {unsafeKeyBehaviour: 'throw', maxDepth: depthMax}), text};
  } catch (error) {
    if (error instanceof TomlError) {
      throw new ConfigError(`${path}, line ${error.line}, column ${error.column}: ${explain(error, text)}`);
    }
    throw new ConfigError(`${path} is not a TOML file`);
  }
};

const readText = (path: string): string | undefined => {
  try {
    const {size} = statSync(path);
    if (size > fileBytesMax) {
      throw new ConfigError(`the config file ${path} is larger than ${fileBytesMax} bytes`);
    }
    return new TextDecoder('utf-8', {fatal: true}).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof ConfigError) {
      throw error;
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

/** The parser's first sentence; what follows it quotes the file. */
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
