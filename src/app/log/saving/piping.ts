import {askFor} from '#app/state/ask-for.ts';
import type {LogHandler} from '#app/state/handler.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type Step, stay} from '#app/state/step.ts';
import {exportScope} from '../export-scope.ts';

/** Pipes the lines in view to another program: the pager, or a command. */
export const pipeKeys: LogHandler = (state, log, command) => {
  if (command !== 'pipeToPager' && command !== 'pipeToCommand') {
    return undefined;
  }
  if (viewAll(log).entryCount === 0) {
    return stay({...state, notice: 'there are no lines to pipe yet'});
  }
  return command === 'pipeToPager'
    ? stay(state, {kind: 'pipe', request: {to: {kind: 'pager'}, scope: exportScope(state, log)}})
    : askFor(state, 'pipe');
};

/** Takes a typed command. */
export const takePipe = (state: State, log: LogState, text: string): Step => {
  const command = text.trim();
  return command === ''
    ? stay({...state, notice: 'nothing was run: no command was given'})
    : stay(state, {kind: 'pipe', request: {to: {kind: 'command', command}, scope: exportScope(state, log)}});
};
