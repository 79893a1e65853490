import {siteLabel} from '#app/choices/site-choices.ts';
import type {LogHandler} from '#app/state/handler.ts';
import {stay} from '#app/state/step.ts';
import {formatDeepLink} from '#log/words/deep-link.ts';
import {paneOf} from '../log-pane.ts';
import {readerIndex} from '../pane/cursor.ts';

/** Copies the link to the reader's place, which `branchlog LINK` opens. */
export const copyLink: LogHandler = (state, log, command) => {
  if (command !== 'copyLink') {
    return undefined;
  }
  const pane = paneOf(state, log);
  const index = Math.min(readerIndex(log, pane), pane.view.entryCount - 1);
  const [entry] = index < 0 ? [] : pane.view.slice(index, 1);
  const branch = log.sources[entry?.source ?? 0]?.branch ?? log.sources[0].branch;
  const text = formatDeepLink({site: siteLabel(state.sites, log.siteId), branch: branch.name, at: entry?.entry.at});
  return stay(state, {kind: 'copy', text, what: text});
};
