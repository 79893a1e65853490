import {noFront} from '../app/front.ts';
import {newBranches} from '../app/new-branches.ts';
import type {State} from '../app/state.ts';
import {instantToMs} from '../log/instant.ts';
import {bytesPerMb} from './bytes-per-mb.ts';
import type {ScreensOptions} from './screens-options.ts';

/** The state that the screens begin with, before the first event. */
export const initialState = (options: ScreensOptions, size: {columns: number; rows: number}): State => ({
  screen: 'sites',
  ...size,
  context: options.context,
  contexts: options.contexts,
  sites: options.sites,
  sitePicker: {selectedId: options.siteId, filter: ''},
  branches: options.siteId === undefined ? undefined : newBranches(options.siteId, options.branch, options.at),
  log: undefined,
  front: noFront,
  promptHistory: {},
  showsDetails: undefined,
  generation: 0,
  clockOffsetMs: Date.now() - performance.now(),
  callWishes: options.callWishes,
  isMouseOn: options.ui.mouse,
  remembersLogs: options.branchMemory !== undefined,
  offsetMinutesAt: at => -new Date(instantToMs(at)).getTimezoneOffset(),
  nowMs: performance.now(),
  tokenExpiresAtMs: undefined,
  tokenNotice: undefined,
  notice: options.notice,
  logSettings: {
    intervalMs: options.log.intervalMs,
    bufferBytesMax: options.log.bufferMb * bytesPerMb,
    keepsColour: options.log.keepsColour,
  },
});
