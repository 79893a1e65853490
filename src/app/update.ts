import type {Answer} from '../api/answer.ts';
import type {Event} from './event.ts';
import type {Command} from './keymap.ts';
import type {State} from './state.ts';
import {type Step, stay} from './step.ts';
import {branchesArrived, branchesFailed, refreshBranches, updateBranches} from './update-branches.ts';
import {logWindowArrived, logWindowFailed, pollDue, refreshLog, updateLog} from './update-log.ts';
import {openSite, updateSites} from './update-sites.ts';
import {askForBranches, branchesCameBeside, branchesFailedBeside} from './update-watch.ts';

/**
 * The one place where state changes. Pure: an event in, the next state and orders to the outside out.
 */
export const update = (before: State, event: Event): Step => {
  const {moment} = event;
  const state: State = {...before, nowMs: moment.nowMs, tokenExpiresAtMs: moment.tokenExpiresAtMs};
  switch (event.kind) {
    case 'started':
      return state.branches === undefined
        ? stay(state)
        : openSite(state, state.branches.siteId, state.branches.openWhenKnown);
    case 'resized':
      return stay({...state, columns: event.columns, rows: event.rows});
    case 'commandGiven':
      return give({...state, notice: undefined}, event.command);
    case 'textTyped':
      return stay(withFilter(state, `${filterOf(state)}${event.text}`.slice(0, filterCharsMax)));
    case 'inputKey':
      return pressInInput(state, event.key);
    case 'noticed':
      return stay({...state, notice: event.notice});
    case 'resumed':
      return refreshNow(state);
    default:
      // An answer, or a timer, of a place that was left.
      return event.generation === state.generation ? take(state, event) : stay(before);
  }
};

/** More than any name or id; keeps a pasted file from becoming a filter. */
const filterCharsMax = 200;

type Answered = Extract<Event, {readonly generation: number}>;

const take = (state: State, event: Answered): Step => {
  switch (event.kind) {
    case 'refreshDue':
      return state.screen === 'log' ? askForBranches(state) : refreshNow(state);
    case 'pollDue':
      return pollDue(state, event.branchId);
    case 'branchesArrived':
      return state.screen === 'log'
        ? branchesCameBeside(branchesArrived(withAnswer(state, event.answer, event), event.answer), event.answer.value)
        : branchesArrived(withAnswer(state, event.answer, event), event.answer);
    case 'branchesFailed':
      return state.screen === 'log'
        ? branchesFailedBeside(branchesFailed(state, event.error, event.moment))
        : branchesFailed(state, event.error, event.moment);
    case 'windowArrived':
      return logWindowArrived(withAnswer(state, event.answer, event), event.branchId, event.answer, event.moment);
    case 'windowFailed':
      return logWindowFailed(state, event.branchId, event.error, event.moment);
    default:
      return event satisfies never;
  }
};

/** The service's clock is told in whole seconds, so a difference within them is none. */
const clockToleranceMs = 2000;

/** What every answer tells beside its value: the service's clock, and a word about the token. */
const withAnswer = (state: State, {serviceTimeMs, notice}: Answer<unknown>, {moment}: Event): State => {
  const offset = (serviceTimeMs ?? moment.wallMs) - moment.nowMs;
  const clockOffsetMs = Math.abs(offset - state.clockOffsetMs) > clockToleranceMs ? offset : state.clockOffsetMs;
  return {...state, clockOffsetMs, tokenNotice: notice};
};

const refreshNow = (state: State): Step => {
  switch (state.screen) {
    case 'sites':
      return stay(state);
    case 'branches':
      return refreshBranches(state);
    case 'log':
      return refreshLog(state);
    default:
      return state.screen satisfies never;
  }
};

const give = (state: State, command: Command): Step => {
  switch (command) {
    case 'quit':
      return stay(state, {kind: 'cancel'}, {kind: 'exit'});
    case 'suspend':
      return stay(state, {kind: 'suspend'});
    case 'repaint':
      return stay(state, {kind: 'repaint'});
    case 'toggleHelp':
      return stay({...state, isHelpOpen: !state.isHelpOpen});
    case 'openFilter':
      return stay(state.screen === 'log' ? state : {...state, isHelpOpen: false, isFilterOpen: true});
    case 'tryNow':
      return refreshNow(state);
    default:
      if (state.isHelpOpen) {
        return stay({...state, isHelpOpen: false});
      }
      return giveToScreen(state, command);
  }
};

const giveToScreen = (state: State, command: Command): Step => {
  switch (state.screen) {
    case 'sites':
      return updateSites(state, command);
    case 'branches':
      return updateBranches(state, command);
    case 'log':
      return updateLog(state, command);
    default:
      return state.screen satisfies never;
  }
};

const filterOf = (state: State): string =>
  (state.screen === 'branches' ? state.branches?.picker.filter : state.sitePicker.filter) ?? '';

const withFilter = (state: State, filter: string): State => {
  if (state.screen === 'branches' && state.branches) {
    return {...state, branches: {...state.branches, picker: {...state.branches.picker, filter}}};
  }
  return {...state, sitePicker: {...state.sitePicker, filter}};
};

const pressInInput = (state: State, key: Extract<Event, {kind: 'inputKey'}>['key']): Step => {
  switch (key) {
    case 'Backspace':
      return stay(withFilter(state, [...filterOf(state)].slice(0, -1).join('')));
    case 'ClearLine':
      return stay(withFilter(state, ''));
    case 'Esc':
      return stay({...withFilter(state, ''), isFilterOpen: false});
    case 'Enter':
      // A filter is typed to get somewhere: Enter takes what it found.
      return giveToScreen({...state, isFilterOpen: false}, 'open');
    default:
      return key satisfies never;
  }
};
