import {sanitiseWord} from '../../log/text/sanitise.ts';
import type {State} from '../state/state.ts';
import {selectTokenPart} from '../words/select-token-part.ts';
import {announceBranches, announceSites, readBranchesPlace, readSitesPlace} from './announce-lists.ts';
import {announceLog, type LogChange} from './announce-log.ts';
import {announcePrompt} from './announce-prompt.ts';
import {readLogPlace} from './read/read-log.ts';
import {readRow} from './read/read-row.ts';

const sentenceCharsMax = 500;

/**
 * Returns what a state change means for somebody who cannot see the screen: sentences to read now, and log entries to
 * read in turns. Returns nothing if nothing relevant changed. After the user's own keys, the place they lead to is
 * read.
 */
export const announceChange = (before: State, now: State, cause: 'key' | 'event'): LogChange => {
  const {sentences, entries} = announceScreen(before, now, cause);
  return {sentences: [...sentences, ...announcePrompt(before, now), ...announceNotices(before, now)], entries};
};

const announceScreen = (before: State, now: State, cause: 'key' | 'event'): LogChange => {
  if (now.screen === 'log' && now.log) {
    return announceLog(before, now, now.log, cause);
  }
  return {
    sentences:
      now.screen === 'branches' && now.branches
        ? announceBranches(before, now, now.branches)
        : announceSites(before, now),
    entries: [],
  };
};

const announceNotices = (before: State, now: State): readonly string[] => {
  const notices = [
    now.notice === before.notice ? undefined : now.notice,
    now.tokenNotice === before.tokenNotice ? undefined : now.tokenNotice,
  ].flatMap(notice => (notice === undefined ? [] : [sanitiseWord(notice, sentenceCharsMax)]));
  // The words change every minute, so the tone decides what is worth an interruption.
  const token = selectTokenPart(now).row;
  const tone = token[0]?.tone;
  const isUrgent = tone === 'busy' || tone === 'bad';
  return isUrgent && tone !== selectTokenPart(before).row[0]?.tone ? [...notices, `${readRow(token)}.`] : notices;
};

/** Describes the current place in full. */
export const readPlace = (state: State): readonly string[] => {
  if (state.screen === 'log' && state.log) {
    return readLogPlace(state, state.log);
  }
  const token = readRow(selectTokenPart(state).row);
  const place =
    state.screen === 'branches' && state.branches ? readBranchesPlace(state, state.branches) : readSitesPlace(state);
  return token === '' ? place : [...place, `${token}.`];
};
