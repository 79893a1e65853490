import type {Client} from '#api/client/client.ts';
import {serviceAddress} from '#base/service-address.ts';
import type {LogsOptions} from '#cli/arguments/logs-options.ts';
import type {ContextSettings, Settings} from '#config/settings/settings.ts';

/** Facts that commands need about the service, or the backend in this program, that they ask. */
export type AskedService = Pick<ContextSettings, 'name' | 'window' | 'sites'> & {
  /** Name and port. */
  readonly host: string;
  /** Undefined: there is none, as of a cluster. */
  readonly tenant: string | undefined;
};

/** Options for reading logs; empty if the command reads none. */
export type LogWanted = Partial<Pick<LogsOptions, 'since' | 'to' | 'tail' | 'follow'>> & {
  /** How many logs are watched at once, if more than usual. */
  readonly watchedMax?: number;
};

/** The client of a command and its settings. The client must be closed. */
export type OpenedService = Pick<Settings, 'log' | 'ui'> & {readonly service: AskedService; readonly client: Client};

/** A backend inside this program has sites without names. */
export const serviceInside = (name: string, host: string, siteIds: readonly string[]): AskedService => ({
  ...{name, host, tenant: undefined, window: undefined},
  sites: siteIds.map(id => ({id, name: undefined})),
});

export const askedServiceOf = ({name, window, sites, baseUrl, tenant}: ContextSettings): AskedService => ({
  name,
  window,
  sites,
  host: serviceAddress(baseUrl).host,
  tenant,
});
