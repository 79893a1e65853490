import type {Branch} from '../api/branch.ts';
import {insertChange} from '../log/insert-marker.ts';
import {type Instant, instantFromMs} from '../log/instant.ts';
import {compareNews, readNews} from './branch-changes.ts';
import type {BranchWatch, LogSource, LogState} from './state.ts';

/** While branches or a log of them are on the screen the branches are asked for again this often, milliseconds. */
export const branchesIntervalMs = 30_000;

/** Begins with the records that the log was opened with. */
export const watchBranches = (branches: readonly Branch[]): BranchWatch => ({
  isAsking: false,
  asksAgain: false,
  news: new Map(branches.map(branch => [branch._id, readNews(branch)])),
});

/**
 * The log with a marker for everything that a listing says has changed; `nowMs` is the service's clock, milliseconds since 1970. A branch that is not
 * in the listing says nothing.
 */
export const withChanges = (log: LogState, branches: readonly Branch[], nowMs: number): LogState => {
  const nowAt = instantFromMs(nowMs);
  const news = new Map(log.watch.news);
  const change = (source: LogSource): LogSource => {
    const id = source.branch._id;
    const known = news.get(id);
    const branch = branches.find(({_id}) => _id === id);
    if (known === undefined || branch === undefined) {
      return source;
    }
    const compared = compareNews(known, branch);
    news.set(id, compared.news);
    return insertAll(source, compared.changes, nowAt);
  };
  const [first, ...others] = log.sources;
  return {...log, sources: [change(first), ...others.map(change)], watch: {...log.watch, news}};
};

const insertAll = (source: LogSource, changes: ReturnType<typeof compareNews>['changes'], nowAt: Instant): LogSource =>
  changes.length === 0
    ? source
    : {
        ...source,
        tail: {
          ...source.tail,
          log: changes.reduce((branchLog, change) => insertChange(branchLog, change, nowAt), source.tail.log),
        },
      };
