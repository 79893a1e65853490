import {messageOf} from '#api/client/api-error.ts';
import type {Effect} from '#app/state/effect.ts';
import type {Event} from '#app/state/event.ts';
import type {Instant} from '#log/line/instant.ts';
import {startOfLog, type UnreadFound, type UnreadLog, type UnreadWish} from '#log/line/unread.ts';

type FindEffect = Extract<Effect, {readonly kind: 'findUnread' | 'scanUnread'}>;

type Dispatch = (event: Event) => void;

const searchFiles = async (
  unread: UnreadLog,
  {branchId, pattern, direction, generation}: Extract<FindEffect, {readonly kind: 'scanUnread'}>,
  signal: AbortSignal,
  dispatch: Dispatch,
): Promise<UnreadFound> => {
  // Loaded on demand: most logs are read from their beginning.
  const {scanRanges} = await import('#app/search/scan-ranges.ts');
  const places = await scanRanges({
    pattern,
    ranges: unread.ranges(branchId, direction),
    direction,
    signal,
    onProgress: progress => dispatch({kind: 'scanProgressed', generation, progress}),
  });
  signal.throwIfAborted();
  if (places.length > 0) {
    return unread.open(branchId, {kind: 'nearest', places, direction});
  }
  return direction === 'later' ? {kind: 'newest'} : {kind: 'none', why: 'no more hits above, up to the beginning'};
};

/** The time that is gone to where what was wanted is in the newest part. */
const timeOf = (wish: UnreadWish): Instant | undefined =>
  wish.kind === 'time' ? wish.at : wish.kind === 'start' ? startOfLog : undefined;

/** Finds what was not read, one after the other: the last one wins. */
export const createUnreadFinder = () => {
  let finding = new AbortController();
  return {
    find: async (unread: UnreadLog | undefined, effect: FindEffect, dispatch: Dispatch): Promise<void> => {
      finding.abort();
      finding = new AbortController();
      const {signal} = finding;
      try {
        if (unread === undefined) {
          throw new Error('it is no longer open');
        }
        const {branchId, generation} = effect;
        const found =
          effect.kind === 'findUnread'
            ? await unread.open(branchId, effect.wish)
            : await searchFiles(unread, effect, signal, dispatch);
        if (!signal.aborted) {
          dispatch({
            kind: 'unreadFound',
            generation,
            found,
            at: effect.kind === 'findUnread' ? timeOf(effect.wish) : undefined,
          });
        }
      } catch (error) {
        if (!signal.aborted) {
          const why = `what was not read cannot be searched: ${messageOf(error)}`;
          dispatch({kind: 'unreadFound', generation: effect.generation, found: {kind: 'none', why}});
        }
      }
    },
    cancel: () => finding.abort(),
  };
};
