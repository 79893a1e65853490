import {parse, TomlError} from 'smol-toml';
import {errorCodeOf} from '#base/error-code.ts';
import {PathError} from '#base/system/resolve-path.ts';
import {readTrusted} from '#base/system/trusted-files.ts';
import {ConfigError} from './table-reader.ts';

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
