import type {Branch} from '#api/client/answer.ts';
import type {Effect} from '#app/state/effect.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type Step, stay} from '#app/state/step.ts';
import {serviceNowMs} from '#app/words/format-time.ts';
import {type Added, markersIn} from '#log/ingest/added.ts';
import {withChanges} from '../polling/branch-watch.ts';

/** Requests the branches while a log is open; if a request is running, repeats it once afterwards. */
export const askForBranches = (state: State): Step => {
  const {log} = state;
  if (log === undefined) {
    return stay(state);
  }
  return log.watch.isAsking
    ? stay(withWatch(state, log, {asksAgain: true}))
    : stay(withWatch(state, log, {isAsking: true, asksAgain: false}), fetchOf(state, log));
};

/** Runs after a poll: pods mostly come and go because of a deployment, so the branches are requested at once. */
export const afterPods = (step: Step, added: Added): Step => {
  const {listing} = step.state.branches ?? {};
  // Leave a failing service alone: the next try is already scheduled.
  if (listing?.kind === 'failed' || !markersIn(added).some(({kind}) => kind === 'pod')) {
    return step;
  }
  const asked = askForBranches(step.state);
  return {state: asked.state, effects: [...step.effects, ...asked.effects]};
};

/** Takes the branches that came while a log is open: their changes go into the log. */
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

/** Handles a failed request for the branches; the next try is already scheduled. */
export const branchesFailedBeside = (step: Step): Step =>
  step.state.log === undefined
    ? step
    : {...step, state: withWatch(step.state, step.state.log, {isAsking: false, asksAgain: false})};

const fetchOf = ({generation}: State, {siteId}: LogState): Effect => ({kind: 'fetchBranches', siteId, generation});

const withWatch = (state: State, log: LogState, change: Partial<LogState['watch']>): State => ({
  ...state,
  log: {...log, watch: {...log.watch, ...change}},
});
