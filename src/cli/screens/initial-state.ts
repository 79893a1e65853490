import {newBranches} from '../../app/sites/new-branches.ts';
import {noFront} from '../../app/state/front.ts';
import type {State} from '../../app/state/state.ts';
import {instantToMs} from '../../log/line/instant.ts';
import {bytesPerMb} from '../io/bytes-per-mb.ts';
import type {ScreensOptions} from './screens-options.ts';

/** Returns the initial state of the screens, before the first event. */
export const initialState = (options: ScreensOptions, size: {columns: number; rows: number}): State => ({
  screen: 'sites',
  ...size,
  context: options.context,
  contexts: options.contexts,
  sites: options.sites,
  sitePicker: {selectedId: options.siteId, filter: ''},
  branches: options.siteId === undefined ? undefined : newBranches(options.siteId, options.branch, options.at),
  log: undefined,
  held: [],
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
    rows: options.log.rows,
  },
});
