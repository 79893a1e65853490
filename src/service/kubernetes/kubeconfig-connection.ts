import {delimiter, join, resolve} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {ServiceError} from '#service/backend/errors.ts';
import {tableOf} from '#service/link/object-fields.ts';
import {type CredentialSource, createAccess} from './cluster/create-access.ts';
import {createExecPlugin} from './cluster/exec-plugin.ts';
import {createFileText, createFixedText, type KeptText} from './cluster/kept-text.ts';
import {type ImpersonationWish, readImpersonation} from './cluster/read-impersonation.ts';
import type {KubeConnection} from './kube-connection.ts';
import {type ConfigEntry, isUnverified, type Kubeconfig, readKubeconfig, readPem, readText} from './read-kubeconfig.ts';
import {chooseProxy} from './transport/choose-proxy.ts';

/** A cluster, and who we are there. */
export type FoundConnection = {
  readonly connection: KubeConnection;
  readonly origin: 'service account' | 'kubeconfig';
  /** Undefined for a ServiceAccount. */
  readonly contextName: string | undefined;
  /** The namespace of the context or the pod; `default` if it names none. */
  readonly namespace: string;
};

/** Returns the paths in KUBECONFIG, or the usual one. Throws a `ServiceError` without either. */
export const findKubeconfigs = (env: NodeJS.ProcessEnv, homeFolder: string | undefined): readonly string[] => {
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter(path => path !== '');
  if (listed.length > 0) {
    return listed.map(path => resolve(path));
  }
  if (homeFolder === undefined) {
    throw new ServiceError('There is no home folder to find .kube/config in: name the kubeconfig in KUBECONFIG.');
  }
  return [join(homeFolder, '.kube/config')];
};

/** Which entries of the kubeconfig are meant; without a context, its current one. */
export type WantedConnection = {
  readonly context?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly actAs?: ImpersonationWish | undefined;
};

/**
 * Connects to the cluster of a context as its user. No plugin runs yet.
 * Throws a `ServiceError` or a `KubeError` of kind `auth` that names file and key.
 */
export const connectByKubeconfig = async (
  paths: readonly string[],
  {context: wantedContext, env, actAs}: WantedConnection,
): Promise<FoundConnection> => {
  const config = await readKubeconfig(paths);
  const contextName = wantedContext ?? config.currentContext;
  if (contextName === undefined) {
    throw new ServiceError(
      `"current-context" of ${config.files.join(' and ')} is not set: name a context${listNames(config.contexts)}.`,
    );
  }
  const login = findLogin(config, contextName);
  const {context, cluster, user, server} = login;
  const source = openLogin(login, env);
  const access = createAccess(
    user?.title ?? 'an anonymous user',
    createRereadSource(paths, {login, source}, async () => {
      const found = findLogin(await readKubeconfig(paths), contextName);
      return {login: found, source: openLogin(found, env)};
    }),
  );
  if (!source.isPlugin) {
    await access.read();
  }
  const proxy = {title: `"proxy-url" of ${cluster.title}`, address: readText(cluster, 'proxy-url')};
  return {
    connection: {
      server,
      access,
      serverName: readText(cluster, 'tls-server-name'),
      isUnverified: isUnverified(cluster),
      impersonation: readImpersonation(user, actAs),
      proxy: chooseProxy(server, proxy, env),
    },
    origin: 'kubeconfig',
    contextName,
    namespace: readText(context, 'namespace') ?? 'default',
  };
};

/** The entries that a context names. */
type Login = {
  readonly context: ConfigEntry;
  readonly cluster: ConfigEntry;
  readonly user: ConfigEntry | undefined;
  readonly server: URL;
};

const findLogin = (config: Kubeconfig, contextName: string): Login => {
  const context = findEntry(config, 'context', contextName, undefined);
  const clusterName = readText(context, 'cluster');
  if (clusterName === undefined) {
    throw new ServiceError(`"cluster" of ${context.title} is missing: name one of the clusters.`);
  }
  const cluster = findEntry(config, 'cluster', clusterName, context);
  const userName = readText(context, 'user');
  return {
    context,
    cluster,
    user: userName === undefined ? undefined : findEntry(config, 'user', userName, context),
    server: parseServer(cluster),
  };
};

const findEntry = (
  config: Kubeconfig,
  kind: 'context' | 'cluster' | 'user',
  name: string,
  by: ConfigEntry | undefined,
): ConfigEntry => {
  const entries = config[`${kind}s`];
  const entry = entries.get(name);
  if (!entry) {
    throw new ServiceError(
      by
        ? `"${kind}" of ${by.title} is "${name}", but there is no such ${kind}${listNames(entries)}.`
        : `There is no ${kind} "${name}" in ${config.files.join(' and ')}${listNames(entries)}.`,
    );
  }
  return entry;
};

/** Names listed in a message. */
const namesMax = 10;

const listNames = (entries: ReadonlyMap<string, ConfigEntry>): string => {
  const names = [...entries.keys()];
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : '';
  return names.length === 0 ? '' : ` (there are: ${names.slice(0, namesMax).join(', ')}${more})`;
};

