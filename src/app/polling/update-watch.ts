import type {Branch} from '../../api/decode/branch.ts';
import type {Entry} from '../../log/line/entry.ts';
import type {Effect} from '../state/effect.ts';
import type {LogState, State} from '../state/state.ts';
import {type Step, stay} from '../state/step.ts';
import {serviceNowMs} from '../words/format-time.ts';
import {withChanges} from './branch-watch.ts';

/** Asks for the branches beside the log; where they are being asked for already, once more after that. */
export const askForBranches = (state: State): Step => {
  const {log} = state;
  if (log === undefined) {
    return stay(state);
  }
  return log.watch.isAsking
    ? stay(withWatch(state, log, {asksAgain: true}))
    : stay(withWatch(state, log, {isAsking: true, asksAgain: false}), fetchOf(state, log));
};

/** After a poll: a pod that came or went is mostly the work of a deployment, so the branches are asked for at once. */
export const afterPods = (step: Step, added: readonly Entry[]): Step => {
  const {listing} = step.state.branches ?? {};
  // A service that fails is left alone until the next try, which is arranged already.
  if (listing?.kind === 'failed' || !added.some(({kind}) => kind === 'pod')) {
    return step;
  }
  const asked = askForBranches(step.state);
  return {state: asked.state, effects: [...step.effects, ...asked.effects]};
};

/** The branches came while a log is on the screen: what changed goes into it. */
export const branchesCameBeside = (step: Step, branches: readonly Branch[]): Step => {
  const {log} = step.state;
  if (log === undefined) {
    return step;
  }
  const {asksAgain} = log.watch;
  const changed = withChanges(log, branches, serviceNowMs(step.state));
  return {
    state: withWatch(step.state, changed, {isAsking: asksAgain, asksAgain: false}),
    effects: asksAgain ? [fetchOf(step.state, log)] : step.effects,
  };
};

/** They did not come; the next try is arranged. */
export const branchesFailedBeside = (step: Step): Step =>
  step.state.log === undefined
    ? step
    : {...step, state: withWatch(step.state, step.state.log, {isAsking: false, asksAgain: false})};

const fetchOf = ({generation}: State, {siteId}: LogState): Effect => ({kind: 'fetchBranches', siteId, generation});

const withWatch = (state: State, log: LogState, change: Partial<LogState['watch']>): State => ({
  ...state,
  log: {...log, watch: {...log.watch, ...change}},
});
