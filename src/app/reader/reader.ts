import {commandChoices} from '#app/choices/palette.ts';
import {keyWord, keyWordFirst, readHelp} from '#app/help/read-help.ts';
import {promptOf} from '#app/keys/input-focus.ts';
import {keyFor, type ScreenName} from '#app/keys/keymap.ts';
import type {Prompt, PromptKind} from '#app/keys/prompt.ts';
import {comparedChoices} from '#app/log/compare-incident.ts';
import {readCurrentEntry, readLogPlace, readOverlay} from '#app/log/read-log.ts';
import {placeInList, readRow} from '#app/rows/read-entry.ts';
import type {Event} from '#app/state/event.ts';
import type {State} from '#app/state/state.ts';
import {focusOf} from '#app/state/step.ts';
import type {Store} from '#app/store.ts';
import {selectTokenPart} from '#app/words/connection-words.ts';
import {promptCharsMax} from '#base/bounds.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {announceBranches, announceSites, readBranchesPlace, readSitesPlace} from './announce/announce-lists.ts';
import {announceLog, type LogChange} from './announce/announce-log.ts';
import type {Announcer} from './announcer.ts';
import {readSelectedBranch, readSelectedSite} from './read/read-branch.ts';

/** Prompts announced when an input line opens. */
const promptWords: Readonly<Record<PromptKind, string>> = {
  palette: 'Command: type a part of its name. Up and Down choose, Enter runs it, Escape closes.',
  search: 'Search for: text, or a regular expression after re colon. Enter searches, Escape leaves.',
  include: 'Show only lines with: Enter takes it, Escape leaves.',
  exclude: 'Hide lines with: Enter takes it, Escape leaves.',
  unfilter: 'Take a filter away, by its number; Enter alone takes the last, Escape leaves.',
  highlight: 'Highlight: Enter takes it, Escape leaves.',
  time: 'Go to the time: such as 14:02, minus 15m or a date. Enter goes there, Escape leaves.',
  range: 'Show only what is between two times: such as 14:02 to 14:05. Enter takes it, Escape leaves.',
  filterName: 'Keep the filters by a name: Enter keeps them, Escape leaves.',
  note: 'Note for a mark here, may be empty: Enter sets the mark, Escape sets none.',
  markedNote: 'Note of the mark here: Enter takes it, an empty note removes the mark, Escape leaves it.',
  saveLines: 'Save the lines to a file: the path can be changed. Enter saves, Escape leaves.',
  saveIncident: 'Save a note about what happened to a file: the path can be changed. Enter saves, Escape leaves.',
  saveTimeline: 'Save a timeline to a file: the path can be changed. Enter saves, Escape leaves.',
  compared: 'Compare with a branch: type a part of its name. Up and Down choose, Enter compares, Escape leaves.',
  replaceFile: 'That file is there already. Enter replaces it, another path leaves it alone, Escape saves nothing.',
  pipe: 'Hand the lines to a command: Enter runs it, Escape leaves.',
};

/** Announces changes of the input line: opened, typed text, selected choice. */
export const announcePrompt = (before: State, now: State): readonly string[] => {
  const prompt = promptOf(now);
  const was = promptOf(before);
  if (prompt === undefined || prompt === was) {
    return [];
  }
  if (was?.kind !== prompt.kind) {
    return [promptWords[prompt.kind]];
  }
  return prompt.text === was.text && prompt.choice === was.choice ? [] : [readPrompt(now, prompt)];
};

/** `gap: next gap, to the next gap; item 1 of 3, selected` */
export const readPrompt = (state: State, {kind, text, choice}: Prompt): string => {
  const typed = text === '' ? '' : `${sanitiseWord(text, promptCharsMax)}: `;
  if (kind === 'compared' && state.log) {
    const choices = comparedChoices(state, state.log, text).map(({name, what}) => `${name}, ${what}`);
    return readChoice(typed, choices, choice);
  }
  if (kind !== 'palette') {
    return text === '' ? 'Nothing is typed.' : typed.slice(0, -2);
  }
  const choices = commandChoices(state, text).map(({name, binding}) => `${name}, ${binding.help}`);
  return readChoice(typed, choices, choice);
};

const readChoice = (typed: string, choices: readonly string[], choice: number): string => {
  const chosen = choices[choice];
  return chosen === undefined ? `${typed}nothing fits.` : `${typed}${chosen}; ${placeInList(choice, choices.length)}`;
};

/** `Question mark reads the keys` */
const helpReadsKeys = (screen: ScreenName): string => `${keyWordFirst(keyFor('toggleHelp', screen))} reads the keys`;

/** Entries that Page Up and Page Down move by: as many as one skips when looking for something. */
const pageEntries = 10;

/** Announces what happens on the screens in sentences, and handles keys. */
export type Reader = {
  /** Announces the place when the program starts. */
  begin(): void;
  /** Handles a key that is bound. */
  act(event: Event): void;
  /** Announces the current place. */
  tellPlace(): void;
  /** Announces that a key, by its name in the key table, is not bound here. */
  refuse(key: string): void;
};

type ReaderOptions = {readonly store: Store; readonly announcer: Announcer};

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

  const dispatch = (event: Event, times: number): void => {
    isActing = true;
    try {
      for (let count = 0; count < times; count++) {
        store.dispatch(event);
      }
      const asksForHelp = store.state().focus.kind === 'help';
      if (asksForHelp) {
        // The help is read once, and does not have to be closed.
        store.dispatch({kind: 'commandGiven', command: 'toggleHelp'});
        announcer.say(readHelp(store.state().screen));
      }
      if (!tell('key') && !asksForHelp) {
        announcer.say(readHere(store.state(), event));
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
    act(event) {
      switch (event.kind === 'commandGiven' ? event.command : undefined) {
        case 'pageUp':
          return dispatch({kind: 'commandGiven', command: 'moveUp'}, pageEntries);
        case 'toggleMouse':
          return announcer.say(['There is no mouse in screen-reader mode.']);
        case 'pageDown':
          return dispatch({kind: 'commandGiven', command: 'moveDown'}, pageEntries);
        default:
          return dispatch(event, 1);
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
const readHere = (state: State, event: Event): readonly string[] => {
  switch (event.kind === 'commandGiven' ? event.command : undefined) {
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
