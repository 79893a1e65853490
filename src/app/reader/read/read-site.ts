import {selectedIndex} from '#app/choices/picker.ts';
import {listSites, type SiteChoice} from '#app/choices/site-choices.ts';
import {nameCharsMax} from '#app/rows/word-limits.ts';
import type {State} from '#app/state/state.ts';
import {formatAgo, serviceNowMs} from '#app/words/format-time.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {joinWords, listItems, placeInList} from './list-items.ts';

const choicesOf = ({sites, sitePicker}: State): readonly SiteChoice[] => listSites(sites, sitePicker.filter);

/** `shop, id 5f3c0a12, opened 2 h ago` */
const readSite = (state: State, {id, name, openedAtMs, isTyped}: SiteChoice): string => {
  const safeId = sanitiseWord(id, nameCharsMax);
  if (isTyped) {
    return `Open ${safeId}, taken as the id of a site`;
  }
  const ago = openedAtMs === undefined ? '' : formatAgo(new Date(openedAtMs).toISOString(), serviceNowMs(state));
  return joinWords([
    name === undefined ? safeId : sanitiseWord(name, nameCharsMax),
    name === undefined ? '' : `id ${safeId}`,
    ago === '' ? '' : `opened ${ago}`,
  ]);
};

/** Describes the selected site: `shop, id 5f3c0a12; item 1 of 3, selected`. Returns undefined if the list is empty. */
export const readSelectedSite = (state: State): string | undefined => {
  const choices = choicesOf(state);
  const index = selectedIndex(
    choices.map(({key}) => key),
    state.sitePicker,
  );
  const choice = choices[index];
  return choice && `${readSite(state, choice)}; ${placeInList(index, choices.length)}`;
};

/** Returns the sites as numbered items. */
export const readSiteList = (state: State): readonly string[] =>
  listItems(choicesOf(state).map(choice => readSite(state, choice)));
