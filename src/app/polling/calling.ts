import {decideCall, newCallState} from '#app/parts/call-user.ts';
import type {Effect} from '#app/state/effect.ts';
import type {LogState, State} from '#app/state/state.ts';
import type {Added} from '#log/ingest/added.ts';
import {textOf} from '#log/line/entry.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';

/**
 * Only the newest lines of a poll are checked, up to this many characters: an engine that never hangs is slow, and key
 * presses wait for it.
 */
const charsMax = 200_000;
const textCharsMax = 4096;

const errorRank = levelRank('error');

/** The new lines of a poll of a branch; `again`: what was watched for came with them. */
type CallingLines = {
  readonly branch: string;
  readonly added: Added;
  readonly again: string | undefined;
};

/**
 * Decides whether the lines of a poll call the user; `again` does, as what was watched for. Do not pass the first
 * window of a branch: its lines are not new.
 */
export const callFor = (
  state: State,
  log: LogState,
  {branch, added, again}: CallingLines,
): {readonly log: LogState; readonly effects: readonly Effect[]} => {
  const {notifyRules, nowMs} = state;
  if (notifyRules === undefined) {
    return {log, effects: []};
  }
  const texts = newestTexts(added);
  const {matches, firstError} = notifyRules;
  const match = again ?? (matches && texts.findLast(matches));
  const decided = decideCall(
    log.call ?? newCallState(nowMs),
    {
      nowMs,
      match,
      error: firstError ? texts.find(text => levelRank(levelOf(text)) >= errorRank) : undefined,
    },
    notifyRules,
  );
  const {text} = decided;
  const next = {...log, call: decided.state};
  if (text === undefined) {
    return {log: next, effects: []};
  }
  const why = again !== undefined ? 'again' : match !== undefined ? 'match' : 'error';
  return {log: next, effects: [{kind: 'callUser', why, text, siteId: log.siteId, branch}]};
};

const newestTexts = (added: Added): readonly string[] => {
  const texts: string[] = [];
  let left = charsMax;
  for (let index = added.length - 1; index >= 0; index--) {
    const entry = added.at(index);
    const text = entry?.kind === 'line' ? textOf(entry).slice(0, textCharsMax) : undefined;
    if (text !== undefined) {
      left -= text.length;
      if (left < 0) {
        break;
      }
      texts.push(text);
    }
  }
  return texts.toReversed();
};
