import {stringify} from 'smol-toml';
import type {ContextSettings, SiteSetting} from './settings.ts';

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
