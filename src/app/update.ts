import type {Answer} from '#api/client/answer.ts';
import {filterPicker} from '#app/choices/palette.ts';
import {type HelpFocus, updateHelp} from '#app/help/key-help.ts';
import {
  promptOf,
  screenFocus,
  toggleHelp,
  withFilterOpen,
  withoutFilterOpen,
  withPrompt,
} from '#app/keys/input-focus.ts';
import {type Command, keyFor} from '#app/keys/keymap.ts';
import {editText, typeText} from '#app/keys/prompt.ts';
import {
  branchesArrived,
  branchesFailed,
  guardRead,
  orderNow,
  refreshBranches,
  settleList,
  updateBranches,
} from '#app/lists/update-branches.ts';
import {beginProbes, countHeldPulses, probeArrived, probeDue, probeFailed} from '#app/lists/update-probes.ts';
import {openSite, takeSites, updateSites} from '#app/lists/update-sites.ts';
import {atKey} from '#app/log/away.ts';
import {followLog, type LogEvent, settleLog, takeLogEvent} from '#app/log/take-log-event.ts';
import {renewIncident} from '#app/log/update-incident.ts';
import {updateLog} from '#app/log/update-log.ts';
import {refreshLog, takeHeldWindow, takeListing} from '#app/log/update-polls.ts';
import {listingFailedOnLog} from '#app/log/update-watch.ts';
import {settleDetails, withoutRevealed} from '#app/record/details.ts';
import type {StampedEvent} from '#app/state/event.ts';
import type {State} from '#app/state/state.ts';
import {askFor, focusOf, next, type Step} from '#app/state/step.ts';
import {toggleMouse, updateMouse} from './pointer.ts';
import {readsAlike} from './select-view.ts';
import {pressInPrompt} from './update-prompt.ts';

/**
 * The one place where state changes. Pure: an event in, the next state and orders to the outside out.
 */
export const update = (before: State, event: StampedEvent): Step =>
  followLog(before, settled(before, step(before, event)));

const settled = (before: State, step: Step): Step => {
  const state = countHeldPulses(before, settleLog(settleDetails(settleList(before, step.state))));
  return state === step.state ? step : {...step, state};
};

const step = (before: State, event: StampedEvent): Step => {
  const {moment} = event;
  const state: State = {...before, nowMs: moment.nowMs, tokenExpiresAtMs: moment.tokenExpiresAtMs};
  switch (event.kind) {
    case 'started':
      return start(state);
    case 'resized':
      return next({...state, columns: event.columns, rows: event.rows});
    case 'commandGiven':
      return atKey({...state, notice: undefined}, now => give(now, event.command));
    case 'keyUnused':
      return atKey(state, now => next(tellUnused(now, event.key)));
    case 'mouseUsed':
      // A mouse report may have been on its way when the mouse was switched off.
      return state.isMouseOn === true
        ? atKey({...state, notice: undefined}, now => updateMouse(now, event.action, give))
        : next(before);
    case 'textTyped':
      return atKey(state, now => typeIn(now, event.text));
    case 'inputKey':
      return atKey(state, now => pressIn(now, event.key));
    case 'patternMatched':
    case 'spansFound':
    case 'patternSlow':
    case 'patternFailed':
    case 'incidentFound':
    case 'summaryCounted':
    case 'saveProgressed':
    case 'saveEnded':
      return takeOnLog(state, event, before);
    case 'sitesChanged':
      return next(takeSites(state, event.ids) ?? before);
    case 'noticed':
      return next({...state, notice: event.notice});
    case 'linePaced':
      return next({...state, isLineSlow: event.isSlow});
    case 'secretDue':
      return next(withoutRevealed(state));
    case 'ticked':
      return tick(before, state);
    case 'resumed':
    case 'tokenChanged':
      return refreshNow(state);
    default:
      return event.generation === state.generation
        ? take(state, event, before)
        : (takeLeft(state, event) ?? next(before));
  }
};

const takeOnLog = (state: State, event: LogEvent, otherwise: State): Step =>
  (state.log && takeLogEvent(state, state.log, event)) ?? next(otherwise);

