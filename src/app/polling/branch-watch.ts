import type {Branch} from '../../api/decode/branch.ts';
import {type Instant, instantFromMs} from '../../log/line/instant.ts';
import {insertChange} from '../../log/merge/insert-marker.ts';
import {takeTail} from '../log/take-tail.ts';
import type {BranchWatch, LogState} from '../state/state.ts';
import {compareNews, readNews} from '../tail/branch-changes.ts';
import type {Tail} from '../tail/tail.ts';

/** While branches or a log of them are on the screen the branches are asked for again this often, milliseconds. */
export const branchesIntervalMs = 30_000;

/** Begins with the records that the log was opened with. */
export const watchBranches = (branches: readonly Branch[]): BranchWatch => ({
  isAsking: false,
  asksAgain: false,
  news: new Map(branches.map(branch => [branch._id, readNews(branch)])),
});

/**
 * The log with a marker for everything that a listing says has changed; `nowMs` is the service's clock, milliseconds
 * since 1970. A branch that is not
 * in the listing says nothing.
 */
export const withChanges = (log: LogState, branches: readonly Branch[], nowMs: number): LogState => {
  const nowAt = instantFromMs(nowMs);
  const news = new Map(log.watch.news);
  let changed = log;
  for (const {branch, tail} of log.sources) {
    const id = branch._id;
    const known = news.get(id);
    const listed = branches.find(({_id}) => _id === id);
    if (known !== undefined && listed !== undefined) {
      const compared = compareNews(known, listed);
      news.set(id, compared.news);
      changed = takeTail(changed, id, insertAll(tail, compared.changes, nowAt));
    }
  }
  return {...changed, watch: {...log.watch, news}};
};

const insertAll = (tail: Tail, changes: ReturnType<typeof compareNews>['changes'], nowAt: Instant): Tail =>
  changes.length === 0
    ? tail
    : {...tail, log: changes.reduce((branchLog, change) => insertChange(branchLog, change, nowAt), tail.log)};
