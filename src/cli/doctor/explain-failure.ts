import {ApiError, type ApiErrorKind} from '../../api/api-error.ts';
import {exitCodeOf} from '../io/exit-codes.ts';
import {type Failure, found} from './finding.ts';

const again = 'run branchlog doctor again in a minute; if it lasts, tell the operator of the service';

const actions: Readonly<Record<ApiErrorKind, string>> = {
  token: 'correct that, or name another token_file; (umask 077; cat > FILE) stores what you paste, until Ctrl+D',
  badId: 'correct the id of the site',
  setting: 'correct it in the config file',
  unauthorised: 'get a new token, and check that tenant and auth_mode are those it was made for',
  forbidden: 'check tenant, and ask the operator of the service for access',
  notFound: 'check the id of the site, and tenant',
  tooManyRequests: again,
  server: again,
  network: 'check base_url, the proxy, the VPN and the firewall',
  timeout: again,
  tls: 'check base_url; if the certificate authority is your own, set ca_file',
  redirect: 'set base_url to the final address of the service, without a login page in between',
  notInterface: 'check that base_url ends in the version segment and leads to the service, not to a portal or proxy',
  tooLarge: 'ask the operator of the service for a smaller window',
  cancelled: again,
  ended: again,
};

/** Returns the finding for a failed request, or a token that can't be used. Throws other errors. */
export const explainFailure = (subject: string, error: unknown): Failure => {
  if (!(error instanceof ApiError)) {
    throw error;
  }
  return found.fail(subject, error.message, actions[error.kind], exitCodeOf(error));
};
