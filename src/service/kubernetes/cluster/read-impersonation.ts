import {ServiceError} from '#service/backend/errors.ts';
import {tableOf} from '#service/link/object-fields.ts';
import type {Impersonation} from '../kube-connection.ts';
import {type ConfigEntry, readList, readText} from '../read-kubeconfig.ts';

/** The wish of a command line. Each part wins over that of the kubeconfig, as for kubectl. */
export type ImpersonationWish = {
  readonly user?: string | undefined;
  readonly groups?: readonly string[] | undefined;
};

/**
 * Returns whom to act as: by the command line, else by `as`, `as-uid`, `as-groups` and `as-user-extra` of the user;
 * undefined for nobody else. Throws a `ServiceError`.
 */
export const readImpersonation = (
  user: ConfigEntry | undefined,
  wish: ImpersonationWish = {},
): Impersonation | undefined => {
  const {title, fields}: Pick<ConfigEntry, 'title' | 'fields'> = user ?? {title: 'the command line', fields: {}};
  const name = wish.user ?? (user && readText(user, 'as'));
  const uid = user && readText(user, 'as-uid');
  const groups = wish.groups ?? readTexts(fields['as-groups'], `"as-groups" of ${title}`);
  const extra = Object.fromEntries(
    Object.entries(readTable(fields['as-user-extra'], `"as-user-extra" of ${title}`)).map(([key, values]) => [
      key,
      readTexts(values, `"as-user-extra" of ${title}`),
    ]),
  );
  if (name === undefined) {
    if (uid === undefined && groups.length === 0 && Object.keys(extra).length === 0) {
      return undefined;
    }
    throw new ServiceError(
      `${wish.groups ? '--as-group' : title} names groups but no user to act as: add --as or "as", which the API server requires.`,
    );
  }
  const odd = [name, uid ?? '', ...groups, ...Object.values(extra).flat()].find(text => !/^[\x20-\x7e]*$/.test(text));
  if (odd !== undefined) {
    throw new ServiceError(`A name to act as has characters that a header cannot carry: ${JSON.stringify(odd)}.`);
  }
  return {user: name, uid, groups, extra};
};

const readTexts = (value: unknown, title: string): readonly string[] =>
  readList(value, title).map(item => {
    if (typeof item !== 'string') {
      throw new ServiceError(`${title} must be a list of strings.`);
    }
    return item;
  });

const readTable = (value: unknown, title: string) => {
  const table = tableOf(value ?? {});
  if (!table) {
    throw new ServiceError(`${title} must be a table of lists.`);
  }
  return table;
};
