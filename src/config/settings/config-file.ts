import {dirname} from 'node:path';
import {columnsMax} from '#base/bounds.ts';
import {parseDurationMs} from '#log/tokens/time-words.ts';
import {expandPath} from './folders.ts';
import {
  defaultFilterSettings,
  defaultKeySettings,
  defaultNotifySettings,
  defaultUiSettings,
  readFilterSettings,
  readKeySettings,
  readNotifySettings,
  readUiSettings,
} from './sections.ts';
import {
  type ContextSettings,
  type Given,
  type LogSettings,
  podSourcesMax,
  rowSettings,
  type Settings,
  type SiteSetting,
  type TokenSource,
  windowSettings,
} from './settings.ts';
import {createTableReader, readToml, type TableReader} from './table-reader.ts';
import {checkHeaderValue, parseBaseUrl} from './values.ts';

/** A context as the file gives it: every value may still come from flags or environment. */
export type FileContext = Omit<ContextSettings, 'name' | 'baseUrl' | 'tenant' | 'authMode' | 'token'> & {
  readonly baseUrl: Given | undefined;
  readonly tenant: string | undefined;
  readonly authMode: string | undefined;
  readonly token: TokenSource | undefined;
};

export type ConfigFile = Pick<Settings, 'log' | 'ui' | 'notify' | 'keys' | 'filters'> & {
  readonly defaultContext: string | undefined;
  readonly contexts: ReadonlyMap<string, FileContext>;
};

/** 2 s is fresh enough to watch; 128 MB is about an hour of a loud branch. */
export const defaultLogSettings: LogSettings = {
  intervalMs: 2_000,
  bufferMb: 128,
  kubeBufferMb: 64,
  kubeEvents: true,
  colour: 'own',
  rows: 'laid-out',
  columns: [],
  pulseMs: 1_000,
};

/** A shorter interval would poll the service more than ten times a second; a longer one is no longer following. */
const intervalMsMin = 100;
const intervalMsMax = 3_600_000;

/**
 * Reads and checks a whole config file, including contexts that are not used; returns undefined if it does not exist.
 * Throws a `ConfigError`.
 */
export const readConfigFile = async (path: string, homeFolder: string | undefined): Promise<ConfigFile | undefined> => {
  const file = await readToml(path);
  return file && decodeConfigFile(file.table, path, homeFolder);
};

/** Checks the parsed content of a config file. Throws a `ConfigError`. */
export const decodeConfigFile = (
  table: Record<string, unknown>,
  path: string,
  homeFolder: string | undefined,
): ConfigFile => {
  const root = createTableReader(table, path);
  root.refuseOthers(['default_context', 'contexts', 'log', 'ui', 'notify', 'keys', 'filters']);
  const contexts = new Map<string, FileContext>();
  const contextsTable = root.table('contexts');
  for (const name of contextsTable?.keys() ?? []) {
    const context = contextsTable?.table(name);
    if (context) {
      contexts.set(name, readContext(context, dirname(path), homeFolder));
    }
  }
  const [log, ui, notify, keys, filters] = ['log', 'ui', 'notify', 'keys', 'filters'].map(name => root.table(name));
  return {
    defaultContext: root.text('default_context'),
    contexts,
    log: log ? readLog(log) : defaultLogSettings,
    ui: ui ? readUiSettings(ui) : defaultUiSettings,
    notify: notify ? readNotifySettings(notify) : defaultNotifySettings,
    keys: keys ? readKeySettings(keys) : defaultKeySettings,
    filters: filters ? readFilterSettings(filters) : defaultFilterSettings,
  };
};

const readContext = (table: TableReader, folder: string, homeFolder: string | undefined): FileContext => {
  if (table.keys().includes('token')) {
    table.fail(
      'token',
      'a token does not belong in this file: put it in a file of its own, and set token_file to its path',
    );
  }
  table.refuseOthers([
    'base_url',
    'tenant',
    'auth_mode',
    'token_file',
    'token_command',
    'proxy',
    'ca_file',
    'window',
    'sources',
    'sites',
  ]);
  const readPath = (key: string): string | undefined => {
    const path = table.text(key);
    return path === undefined ? undefined : expandPath(path, folder, homeFolder, table.where(key));
  };
  const readHeader = (key: string): string | undefined => {
    const value = table.text(key);
    return value === undefined ? undefined : checkHeaderValue(value, table.where(key));
  };
  const address = table.text('base_url');
  const baseUrl = address === undefined ? undefined : {value: address, where: table.where('base_url')};
  if (baseUrl) {
    parseBaseUrl(baseUrl.value, baseUrl.where);
  }
  return {
    baseUrl,
    tenant: readHeader('tenant'),
    authMode: readHeader('auth_mode'),
    token: readTokenSource(table, readPath('token_file')),
    proxy: readProxy(table, address),
    caFile: readPath('ca_file'),
    ...readWindow(table),
    sites: readSites(table),
  };
};

