import {access} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {findClosestWord} from './closest-word.ts';
import {type ConfigFile, decodeConfigFile, type FileContext, readConfigFile} from './config-file.ts';
import {formatContextHeader} from './context-text.ts';
import {expandPath, findConfigFolder} from './folders.ts';
import {
  type ContextSettings,
  flagOrVariable,
  type Given,
  type SettingFlags,
  type Settings,
  type TokenSource,
} from './settings.ts';
import {ConfigError} from './table-reader.ts';
import {checkHeaderValue, parseBaseUrl} from './values.ts';

export {ConfigError} from './table-reader.ts';

export type LoadInput = {
  readonly flags: SettingFlags;
  readonly env: NodeJS.ProcessEnv;
  /** The folder that `~` stands for and that holds the config file; undefined if there is none. */
  readonly homeFolder: string | undefined;
};

/**
 * Merges flags, environment and config file, in order of precedence. The file is optional if the others suffice.
 * Relative paths in flags and variables start at the working folder, those in the file at the file's folder.
 * Throws a `ConfigError` (exit code 2).
 */
export const loadSettings = async (input: LoadInput): Promise<Settings> => {
  const {file, configPath} = await readFoundFile(input);
  const given = readGiven(input);
  const isSelfContained = Boolean(given.baseUrl && given.tenant && given.authMode && given.token);
  const chosen = chooseContext(file, configPath, given.context, isSelfContained);
  const {context, warnings} = await mergeContext(given, chosen, configPath, input);
  return {
    ...preferencesOf(file, configPath),
    context,
    contextNames: [...(file?.contexts.keys() ?? [])],
    warnings: [...given.warnings, ...warnings],
  };
};

/** The settings of the config file that do not depend on a service. */
export type Preferences = Pick<Settings, 'configPath' | 'log' | 'ui' | 'notify' | 'keys' | 'filters'>;

/** Reads only what does not depend on a service; the defaults if there is no file. Throws a `ConfigError`. */
export const loadPreferences = async (input: LoadInput): Promise<Preferences> => {
  const {file, configPath} = await readFoundFile(input);
  return preferencesOf(file, configPath);
};

const readFoundFile = async (
  input: LoadInput,
): Promise<{readonly file: ConfigFile | undefined; readonly configPath: string | undefined}> => {
  const {configPath, isNamed} = findConfigPath(input);
  const file = configPath === undefined ? undefined : await readConfigFile(configPath, input.homeFolder);
  if (!file && isNamed) {
    throw new ConfigError(`there is no config file ${configPath}`);
  }
  return {file, configPath};
};

const preferencesOf = (file: ConfigFile | undefined, configPath: string | undefined): Preferences => {
  const {log, ui, notify, keys, filters} = file ?? decodeConfigFile({}, '', undefined);
  return {configPath: file && configPath, log, ui, notify, keys, filters};
};

/**
 * Returns the path of the config file, and whether it was given explicitly. Throws a `ConfigError` for a path that
 * can't be resolved.
 */
export const findConfigPath = (
  input: LoadInput,
): {readonly configPath: string | undefined; readonly isNamed: boolean} => {
  const {env, homeFolder} = input;
  const named = flagOrVariable('config', input);
  if (named) {
    return {configPath: expandPath(named.value, resolve(), homeFolder, named.where), isNamed: true};
  }
  const folder = findConfigFolder(env, homeFolder);
  return {configPath: folder === undefined ? undefined : join(folder, 'config.toml'), isNamed: false};
};

/** Settings from flags and environment, before the file is read. */
type GivenSettings = Pick<FileContext, 'baseUrl' | 'tenant' | 'authMode' | 'token'> & {
  readonly context: Given | undefined;
  readonly warnings: readonly string[];
};

const readGiven = (input: LoadInput): GivenSettings => {
  const tenant = flagOrVariable('tenant', input);
  const authMode = flagOrVariable('authMode', input);
  return {
    context: flagOrVariable('context', input),
    baseUrl: flagOrVariable('baseUrl', input),
    tenant: tenant && checkHeaderValue(tenant.value, tenant.where),
    authMode: authMode && checkHeaderValue(authMode.value, authMode.where),
    ...readGivenToken(input),
  };
};

const readGivenToken = (input: LoadInput): Pick<GivenSettings, 'token' | 'warnings'> => {
  const {env, homeFolder} = input;
  const file = flagOrVariable('tokenFile', input);
  if (!file) {
    const token: TokenSource | undefined = env.BRANCHLOG_TOKEN
      ? {kind: 'environment', variable: 'BRANCHLOG_TOKEN'}
      : undefined;
    return {token, warnings: []};
  }
  const isDoubled = file.where === 'BRANCHLOG_TOKEN_FILE' && Boolean(env.BRANCHLOG_TOKEN);
  return {
    token: {kind: 'file', path: expandPath(file.value, resolve(), homeFolder, file.where)},
    warnings: isDoubled ? ['BRANCHLOG_TOKEN_FILE and BRANCHLOG_TOKEN are both set: the file is used'] : [],
  };
};

