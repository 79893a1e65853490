import {ApiError, type ApiErrorKind} from '#api/client/api-error.ts';
import {RecordingError} from '#api/recording/recording-format.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {OutputClosed} from './output.ts';

/** The site has no branch with the given id or name: exit code 4. The message is shown to the user. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}

/** The command line or the configuration is invalid: exit code 2. The message is shown to the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The program's exit codes. All of them are listed in the general help. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notAuthorised: 3,
  notFound: 4,
  unreachable: 5,
  notInterface: 6,
  gap: 7,
  /** No line of what is held, or came within `--duration`, matches `--until`; one still matched `--until-gone`. */
  notMet: 8,
  /** `incident` found nothing. */
  calm: 9,
  /** 128 + 1, as shells report a program ended by SIGHUP. */
  hungUp: 129,
  /** 128 + 2, as shells report a program ended by SIGINT. */
  interrupted: 130,
  /** 128 + 3, as shells report a program ended by SIGQUIT. */
  quit: 131,
  /** 128 + 15, as shells report a program ended by SIGTERM. */
  terminated: 143,
} as const;

const codeByKind: Readonly<Record<ApiErrorKind, number>> = {
  token: exitCodes.notAuthorised,
  badId: exitCodes.usage,
  setting: exitCodes.usage,
  unauthorised: exitCodes.notAuthorised,
  forbidden: exitCodes.notAuthorised,
  notFound: exitCodes.notFound,
  tooManyRequests: exitCodes.unreachable,
  server: exitCodes.unreachable,
  network: exitCodes.unreachable,
  timeout: exitCodes.unreachable,
  tls: exitCodes.unreachable,
  redirect: exitCodes.notInterface,
  notInterface: exitCodes.notInterface,
  tooLarge: exitCodes.notInterface,
  cancelled: exitCodes.failed,
  // The recording was played to its end: not an error.
  ended: exitCodes.done,
};

/** Returns the exit code for an error that ended a command; 1 for unexpected errors. */
export const exitCodeOf = (error: unknown): number => {
  if (error instanceof ApiError) {
    return codeByKind[error.kind];
  }
  if (error instanceof UsageError || error instanceof RecordingError) {
    return exitCodes.usage;
  }
  if (error instanceof NotFoundError) {
    return exitCodes.notFound;
  }
  // The reader has closed the pipe, as `head` does once it has enough: not an error.
  if (error instanceof OutputClosed) {
    return exitCodes.done;
  }
  return exitCodes.failed;
};

const again = 'run branchlog doctor again in a minute; if it persists, tell the operator of the service';

/** What to do about a call that failed. */
export const callAdvice: Readonly<Record<ApiErrorKind, string>> = {
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

/** Other errors that are foreseen: what programs are told as their kind, and what to do; their messages say more. */
const foreseen: Readonly<Record<string, {readonly kind: string; readonly todo: string}>> = {
  UsageError: {kind: 'usage', todo: 'do what the message says'},
  RecordingError: {kind: 'recording', todo: 'name another recording'},
  NotFoundError: {kind: 'notFound', todo: 'list what there is: sites, then the branches of one'},
  OutputFailed: {kind: 'output', todo: 'write to somewhere else'},
};

/** Returns the message for the user. Unexpected errors are named as such, without a stack trace. */
export const failureWords = (error: unknown): string => {
  if (!(error instanceof Error)) {
    return `unexpected: ${String(error)}`;
  }
  const isForeseen = error instanceof ApiError || foreseen[error.name] !== undefined;
  return isForeseen ? error.message : `unexpected ${error.name}: ${error.message}`;
};

/** Returns an error as a record for programs: its kind, the exit code, the message, and what to do. */
export const errorRecord = (error: unknown) => {
  const {kind, todo} =
    error instanceof ApiError
      ? {kind: error.kind, todo: callAdvice[error.kind]}
      : (foreseen[error instanceof Error ? error.name : ''] ?? {
          kind: 'failed',
          todo: 'try again; if it persists, report it',
        });
  return {kind: 'error', error: kind, exitCode: exitCodeOf(error), message: sanitise(failureWords(error)), todo};
};