const readWindow = (table: TableReader): Pick<FileContext, 'window' | 'sources'> => {
  const window = table.choice('window', windowSettings);
  const sources = table.integer('sources', 1, podSourcesMax);
  // Nothing else uses it, and setting it would seem to prove something.
  return sources === undefined || window === 'source'
    ? {window, sources}
    : table.fail('sources', 'only applies with window = "source": add that, or remove this');
};

const readTokenSource = (table: TableReader, path: string | undefined): TokenSource | undefined => {
  const command = table.texts('token_command');
  if (path !== undefined && command !== undefined) {
    table.fail('token_command', 'there is a token_file too: keep one of them');
  }
  if (command?.length === 0) {
    table.fail('token_command', 'expected a program and its arguments, got an empty array');
  }
  if (command) {
    return {kind: 'command', command};
  }
  return path === undefined ? undefined : {kind: 'file', path};
};

const readProxy = (table: TableReader, address: string | undefined): string | undefined => {
  const proxy = table.text('proxy');
  if (proxy !== undefined && address?.startsWith('unix:')) {
    table.fail('proxy', 'base_url is a socket of this machine, which is reached without a proxy: remove one of them');
  }
  const protocol = proxy === undefined ? undefined : URL.parse(proxy)?.protocol;
  // The address often contains a password, so the message does not quote it.
  return proxy === undefined || protocol === 'http:' || protocol === 'https:'
    ? proxy
    : table.fail('proxy', 'expected an address like http://proxy.example:3128');
};

const readSites = (table: TableReader): readonly SiteSetting[] => {
  const seen = new Map<string, string>();
  const claim = (site: TableReader, key: string, value: string): void => {
    const owner = seen.get(value);
    if (owner !== undefined) {
      site.fail(key, `"${value}" is used by ${owner} already: ids and names of sites must differ`);
    }
  };
  return table.tables('sites').map((site, index) => {
    site.refuseOthers(['id', 'name']);
    const id = site.text('id') ?? site.fail('id', 'missing: give the identifier of the site');
    const name = site.text('name');
    if (id === '.' || id === '..') {
      site.fail('id', `"${id}" is not a site identifier`);
    }
    claim(site, 'id', id);
    if (name !== undefined) {
      claim(site, 'name', name);
      seen.set(name, `sites[${index}].name`);
    }
    seen.set(id, `sites[${index}].id`);
    return {id, name};
  });
};

const readPulse = (table: TableReader): number | undefined => {
  const pulse = table.scalar('pulse');
  const pulseMs = pulse === undefined ? defaultLogSettings.pulseMs : pulse === 'off' ? 0 : parseDurationMs(pulse);
  return pulseMs === 0
    ? undefined
    : pulseMs === undefined || pulseMs < intervalMsMin || pulseMs > intervalMsMax
      ? table.fail('pulse', 'expected a time from 100ms to 1h, like "1s", or "off"')
      : pulseMs;
};

const readColumns = (table: TableReader): readonly string[] => {
  const columns = table.texts('columns') ?? defaultLogSettings.columns;
  return columns.length > columnsMax
    ? table.fail('columns', `expected at most ${columnsMax} names of fields, got ${columns.length}`)
    : [...new Set(columns)];
};

const readLog = (table: TableReader): LogSettings => {
  table.refuseOthers(['interval', 'buffer_mb', 'kube_buffer_mb', 'kube_events', 'colour', 'rows', 'columns', 'pulse']);
  const interval = table.scalar('interval');
  const intervalMs = interval === undefined ? defaultLogSettings.intervalMs : parseDurationMs(interval);
  if (intervalMs === undefined || intervalMs < intervalMsMin || intervalMs > intervalMsMax) {
    return table.fail('interval', 'expected a time from 100ms to 1h, like "500ms", "15s" or "5m"');
  }
  return {
    intervalMs,
    bufferMb: table.integer('buffer_mb', 1, 4096) ?? defaultLogSettings.bufferMb,
    kubeBufferMb: table.integer('kube_buffer_mb', 1, 4096) ?? defaultLogSettings.kubeBufferMb,
    kubeEvents: table.flag('kube_events') ?? defaultLogSettings.kubeEvents,
    colour: table.choice('colour', ['own', 'keep']) ?? defaultLogSettings.colour,
    rows: table.choice('rows', rowSettings) ?? defaultLogSettings.rows,
    columns: readColumns(table),
    pulseMs: readPulse(table),
  };
};
