import {stringify} from 'smol-toml';
import {decodeConfigFile} from './config-file.ts';
import type {ContextSettings, SiteSetting} from './settings.ts';
import {ConfigError, parseToml} from './table-reader.ts';

/** A context to be written to a config file. */
export type NewContext = Omit<ContextSettings, 'token' | 'proxy' | 'window' | 'sources'> & {
  /** Undefined if the token comes from elsewhere. */
  readonly tokenFile: string | undefined;
};

/** Formats the header of a context's table, `[contexts.prod]`; a name with dots is quoted. */
export const formatContextHeader = (name: string): string => stringify({contexts: {[name]: {}}}).trim();

/** Formats a site as a block of its context in a config file. */
export const formatSite = (contextName: string, site: SiteSetting): string =>
  stringify({contexts: {[contextName]: {sites: [withoutUndefined(site)]}}});

/** Formats a context as it is pasted into a config file. */
export const formatContext = ({name, baseUrl, tenant, authMode, tokenFile, caFile, sites}: NewContext): string =>
  stringify({
    contexts: {
      [name]: withoutUndefined({
        base_url: baseUrl,
        tenant,
        auth_mode: authMode,
        token_file: tokenFile,
        ca_file: caFile,
        ...(sites.length > 0 && {sites: sites.map(withoutUndefined)}),
      }),
    },
  });

const withoutUndefined = (table: object) =>
  Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined));

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
      `cannot add a context to ${path}, so nothing was written: write the existing ones as [contexts.NAME]`,
      {cause: error},
    );
  }
};
