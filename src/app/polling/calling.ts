import {type Entry, textOf} from '../../log/line/entry.ts';
import {levelOf} from '../../log/reading/level.ts';
import {levelRank} from '../../log/reading/tokens/level-words.ts';
import {decideCall, newCallState} from '../parts/call-user.ts';
import type {Effect} from '../state/effect.ts';
import type {LogState, State} from '../state/state.ts';

/**
 * Only the newest lines of a poll are checked, up to this many characters: an engine that never hangs is slow, and key
 * presses wait for it.
 */
const charsMax = 200_000;
const textCharsMax = 4096;

const errorRank = levelRank('error');

/**
 * Decides whether the lines of a poll call the user; `again` does, as what was watched for. Do not pass the first
 * window of a branch: its lines are not new.
 */
export const callFor = (
  state: State,
  log: LogState,
  added: readonly Entry[],
  again?: string | undefined,
): {readonly log: LogState; readonly effects: readonly Effect[]} => {
  const {notifyRules, nowMs} = state;
  if (notifyRules === undefined) {
    return {log, effects: []};
  }
  const texts = newestTexts(added);
  const {matches, firstError} = notifyRules;
  const decided = decideCall(
    log.call ?? newCallState(nowMs),
    {
      nowMs,
      match: again ?? (matches && texts.findLast(matches)),
      error: firstError ? texts.find(text => levelRank(levelOf(text)) >= errorRank) : undefined,
    },
    notifyRules,
  );
  const {text} = decided;
  return {log: {...log, call: decided.state}, effects: text === undefined ? [] : [{kind: 'callUser', text}]};
};

const newestTexts = (added: readonly Entry[]): readonly string[] => {
  const texts: string[] = [];
  let left = charsMax;
  for (const entry of added.toReversed()) {
    const text = entry.kind === 'line' ? textOf(entry).slice(0, textCharsMax) : undefined;
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
