import {keyFor, type ScreenName} from '#app/keys/keymap.ts';
import type {Event} from '#app/state/event.ts';
import {focusOf} from '#app/state/focus.ts';
import {promptOf} from '#app/state/input-focus.ts';
import type {State} from '#app/state/state.ts';
import type {Store} from '#app/store.ts';
import {selectTokenPart} from '#app/words/select-token-part.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {announceBranches, announceSites, readBranchesPlace, readSitesPlace} from './announce/announce-lists.ts';
import {announceLog, type LogChange} from './announce/announce-log.ts';
import {announcePrompt, readPrompt} from './announce-prompt.ts';
import type {Announcer} from './announcer.ts';
import {readSelectedBranch} from './read/read-branch.ts';
import {keyWord, keyWordFirst, readHelp} from './read/read-help.ts';
import {readCurrentEntry, readLogPlace, readOverlay} from './read/read-log.ts';
import {readRow} from './read/read-row.ts';
import {readSelectedSite} from './read/read-site.ts';

/** `Question mark reads the keys` */
const helpReadsKeys = (screen: ScreenName): string => `${keyWordFirst(keyFor('toggleHelp', screen))} reads the keys`;

/** Entries that Page Up and Page Down move by: as many as one skips when looking for something. */
const pageEntries = 10;

/** Announces what happens on the screens in sentences, and handles keys. */
export type Reader = {
  /** Announces the place when the program starts. */
  begin(): void;
  /** Handles a key that is bound. */
  act(happening: Event): void;
  /** Announces the current place. */
  tellPlace(): void;
  /** Announces that a key, by its name in the key table, is not bound here. */
  refuse(key: string): void;
};

export type ReaderOptions = {readonly store: Store; readonly announcer: Announcer};

/** Creates the reader and subscribes it to the store: from then on every relevant change is announced. */
export const createReader = ({store, announcer}: ReaderOptions): Reader => {
  let told = store.state();
  let isActing = false;

  /** Announces changes; returns whether anything was said. */
  const tell = (cause: 'key' | 'event'): boolean => {
    const now = store.state();
    const {sentences, entries} = announceChange(told, now, cause);
    if (now.generation !== told.generation) {
      announcer.forget();
    }
    told = now;
    announcer.say(sentences);
    announcer.hear(entries);
    announcer.hold(isReadingElsewhere(now));
    return sentences.length > 0;
  };

  store.subscribe(() => {
    if (!isActing) {
      tell('event');
    }
  });

  const dispatch = (happening: Event, times: number): void => {
    isActing = true;
    try {
      for (let count = 0; count < times; count++) {
        store.dispatch(happening);
      }
      const asksForHelp = store.state().focus.kind === 'help';
      if (asksForHelp) {
        // The help is read once, and does not have to be closed.
        store.dispatch({kind: 'commandGiven', command: 'toggleHelp'});
        announcer.say(readHelp(store.state().screen));
      }
      if (!tell('key') && !asksForHelp) {
        announcer.say(readHere(store.state(), happening));
      }
    } finally {
      isActing = false;
    }
  };

  return {
    begin() {
      const state = store.state();
      announcer.say([
        `branchlog in screen-reader mode. ${helpReadsKeys('sites')}, ${keyWord(keyFor('quit', 'sites'))} quits.`,
      ]);
      // If a site opens at once, its branches are announced next.
      announcer.say(state.branches === undefined ? readPlace(state) : []);
    },
    act(happening) {
      switch (happening.kind === 'commandGiven' ? happening.command : undefined) {
        case 'pageUp':
          return dispatch({kind: 'commandGiven', command: 'moveUp'}, pageEntries);
        case 'toggleMouse':
          return announcer.say(['There is no mouse in screen-reader mode.']);
        case 'pageDown':
          return dispatch({kind: 'commandGiven', command: 'moveDown'}, pageEntries);
        default:
          return dispatch(happening, 1);
      }
    },
    tellPlace: () => announcer.say(readPlace(store.state())),
    refuse: key =>
      announcer.say([`${sanitiseWord(keyWord(key), 20)} has no meaning here. ${helpReadsKeys(store.state().screen)}.`]),
  };
};

/**
 * Returns whether the user reads back or types. New lines then wait until the log is followed again, so that they do
 * not talk over the user.
 */
const isReadingElsewhere = (state: State): boolean =>
  promptOf(state) !== undefined || state.log?.overlay !== undefined || state.log?.viewport.kind === 'paused';

/** Responds to a key that changed nothing: reads the current item. */
const readHere = (state: State, happening: Event): readonly string[] => {
  switch (happening.kind === 'commandGiven' ? happening.command : undefined) {
    case 'repaint':
    case 'suspend':
    case 'quit':
      return [];
    case 'tryNow':
      return state.screen === 'sites' ? [] : ['Asking now.'];
    default:
      break;
  }
  if (state.notice !== undefined) {
    return [sanitiseWord(state.notice, 500)];
  }
  const focus = focusOf(state);
  switch (focus.kind) {
    case 'prompt':
      return [readPrompt(state, focus.prompt)];
    case 'filter':
      return ['The filter is empty.'];
    case 'overlay':
      return [readOverlay(state, focus.log, focus.overlay)];
    case 'help':
    case 'pane':
      return readPane(state);
    default:
      return focus satisfies never;
  }
};

const readPane = (state: State): readonly string[] => {
  if (state.screen === 'log' && state.log) {
    return [readCurrentEntry(state, state.log) ?? 'The log has no lines.'];
  }
  const selected =
    state.screen === 'branches' && state.branches ? readSelectedBranch(state, state.branches) : readSelectedSite(state);
  return [selected ?? 'The list is empty.'];
};

const sentenceCharsMax = 500;

/**
 * Returns what a state change means for somebody who cannot see the screen: sentences to read now, and log entries to
 * read in turns. Returns nothing if nothing relevant changed. After the user's own keys, the place they lead to is
 * read.
 */
const announceChange = (before: State, now: State, cause: 'key' | 'event'): LogChange => {
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
const readPlace = (state: State): readonly string[] => {
  if (state.screen === 'log' && state.log) {
    return readLogPlace(state, state.log);
  }
  const token = readRow(selectTokenPart(state).row);
  const place =
    state.screen === 'branches' && state.branches ? readBranchesPlace(state, state.branches) : readSitesPlace(state);
  return token === '' ? place : [...place, `${token}.`];
};
