import {stringify} from 'smol-toml';
import {ConfigError} from '../values/config-error.ts';
import {parseToml} from '../values/read-toml.ts';
import {decodeConfigFile} from './config-file.ts';
import {formatContext, type NewContext} from './format-context.ts';

/** A config file as it is on the disk; `text` is undefined if there is none yet. */
export type ConfigText = {
  readonly path: string;
  readonly text: string | undefined;
  readonly homeFolder: string | undefined;
};

/**
 * Returns the text of a config file with one more context. Everything that is there stays as it is; if another context
 * was the only one, it becomes the default, so that it is still used without `--context`. Throws a `ConfigError` if
 * there is a context of this name, or if the file is or would be invalid.
 */
export const addContext = ({path, text = '', homeFolder}: ConfigText, context: NewContext): string => {
  const {contexts, defaultContext} = decodeConfigFile(parseToml(text, path), path, homeFolder);
  if (contexts.has(context.name)) {
    throw new ConfigError(`${path} has a context "${context.name}" already: give another name`);
  }
  const [only] = contexts.keys();
  const head =
    only !== undefined && contexts.size === 1 && defaultContext === undefined
      ? `${stringify({default_context: only})}\n`
      : '';
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  const longer = `${head}${text}${gap}${formatContext(context)}`;
  decodeConfigFile(parseToml(longer, path), path, homeFolder);
  return longer;
};
