import {ApiError, type ApiErrorKind} from '#api/client/api-error.ts';
import {RecordingError} from '#api/recording/recording-format.ts';
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
