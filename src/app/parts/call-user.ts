/** Decides when to call a user who is looking elsewhere. Has no side effects. */

export type CallSettings = {
  /** Call for the first error after a quiet period. */
  readonly firstError: boolean;
  /** The length of the quiet period without errors, milliseconds. */
  readonly quietMs: number;
};

/** Everything to call the user for. */
export type NotifyRules = CallSettings & {
  /** Checks whether a line's text is worth a call, in time bounded by the text's length. */
  readonly matches?: ((text: string) => boolean) | undefined;
};

/** A call: a matching line, the first error after a quiet period, or what was watched for and came again. */
export type UserCall = {
  readonly why: 'match' | 'error' | 'again';
  readonly text: string;
  readonly siteId: string;
  /** The name of the branch whose lines call. */
  readonly branch: string;
};

/** The lines of one poll that are worth a call. */
export type Arrived = {
  readonly nowMs: number;
  /** The newest line that matches the user's pattern. */
  readonly match: string | undefined;
  /** The first error line. */
  readonly error: string | undefined;
};

export type CallState = {
  /** No error has arrived since then. */
  readonly quietSinceMs: number;
  readonly lastCallMs: number | undefined;
  /** Calls held back since the last one. */
  readonly heldBack: number;
};

/** At most one call in this time, however much goes wrong: users switch off anything that calls more often. */
export const callPauseMs = 30_000;

/** The quiet period starts when the log is opened. The first window is not news; callers must not pass it. */
export const newCallState = (openedAtMs: number): CallState => ({
  quietSinceMs: openedAtMs,
  lastCallMs: undefined,
  heldBack: 0,
});

/** Returns the text of a call, or undefined if none is due. A match takes precedence over an error. */
export const decideCall = (
  state: CallState,
  {nowMs, match, error}: Arrived,
  {firstError, quietMs}: CallSettings,
): {readonly state: CallState; readonly text: string | undefined} => {
  const endsQuiet = firstError && error !== undefined && nowMs - state.quietSinceMs >= quietMs;
  const text = match ?? (endsQuiet ? error : undefined);
  const quietSinceMs = error === undefined ? state.quietSinceMs : nowMs;
  if (text === undefined) {
    return {state: {...state, quietSinceMs}, text: undefined};
  }
  if (state.lastCallMs !== undefined && nowMs - state.lastCallMs < callPauseMs) {
    return {state: {...state, quietSinceMs, heldBack: state.heldBack + 1}, text: undefined};
  }
  // At the start, because long lines are cut at the end.
  const more = state.heldBack === 0 ? '' : `${state.heldBack} more before this: `;
  return {state: {quietSinceMs, lastCallMs: nowMs, heldBack: 0}, text: `${more}${text}`};
};