const parseServer = (cluster: ConfigEntry): URL => {
  const text = readText(cluster, 'server');
  const url = text === undefined ? null : URL.parse(text);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new ServiceError(`"server" of ${cluster.title} must be an address such as https://cluster.example:6443.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ServiceError(`"server" of ${cluster.title} holds a name or a password: use a token or a certificate.`);
  }
  return url;
};

const isLoopback = ({hostname}: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);

type LoginSource = CredentialSource & {
  /** Reading runs a program. */
  readonly isPlugin: boolean;
};

type Opened = {readonly login: Login; readonly source: LoginSource};

/**
 * Creates a source that follows the kubeconfig's files: a token, a certificate or an authority that stands in them is
 * replaced there, too. What it says about another server, or by a fault, is left alone: nobody else gets credentials.
 */
const createRereadSource = (
  paths: readonly string[],
  first: Opened,
  reopen: () => Promise<Opened>,
): CredentialSource => {
  const files = paths.map(path => createFileText(path, path));
  const readFiles = (isForced: boolean) => Promise.all(files.map(file => file.read(isForced).catch(() => undefined)));
  let reading = readFiles(false);
  let {login, source} = first;

  const follow = async (isForced: boolean): Promise<void> => {
    const known = await reading;
    reading = readFiles(isForced);
    const texts = await reading;
    if (texts.every((text, index) => text === known[index])) {
      return;
    }
    const next = await reopen().catch(() => undefined);
    if (next?.login.server.href === login.server.href && !isSameLogin(next.login, login)) {
      const old = source;
      ({login, source} = next);
      await old.close?.();
    }
  };

  return {
    get titles() {
      return source.titles;
    },
    read: async isForced => {
      await follow(isForced);
      return await source.read(isForced);
    },
    close: async () => await source.close?.(),
  };
};

const isSameLogin = (one: Login, other: Login): boolean =>
  isDeepStrictEqual([one.cluster, one.user], [other.cluster, other.user]);

/**
 * Returns the credentials of a user; those of a plugin may depend on the cluster. Throws a `ServiceError` for a way to
 * log in that is not supported, or not over this connection.
 */
const openLogin = ({cluster, user, server}: Login, env: NodeJS.ProcessEnv): LoginSource => {
  const ca = readPem(cluster, 'certificate-authority');
  if (!user) {
    return {titles: {ca: ca?.title}, read: async isForced => ({ca: await ca?.read(isForced)}), isPlugin: false};
  }
  refuseUnsupported(user);
  if (server.protocol === 'http:' && !isLoopback(server)) {
    throw new ServiceError(`"server" of ${cluster.title} is http: credentials would be sent in the clear: use https.`);
  }
  const certificate = readPem(user, 'client-certificate');
  const key = readPem(user, 'client-key');
  if ((certificate === undefined) !== (key === undefined)) {
    const [there, missing] = certificate ? ['client-certificate', 'client-key'] : ['client-key', 'client-certificate'];
    throw new ServiceError(`${user.title} has "${there}" but no "${missing}": both are needed.`);
  }
  const token = readToken(user);
  if (user.fields.exec !== undefined && user.fields.exec !== null && token === undefined) {
    if (certificate !== undefined) {
      throw new ServiceError(`${user.title} has both "client-certificate" and "exec": remove one.`);
    }
    const plugin = createExecPlugin(user, cluster, env);
    return {
      ...plugin,
      titles: {...plugin.titles, ca: ca?.title},
      read: async isForced => ({...(await plugin.read(isForced)), ca: await ca?.read(isForced)}),
      isPlugin: true,
    };
  }
  return {
    titles: {ca: ca?.title, token: token?.title, certificate: certificate?.title, key: key?.title},
    read: async isForced => ({
      ca: await ca?.read(isForced),
      token: await token?.read(isForced),
      certificate: await certificate?.read(isForced),
      key: await key?.read(isForced),
    }),
    isPlugin: false,
  };
};

const readToken = (user: ConfigEntry): KeptText | undefined => {
  // As for kubectl, the file wins.
  const path = readText(user, 'tokenFile');
  const token = readText(user, 'token');
  return path !== undefined
    ? createFileText(`"tokenFile" of ${user.title}`, resolve(user.folder, path))
    : token === undefined
      ? undefined
      : createFixedText(`"token" of ${user.title}`, token);
};

const refuseUnsupported = ({title, fields}: ConfigEntry): void => {
  const provider = tableOf(fields['auth-provider']);
  if (provider) {
    const {name} = provider;
    throw new ServiceError(
      `"auth-provider" ${JSON.stringify(name)} of ${title} is not supported: use an exec plugin instead, ${
        name === 'gcp'
          ? 'gke-gcloud-auth-plugin (run gcloud container clusters get-credentials again)'
          : name === 'azure'
            ? 'kubelogin (run kubelogin convert-kubeconfig)'
            : 'kubelogin (kubectl oidc-login)'
      }.`,
    );
  }
  if (fields.username || fields.password) {
    throw new ServiceError(
      `"username" and "password" of ${title} are not supported, nor are they by Kubernetes since 1.19: ` +
        'use a token, a client certificate or an exec plugin.',
    );
  }
};
