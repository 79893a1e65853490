import type {Branch} from '../../api/decode/branch.ts';
import type {Change} from '../../log/line/entry.ts';
import {type Instant, parseInstant} from '../../log/line/instant.ts';
import type {BranchChange} from '../../log/merge/insert-marker.ts';

/** What is known of a branch's state, to tell by the next listing what changed. */
export type BranchNews = {
  readonly status: string | null;
  /** Activities that were told or that were there from the start, newest last, by what tells them apart. */
  readonly activities: readonly string[];
  /** When the newest of them was last touched. */
  readonly activityAt: Instant | undefined;
};

/** A service that goes back and forth between a few activities whose times can't be read tells each of them once. */
const activitiesRememberedMax = 20;

/**
 * The last activity as it stands: another step of the same one is news as well (interface specification, section 2.3).
 */
const activityKey = ({lastActivity}: Branch): string | undefined =>
  lastActivity && JSON.stringify([lastActivity._id, lastActivity.status, lastActivity.updatedAt]);

const activityAt = ({lastActivity}: Branch): Instant | undefined =>
  lastActivity?.updatedAt === undefined ? undefined : parseInstant(lastActivity.updatedAt);

/** What a branch's record says before anything has changed. */
export const readNews = (branch: Branch): BranchNews => {
  const key = activityKey(branch);
  return {status: branch.status, activities: key === undefined ? [] : [key], activityAt: activityAt(branch)};
};

export type BranchCompared = {readonly news: BranchNews; readonly changes: readonly BranchChange[]};

/**
 * What changed between what is known of a branch and a later record of it. An answer whose last activity is older than
 * the one that is known comes
 * from a replica that lags: it tells nothing, so that nothing is told twice.
 */
export const compareNews = (known: BranchNews, branch: Branch): BranchCompared => {
  const key = activityKey(branch);
  const at = activityAt(branch);
  if (at !== undefined && known.activityAt !== undefined && at < known.activityAt) {
    return {news: known, changes: []};
  }
  const isNewActivity = key !== undefined && !known.activities.includes(key);
  const changes: Change[] = [];
  if (isNewActivity) {
    const {action, status, createdBy} = branch.lastActivity ?? {};
    changes.push({kind: 'activity', action, status, createdBy});
  }
  if (branch.status !== known.status) {
    changes.push({kind: 'status', before: known.status, now: branch.status});
  }
  return {
    news: {
      status: branch.status,
      activities: isNewActivity ? [...known.activities, key].slice(-activitiesRememberedMax) : known.activities,
      activityAt: at ?? known.activityAt,
    },
    // A status changes with the activity that changed it; alone it changed at a time that nobody told.
    changes: changes.map(change => ({change, happenedAt: isNewActivity ? at : undefined})),
  };
};
