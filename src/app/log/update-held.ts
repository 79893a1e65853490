import type {Branch} from '#api/client/answer.ts';
import type {Effect} from '#app/state/effect.ts';
import type {StampedEvent} from '#app/state/event.ts';
import type {HeldLog, State} from '#app/state/state.ts';
import {next, type Step} from '#app/state/step.ts';
import {heldPolledMsMax} from '#app/tail/polls.ts';
import type {Tail} from '#app/tail/tail.ts';
import {serviceNowMs} from '#app/words/format-time.ts';
import {fetchWindow} from './fetch-window.ts';
import {logWindowArrived, logWindowFailed} from './update-polls.ts';
import {listingArrivedOnLog, withChanges} from './update-watch.ts';

/** The shortest time between two polls of a log that was left, milliseconds. */
const heldPollMsMin = 15_000;

/**
 * Runs after a good listing: adds the branches' changes to the open log and to the held ones, and polls those of these
 * that are due. So they are polled as often as the branches are listed, and not at all while the service fails or no
 * list is asked for.
 */
export const takeListing = (step: Step, branches: readonly Branch[]): Step => {
  const {state, effects} = step.state.screen === 'log' ? listingArrivedOnLog(step, branches) : step;
  const {held, nowMs, branches: listed} = state;
  if (held.length === 0) {
    return {state, effects};
  }
  const polls: Effect[] = [];
  const changed = held.map((each): HeldLog => {
    const log = each.log.siteId === listed?.siteId ? withChanges(each.log, branches, serviceNowMs(state)) : each.log;
    const due = fetchesDue(each, nowMs);
    polls.push(...due);
    return {...each, log, askedAtMs: due.length === 0 ? each.askedAtMs : nowMs};
  });
  return {state: {...state, held: changed}, effects: [...effects, ...polls]};
};

const fetchesDue = ({log, generation, leftAtMs, askedAtMs}: HeldLog, nowMs: number): readonly Effect[] =>
  nowMs - leftAtMs > heldPolledMsMax || nowMs - askedAtMs < heldPollMsMin
    ? []
    : log.sources
        .filter(({branch, tail}) => branch.status !== null && isDue(tail, nowMs))
        .map(source => fetchWindow(source, log.siteId, generation));

/** Checks whether the pace, or what the service asked for, allows a poll. */
const isDue = ({connection, polls}: Tail, nowMs: number): boolean => {
  const last = polls.latest.at(-1);
  return connection.kind !== 'ended' && (last === undefined || last.atMs + last.nextPollInMs <= nowMs);
};

type WindowEvent = Extract<StampedEvent, {readonly kind: 'windowArrived' | 'windowFailed'}>;

/**
 * Takes the answer to a poll of a held log; returns undefined if no held log asked for it. What else a window leads to,
 * such as the next poll or a call to the user, is for the open log only.
 */
export const takeHeldWindow = (state: State, event: WindowEvent): Step | undefined => {
  const found = state.held.find(each => each.generation === event.generation);
  if (found === undefined) {
    return undefined;
  }
  const opened: State = {...state, log: found.log};
  const {state: taken, effects} =
    event.kind === 'windowArrived'
      ? logWindowArrived(opened, found.log, event)
      : logWindowFailed(opened, found.log, event);
  const {log = found.log, notice} = taken;
  // That a finding which is watched came again is reported here, too.
  return next(
    {...state, notice, held: state.held.map(each => (each === found ? {...each, log} : each))},
    ...(notice === state.notice ? [] : effects.filter(({kind}) => kind === 'callUser')),
  );
};
