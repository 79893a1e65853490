import {stringify} from 'smol-toml';
import {decodeConfigFile} from '../settings/config-file.ts';
import {formatContext, type NewContext} from '../settings/context-text.ts';
import {parseToml} from '../settings/toml.ts';
import {ConfigError} from '../values/config-error.ts';

/** A config file as it is on the disk; `text` is undefined if there is none yet. */
export type ConfigText = {
  readonly path: string;
  readonly text: string | undefined;
  readonly homeFolder: string | undefined;
};

/**
 * Returns the text of a config file with one more context. Everything that is there stays as it is; if another context
 * was the only one, it becomes the default, so that it is still used without `--context`. The caller has checked that
 * there is no context of this name. Throws a `ConfigError` if the file is or would be invalid.
 */
export const addContext = ({path, text = '', homeFolder}: ConfigText, context: NewContext): string => {
  const {contexts, defaultContext} = decodeConfigFile(parseToml(text, path), path, homeFolder);
  const [only] = contexts.keys();
  const head =
    only !== undefined && contexts.size === 1 && defaultContext === undefined
      ? `${stringify({default_context: only})}\n`
      : '';
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  const longer = `${head}${text}${gap}${formatContext(context)}`;
  try {
    decodeConfigFile(parseToml(longer, path), path, homeFolder);
    return longer;
  } catch (error) {
    // The file was valid, so `contexts` must be an inline table, to which nothing can be added.
    throw new ConfigError(
      `no context can be added to ${path}, so nothing was written: write those that are there as [contexts.NAME]`,
      {cause: error},
    );
  }
};
