import type {Branch} from '#api/client/answer.ts';
import type {Effect} from '#app/state/effect.ts';
import type {BranchWatch, LogState, State} from '#app/state/state.ts';
import {next, type Step} from '#app/state/step.ts';
import {compareSnapshot, snapshotOf, withImage} from '#app/tail/branch-changes.ts';
import type {Tail} from '#app/tail/tail.ts';
import {imageOf} from '#app/words/branch-labels.ts';
import {serviceNowMs} from '#app/words/format-time.ts';
import {type Added, markersIn} from '#log/ingest/added.ts';
import {insertChange} from '#log/ingest/place-markers.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import {takeTail} from './held-logs.ts';

/** Starts from the records that the log was opened with. */
export const watchBranches = (branches: readonly Branch[]): BranchWatch => ({
  isAsking: false,
  asksAgain: false,
  snapshots: new Map(branches.map(branch => [branch._id, snapshotOf(branch)])),
});

/**
 * Adds a marker to the log for each change in a listing; `nowMs` is the service's clock, milliseconds since 1970.
 * Branches missing from the listing are not changes.
 */
export const withChanges = (log: LogState, branches: readonly Branch[], nowMs: number): LogState => {
  const nowAt = instantFromMs(nowMs);
  const snapshots = new Map(log.watch.snapshots);
  let changed = log;
  for (const {branch, tail} of log.sources) {
    const id = branch._id;
    const known = snapshots.get(id);
    const listed = branches.find(({_id}) => _id === id);
    if (known !== undefined && listed !== undefined) {
      const compared = compareSnapshot(known, listed);
      snapshots.set(id, compared.snapshot);
      const image = log.watch.asksAgain ? undefined : imageOf(listed);
      const pods = image === undefined ? tail.pods : withImage(tail.pods, image);
      changed = takeTail(changed, id, insertAll({...tail, pods}, compared.changes, nowAt));
    }
  }
  return {...changed, watch: {...log.watch, snapshots}};
};

const insertAll = (tail: Tail, changes: ReturnType<typeof compareSnapshot>['changes'], nowAt: Instant): Tail =>
  changes.length === 0
    ? tail
    : {...tail, log: changes.reduce((branchLog, change) => insertChange(branchLog, change, nowAt), tail.log)};

/** Requests the branches while a log is open; if a request is running, repeats it once afterwards. */
export const askForBranches = (state: State, log: LogState): Step =>
  log.watch.isAsking
    ? next(withWatch(state, log, {asksAgain: true}))
    : next(withWatch(state, log, {isAsking: true, asksAgain: false}), fetchOf(state, log));

/** Runs after a poll: pods mostly come and go because of a deployment, so the branches are requested at once. */
export const afterPods = (step: Step, added: Added): Step => {
  const {log, branches} = step.state;
  // Leave a failing service alone: the next try is already scheduled.
  if (!log || branches?.listing?.kind === 'failed' || !markersIn(added).some(({kind}) => kind === 'pod')) {
    return step;
  }
  const asked = askForBranches(step.state, log);
  return {state: asked.state, effects: [...step.effects, ...asked.effects]};
};

/** Takes the branches that came while a log is open: their changes go into the log. */
export const listingArrivedOnLog = (step: Step, branches: readonly Branch[]): Step => {
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
export const listingFailedOnLog = (step: Step): Step =>
  step.state.log === undefined
    ? step
    : {...step, state: withWatch(step.state, step.state.log, {isAsking: false, asksAgain: false})};

const fetchOf = ({generation}: State, {siteId}: LogState): Effect => ({kind: 'fetchBranches', siteId, generation});

const withWatch = (state: State, log: LogState, change: Partial<LogState['watch']>): State => ({
  ...state,
  log: {...log, watch: {...log.watch, ...change}},
});
