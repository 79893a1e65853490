import {findPattern, searchedId} from '#app/search/patterns.ts';
import type {Effect} from '#app/state/effect.ts';
import type {LogState, State} from '#app/state/state.ts';
import type {Step} from '#app/state/step.ts';
import {isUnread} from '#app/tail/has-unread.ts';
import type {ScanProgress} from '#log/line/unread.ts';

/**
 * Searches on in what was not read, for the search's pattern; undefined if there is nothing in this direction.
 * `orElse`: in the other one, if there is nothing.
 */
export const scanOn = (log: LogState, direction: 'next' | 'previous', orElse = false): LogState | undefined => {
  const [{tail}] = log.sources;
  const wanted = direction === 'next' ? 'later' : 'earlier';
  const patternId = searchedId(log.use);
  const towards = isUnread(tail, wanted) ? wanted : orElse && isUnread(tail, 'earlier') ? 'earlier' : undefined;
  if (patternId === undefined || towards === undefined) {
    return undefined;
  }
  const isSame = log.scan?.patternId === patternId && log.scan.direction === towards;
  return isSame ? log : {...log, scan: {patternId, direction: towards}};
};

/** Runs after every update: has the search begun or ended that the state says. */
export const orderScan = (before: State, {state, effects}: Step): Step => {
  const [was, now] = [before.log?.scan, state.log?.scan];
  const pattern = findPattern(state.log?.use ?? noUse, now?.patternId)?.pattern;
  const isSame =
    (was === undefined && now === undefined) ||
    (now?.patternId === was?.patternId && now?.direction === was?.direction && before.generation === state.generation);
  if (isSame) {
    return {state, effects};
  }
  const order: Effect =
    state.log && now && pattern
      ? {
          kind: 'scanUnread',
          branchId: state.log.sources[0].branch._id,
          pattern,
          direction: now.direction,
          generation: state.generation,
        }
      : {kind: 'cancelScan'};
  return {state, effects: [...effects, order]};
};

const noUse = {patterns: []};

/** Takes how far the search has come. */
export const takeProgress = (state: State, progress: ScanProgress): State =>
  state.log?.scan ? {...state, log: {...state.log, scan: {...state.log.scan, progress}}} : state;
