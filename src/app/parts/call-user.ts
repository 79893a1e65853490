/** When to call a user who looks elsewhere: a decision only, made from what came. */

export type CallSettings = {
  /** The first error after a quiet calls. */
  readonly firstError: boolean;
  /** For how long no error may have come before, milliseconds. */
  readonly quietMs: number;
};

/** All that the user is to be called for. */
export type CallWishes = CallSettings & {
  /** Says whether a line's text is one to call for. It takes a time that is bounded by the text's length. */
  readonly matches?: ((text: string) => boolean) | undefined;
};

/** What one poll brought that is worth a call. */
export type Arrived = {
  readonly nowMs: number;
  /** The newest line that matches the user's pattern. */
  readonly match: string | undefined;
  /** The first line that is an error. */
  readonly error: string | undefined;
};

export type CallState = {
  /** No error has come since then. */
  readonly quietSinceMs: number;
  readonly lastCallMs: number | undefined;
  /** Calls that were held back since the last one. */
  readonly heldBack: number;
};

/** However much goes wrong, a user is called once in this time: who is called more often switches it off. */
export const callPauseMs = 30_000;

/** The quiet counts from when the log was opened; what its first window shows is no news and must not be handed in. */
export const newCallState = (openedAtMs: number): CallState => ({
  quietSinceMs: openedAtMs,
  lastCallMs: undefined,
  heldBack: 0,
});

/** Decides on a call, and answers what it is to say; undefined where there is none. A match goes before an error. */
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
  // In front, for a long line is cut at its end.
  const more = state.heldBack === 0 ? '' : `${state.heldBack} more before this: `;
  return {state: {quietSinceMs, lastCallMs: nowMs, heldBack: 0}, text: `${more}${text}`};
};
