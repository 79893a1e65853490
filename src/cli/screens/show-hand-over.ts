import type {OpenedHandOver} from '#api/recording/hand-over-client.ts';
import {nameCharsMax} from '#app/rows/fit-row.ts';
import {decodeBranchState} from '#config/memory/branch-state.ts';
import type {LogSettings} from '#config/settings/settings.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import type {ShownPlace} from './start/prepare-screens.ts';

/** Returns how the screens show a hand-over: as its maker saw it, and nothing that is changed in it is kept. */
export const showHandOver = ({head, place, memory, branches, client}: OpenedHandOver, log: LogSettings): ShownPlace => {
  const {name, host, parts} = head.context;
  const at = new Date(head.savedAtMs).toISOString().slice(0, 16).replace('T', ' ');
  const state = decodeBranchState(memory);
  return {
    context: {
      name,
      host,
      ...((parts === 'containers' || parts === 'none') && {parts}),
      saved: {atMs: head.savedAtMs, place},
      remarks: [{words: `by ${sanitiseWord(head.savedBy, nameCharsMax)}, ${at}Z`, isWarning: false}],
    },
    siteIds: [head.site.id],
    sites: [{...head.site, openedAtMs: undefined}],
    branch: branches[0]?._id,
    log: {...log, bufferMb: head.bufferMb, pulseMs: undefined},
    isAtHand: true,
    isReplay: true,
    branchMemory: {recall: async () => ({state, notice: undefined}), remember: async () => undefined},
    client,
    stop: async () => client.close(),
  };
};