const mergeContext = async (
  given: GivenSettings,
  chosen: ChosenContext | undefined,
  configPath: string | undefined,
  input: LoadInput,
): Promise<{readonly context: ContextSettings; readonly warnings: readonly string[]}> => {
  const fromFile: Partial<FileContext> = chosen?.context ?? {};
  const {proxy, caFile, window, sources, sites = []} = fromFile;
  const address: Given | undefined = given.baseUrl ?? fromFile.baseUrl;
  const tenant = given.tenant ?? fromFile.tenant;
  const authMode = given.authMode ?? fromFile.authMode;
  const token = given.token ?? fromFile.token;
  if (address === undefined || tenant === undefined || authMode === undefined || token === undefined) {
    const missing = [address, tenant, authMode, token].flatMap((given, index) =>
      given ? [] : (waysToGive[index] ?? []),
    );
    const place = `${formatContextHeader(chosen?.name ?? 'NAME')} of ${configPath ?? 'a config file (--config)'}`;
    if (!chosen && missing.length === waysToGive.length) {
      const cluster = (await hasKubeconfig(input))
        ? ' read your Kubernetes cluster with branchlog kube,'
        : ' branchlog kube on a Kubernetes cluster,';
      throw new ConfigError(
        `nothing is configured yet: try branchlog demo, open a log with branchlog open app.log,${cluster} set up a service with branchlog init, or give --base-url, --tenant, --auth-mode and --token-file`,
      );
    }
    throw new ConfigError(`missing: ${missing.join(', ')}; the last named of each is a key in ${place}`);
  }
  const {baseUrl, name, warnings} = parseBaseUrl(address.value, address.where);
  // The context's name is always visible, so it must not refer to another service than it does in the file.
  const isMoved = given.baseUrl && fromFile.baseUrl && parseBaseUrl(fromFile.baseUrl.value, '').baseUrl !== baseUrl;
  return {
    context: {
      ...{name: chosen?.name ?? name, baseUrl, tenant, authMode, token},
      ...{proxy, caFile, window, sources, sites},
    },
    warnings: isMoved
      ? [`${address.where}: the context "${chosen?.name}" is used with another address, ${baseUrl}`, ...warnings]
      : warnings,
  };
};

const hasKubeconfig = async ({env, homeFolder}: LoadInput): Promise<boolean> =>
  Boolean(env.KUBECONFIG) ||
  (homeFolder !== undefined &&
    (await access(join(homeFolder, '.kube/config')).then(
      () => true,
      () => false,
    )));

const waysToGive = [
  'the address of the service (--base-url, BRANCHLOG_BASE_URL or base_url)',
  'the tenant (--tenant, BRANCHLOG_TENANT or tenant)',
  'the auth mode (--auth-mode, BRANCHLOG_AUTH_MODE or auth_mode)',
  'a token (--token-file, BRANCHLOG_TOKEN_FILE, BRANCHLOG_TOKEN or token_file)',
];

type ChosenContext = {readonly name: string; readonly context: FileContext};

const listNames = (names: readonly string[]): string => names.map(name => `"${name}"`).join(', ');

/**
 * Returns the file's context to use: the named one, else `default_context`, else the only one. Returns undefined if the
 * file has no context, or has several without a default while flags and environment are sufficient.
 * Throws a `ConfigError` for a name that does not exist, or if there are several contexts and nothing selects one.
 */
const chooseContext = (
  file: ConfigFile | undefined,
  configPath: string | undefined,
  named: Given | undefined,
  isSelfContained: boolean,
): ChosenContext | undefined => {
  const names = [...(file?.contexts.keys() ?? [])];
  const wanted: Given | undefined =
    named ?? (file?.defaultContext ? {value: file.defaultContext, where: `${configPath}: default_context`} : undefined);
  if (wanted) {
    const context = file?.contexts.get(wanted.value);
    if (context) {
      return {name: wanted.value, context};
    }
    throw new ConfigError(
      `${wanted.where}: there is no context "${wanted.value}"${describeOthers(wanted.value, names, file)}`,
    );
  }
  const [only, ...others] = file?.contexts ?? [];
  if (only && others.length === 0) {
    return {name: only[0], context: only[1]};
  }
  if (only && !isSelfContained) {
    throw new ConfigError(
      `no context is chosen: give one of ${listNames(names)} as --context, BRANCHLOG_CONTEXT or default_context in ${configPath}`,
    );
  }
  return undefined;
};

const describeOthers = (name: string, names: readonly string[], file: ConfigFile | undefined): string => {
  if (!file) {
    return ', as there is no config file';
  }
  if (names.length === 0) {
    return ', as the config file has none';
  }
  const meant = findClosestWord(name, names);
  return `, only ${listNames(names)}${meant === undefined ? '' : `: did you mean "${meant}"?`}`;
};
