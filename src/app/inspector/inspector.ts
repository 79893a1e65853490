import type {Inspector, LogState} from '#app/state/state.ts';
import type {PollRecord} from '#app/tail/polls.ts';

/** A poll, and the index of its branch in the log, from 0. */
export type SourcedPoll = {readonly source: number; readonly poll: PollRecord};

/** Returns the last polls of all branches, newest first. */
export const listPolls = ({sources}: LogState): readonly SourcedPoll[] =>
  sources
    .flatMap(({tail}, source) => tail.polls.latest.map((poll): SourcedPoll => ({source, poll})))
    .toReversed()
    .toSorted((a, b) => b.poll.atMs - a.poll.atMs);

/** Returns the index of the first poll shown; new polls don't move what the user is reading. */
export const inspectorTop = ({topAtMs}: Inspector, polls: readonly SourcedPoll[]): number => {
  const found = topAtMs === undefined ? 0 : polls.findIndex(({poll}) => poll.atMs <= topAtMs);
  return found < 0 ? polls.length : found;
};

/** Returns the inspector with this poll at its top; the newest ones move as polls come. */
export const inspectorAt = (polls: readonly SourcedPoll[], top: number): Inspector => ({
  kind: 'inspector',
  topAtMs: top === 0 ? undefined : polls[top]?.poll.atMs,
});
