import {delimiter, join, resolve} from 'node:path';
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
  const context = findEntry(config, 'context', contextName, undefined);
  const clusterName = readText(context, 'cluster');
  if (clusterName === undefined) {
    throw new ServiceError(`"cluster" of ${context.title} is missing: name one of the clusters.`);
  }
  const cluster = findEntry(config, 'cluster', clusterName, context);
  const userName = readText(context, 'user');
  const user = userName === undefined ? undefined : findEntry(config, 'user', userName, context);
  const server = parseServer(cluster);
  const source = user && openUser(user, cluster, env);
  if (source && server.protocol === 'http:' && !isLoopback(server)) {
    throw new ServiceError(`"server" of ${cluster.title} is http: credentials would be sent in the clear: use https.`);
  }
  const access = createAccess(
    user?.title ?? 'an anonymous user',
    readPem(cluster, 'certificate-authority'),
    source ?? {titles: {}, read: async () => ({})},
  );
  if (source?.isPlugin !== true) {
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

type UserSource = CredentialSource & {
  /** Reading runs a program. */
  readonly isPlugin: boolean;
};

/**
 * Returns the credentials of a user; those of a plugin may depend on the cluster. Throws a `ServiceError` for a way to
 * log in that is not supported.
 */
const openUser = (user: ConfigEntry, cluster: ConfigEntry, env: NodeJS.ProcessEnv): UserSource => {
  refuseUnsupported(user);
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
    return {...createExecPlugin(user, cluster, env), isPlugin: true};
  }
  return {
    titles: {token: token?.title, certificate: certificate?.title, key: key?.title},
    read: async isForced => ({
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
