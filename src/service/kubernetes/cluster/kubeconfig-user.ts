import {resolve} from 'node:path';
import {ServiceError} from '../../errors/service-error.ts';
import {tableOf} from '../../link/object-fields.ts';
import type {CredentialSource} from './create-access.ts';
import {createExecPlugin} from './exec-plugin.ts';
import {createFileText, createFixedText, type KeptText} from './kept-text.ts';
import {type ConfigEntry, readPem, readText} from './read-kubeconfig.ts';

export type UserSource = CredentialSource & {
  /** Reading runs a program. */
  readonly isPlugin: boolean;
};

/**
 * Returns the credentials of a user; those of a plugin may depend on the cluster. Throws a `ServiceError` for a way to
 * log in that is not supported.
 */
export const openUser = (user: ConfigEntry, cluster: ConfigEntry, env: NodeJS.ProcessEnv): UserSource => {
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
