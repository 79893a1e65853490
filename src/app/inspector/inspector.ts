import type {Command} from '../keys/keymap.ts';
import {movement} from '../keys/movement.ts';
import {type Inspector, type LogState, paneRows, type State} from '../state/state.ts';
import type {PollRecord} from '../tail/polls.ts';

/** A poll, and the index of its branch in the log, from 0. */
export type SourcedPoll = {readonly source: number; readonly poll: PollRecord};

/** Rows below the table: a blank row, the sums, the pace, and on what the log rests. */
export const inspectorFootRows = 5;

/** Returns the last polls of all branches, newest first. */
export const listPolls = ({sources}: LogState): readonly SourcedPoll[] =>
  sources
    .flatMap(({tail}, source) => tail.polls.latest.map((poll): SourcedPoll => ({source, poll})))
    .toReversed()
    .toSorted((a, b) => b.poll.atMs - a.poll.atMs);

/** Returns how many polls fit into the pane below the title. */
export const inspectorTableRows = (state: Pick<State, 'rows'>): number =>
  Math.max(1, paneRows(state) - 1 - (paneRows(state) > 2 * inspectorFootRows ? inspectorFootRows : 1));

/** Returns the index of the first poll shown; new polls don't move what the user is reading. */
export const inspectorTop = ({topAtMs}: Inspector, polls: readonly SourcedPoll[], rows: number): number => {
  const last = Math.max(0, polls.length - rows);
  const found = topAtMs === undefined ? 0 : polls.findIndex(({poll}) => poll.atMs <= topAtMs);
  return found < 0 ? last : Math.min(last, found);
};

/** Handles all commands while the inspector is open, so that the log underneath stays in place. */
export const updateInspector = (state: State, log: LogState, inspector: Inspector, command: Command): LogState => {
  if (command === 'toggleInspector' || command === 'back') {
    return {...log, overlay: undefined};
  }
  const rows = inspectorTableRows(state);
  const distance = movement(command, Math.max(1, rows - 1));
  if (distance === undefined) {
    return log;
  }
  const polls = listPolls(log);
  const last = Math.max(0, polls.length - rows);
  const top = Math.max(0, Math.min(last, inspectorTop(inspector, polls, rows) + distance));
  return {...log, overlay: {kind: 'inspector', topAtMs: top === 0 ? undefined : polls[top]?.poll.atMs}};
};
