import type {LinkRequest} from '#service/link/link.ts';

/** Whom to act as, by the rights of whoever is logged in. */
export type Impersonation = {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  /** Further attributes of the user, by name. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
};

/** Bytes that a header's name may have (RFC 9110, section 5.6.2), except `%`, which escapes the others. */
const escapedInName = /[^!#$&'*+.^_`|~0-9A-Za-z-]/;

const escapeName = (name: string): string =>
  [...Buffer.from(name)]
    .map(byte => {
      const character = String.fromCharCode(byte);
      return escapedInName.test(character) ? `%${byte.toString(16).padStart(2, '0')}` : character;
    })
    .join('');

/** Returns the headers for the API server, one line for each value. Source: client-go, `round_trippers.go`. */
export const impersonationHeaders = ({user, uid, groups, extra}: Impersonation): LinkRequest['headers'] => ({
  'impersonate-user': user,
  ...(uid === undefined ? {} : {'impersonate-uid': uid}),
  ...(groups.length === 0 ? {} : {'impersonate-group': groups}),
  ...Object.fromEntries(
    Object.entries(extra).map(([name, values]) => [`impersonate-extra-${escapeName(name)}`, values]),
  ),
});