const tick = (before: State, state: State): Step => {
  const renewed = renewIncident(next(state));
  return renewed.effects.length > 0 ? renewed : next(readsAlike(before, state) ? before : state);
};

/** More keys than a keyboard has that do nothing; of those before, the notice may come again. */
const unusedKeysMax = 100;

/** Says once of a key that it does nothing on this screen. */
const tellUnused = (state: State, key: string): State => {
  const {unusedKeys = []} = state;
  const place = `${state.screen} ${key}`;
  return unusedKeys.includes(place)
    ? state
    : {
        ...state,
        notice: `${key} does nothing here · ${keyFor('toggleHelp', state.screen)} help`,
        unusedKeys: [...unusedKeys, place].slice(-unusedKeysMax),
      };
};

/** Takes an answer or timer of a place the user has left: only the logs held from there still want any. */
const takeLeft = (state: State, event: Answered): Step | undefined =>
  event.kind === 'windowArrived' || event.kind === 'windowFailed' ? takeHeldWindow(state, event) : undefined;

const start = (state: State): Step => {
  const {branches, isMouseOn} = state;
  const {state: nextState, effects} =
    branches === undefined ? next(state) : openSite(state, branches.siteId, branches.openWhenKnown, branches.openAt);
  return next(nextState, ...effects, ...(isMouseOn === true ? [{kind: 'setMouse', isOn: true} as const] : []));
};

const typeIn = (state: State, text: string): Step => {
  const prompt = promptOf(state);
  const {focus} = state;
  if (focus.kind === 'help') {
    return next({
      ...state,
      focus: withHelpSearch(focus, `${focus.search?.text ?? ''}${text}`.slice(0, filterCharsMax)),
    });
  }
  return prompt === undefined
    ? next(withFilter(state, `${filterOf(state)}${text}`.slice(0, filterCharsMax)))
    : next({...state, notice: undefined, focus: withPrompt(state.focus, typeText(prompt, text))});
};

const pressIn = (state: State, key: InputKey): Step => {
  const prompt = promptOf(state);
  if (state.focus.kind === 'help') {
    return next({...state, focus: pressInHelp(state, state.focus, key)});
  }
  return prompt === undefined
    ? pressInInput(state, key)
    : pressInPrompt({...state, notice: undefined}, prompt, key, give);
};

const withHelpSearch = (help: HelpFocus, text: string, isOpen = true): HelpFocus => ({
  ...help,
  top: 0,
  search: {text, isOpen},
});

const pressInHelp = (state: State, help: HelpFocus, key: InputKey): HelpFocus => {
  const text = help.search?.text ?? '';
  switch (key) {
    case 'Up':
    case 'Down':
      return updateHelp(state, help, key === 'Up' ? 'moveUp' : 'moveDown') ?? help;
    case 'Enter':
      return withHelpSearch(help, text, false);
    case 'Esc':
      return {kind: 'help', top: 0};
    default:
      return withHelpSearch(help, editText(text, key));
  }
};

/** Longer than any name or id; keeps a pasted file from becoming a filter. */
const filterCharsMax = 200;

type InputKey = Extract<StampedEvent, {kind: 'inputKey'}>['key'];
type Answered = Extract<StampedEvent, {readonly generation: number}>;

const take = (state: State, event: Answered, before: State): Step => {
  switch (event.kind) {
    case 'refreshDue':
      return state.screen === 'log' ? takeOnLog(state, event, state) : refreshNow(state);
    case 'branchesArrived': {
      const {answer} = event;
      return beginProbes(takeListing(branchesArrived(withAnswer(state, answer, event), answer), answer.value));
    }
    case 'guardRead':
      return next(guardRead(state, event.told));
    case 'branchesFailed':
      return state.screen === 'log'
        ? listingFailedOnLog(branchesFailed(state, event.error, event.moment))
        : branchesFailed(state, event.error, event.moment);
    case 'probeDue':
      return probeDue(before, state);
    case 'probeArrived':
      return probeArrived(withAnswer(state, event.answer, event), event.answer);
    case 'probeFailed':
      return probeFailed(state, event.branchId, event.error, event.moment);
    case 'filterDue':
    case 'logRecalled':
    case 'unreadFound':
    case 'scanProgressed':
      return takeOnLog(state, event, before);
    case 'pollDue':
    case 'windowFailed':
      return takeOnLog(state, event, state);
    case 'windowArrived': {
      const answered = withAnswer(state, event.answer, event);
      return takeOnLog(answered, event, answered);
    }
    default:
      return event satisfies never;
  }
};

