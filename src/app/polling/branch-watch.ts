import type {Branch} from '#api/client/answer.ts';
import type {BranchWatch, LogState} from '#app/state/state.ts';
import {compareNews, readNews} from '#app/tail/branch-changes.ts';
import {withImage} from '#app/tail/seen-pods.ts';
import type {Tail} from '#app/tail/tail.ts';
import {imageOf} from '#app/words/branch-image.ts';
import {insertChange} from '#log/ingest/place-markers.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import {takeTail} from '../log/held/take-tail.ts';

/** Interval between requests for the branches while they, or a log of theirs, are on the screen, milliseconds. */
export const branchesIntervalMs = 30_000;

/** Starts from the records that the log was opened with. */
export const watchBranches = (branches: readonly Branch[]): BranchWatch => ({
  isAsking: false,
  asksAgain: false,
  news: new Map(branches.map(branch => [branch._id, readNews(branch)])),
});

/**
 * Adds a marker to the log for each change in a listing; `nowMs` is the service's clock, milliseconds since 1970.
 * Branches missing from the listing are not changes.
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
      const image = log.watch.asksAgain ? undefined : imageOf(listed);
      const pods = image === undefined ? tail.pods : withImage(tail.pods, image);
      changed = takeTail(changed, id, insertAll({...tail, pods}, compared.changes, nowAt));
    }
  }
  return {...changed, watch: {...log.watch, news}};
};

const insertAll = (tail: Tail, changes: ReturnType<typeof compareNews>['changes'], nowAt: Instant): Tail =>
  changes.length === 0
    ? tail
    : {...tail, log: changes.reduce((branchLog, change) => insertChange(branchLog, change, nowAt), tail.log)};