/** The service sends its clock in whole seconds, so a smaller difference means nothing. */
const clockToleranceMs = 2000;

/** Applies what every answer carries besides its value: the service's clock and a notice about the token. */
const withAnswer = (state: State, {serviceTimeMs, notice}: Answer<unknown>, {moment}: StampedEvent): State => {
  const offset = (serviceTimeMs ?? moment.wallMs) - moment.nowMs;
  const clockOffsetMs = Math.abs(offset - state.clockOffsetMs) > clockToleranceMs ? offset : state.clockOffsetMs;
  return {...state, clockOffsetMs, tokenNotice: notice};
};

const refreshNow = (state: State): Step => {
  switch (state.screen) {
    case 'sites':
      return next(state);
    case 'branches':
      return refreshBranches(state);
    case 'log':
      return refreshLog(state);
    default:
      return state.screen satisfies never;
  }
};

/** Marks the requests of a step as asked for with a key. */
const pressed = ({state, effects}: Step): Step => ({
  state,
  effects: effects.map(effect =>
    effect.kind === 'fetchWindow' || effect.kind === 'fetchBranches' ? {...effect, isPressed: true} : effect,
  ),
});

const give = (state: State, command: Command): Step => {
  switch (command) {
    case 'quit':
      return next(state, {kind: 'cancel'}, {kind: 'exit'});
    case 'suspend':
      return next(withoutRevealed(state), {kind: 'suspend'});
    case 'nextTheme':
    case 'repaint':
      return next(state, {kind: command});
    case 'toggleHelp':
      return next({...state, focus: toggleHelp(state.focus)});
    case 'openFilter':
      if (state.focus.kind === 'help') {
        return dispatchToFocus(state, command);
      }
      // As in less, a new text begins empty: added to the last one it would find nothing.
      return next(state.screen === 'log' ? state : withFilter({...state, focus: withFilterOpen(state.focus)}, ''));
    case 'toggleMouse':
      return toggleMouse(state);
    case 'openPalette':
      return askFor(state, 'palette');
    case 'tryNow':
      return pressed(refreshNow(state.screen === 'branches' ? orderNow(state) : state));
    default:
      return dispatchToFocus(state, command);
  }
};

const dispatchToFocus = (state: State, command: Command): Step => {
  const focus = focusOf(state);
  switch (focus.kind) {
    case 'help':
      return next({...state, focus: updateHelp(state, focus, command) ?? screenFocus});
    // With an input line open only non-text keys are commands, and they apply to what is behind it.
    case 'prompt':
    case 'filter':
    case 'overlay':
    case 'pane':
      return giveToScreen(state, command);
    default:
      return focus satisfies never;
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
    return {...state, branches: {...state.branches, picker: filterPicker(state.branches.picker, filter)}};
  }
  return {...state, sitePicker: filterPicker(state.sitePicker, filter)};
};

const pressInInput = (state: State, key: InputKey): Step => {
  switch (key) {
    case 'Backspace':
    case 'ClearLine':
    case 'DeleteWord':
      return next(withFilter(state, editText(filterOf(state), key)));
    case 'Up':
    case 'Down':
      return giveToScreen(state, key === 'Up' ? 'moveUp' : 'moveDown');
    case 'Esc':
      return next({...withFilter(state, ''), focus: withoutFilterOpen(state.focus)});
    case 'Enter':
      // Users type a filter to get somewhere: Enter opens what it found.
      return state.screen === 'sites'
        ? giveToScreen(state, 'open')
        : giveToScreen({...state, focus: withoutFilterOpen(state.focus)}, 'open');
    default:
      return key satisfies never;
  }
};
