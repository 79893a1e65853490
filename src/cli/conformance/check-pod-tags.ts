import {type NumberedLog, quoteJson} from './numbered-log.ts';
import type {Deviation} from './rules.ts';

/** An answer, and the tag that the request sent in `branchlog-pods`, if any. */
export type Tagged = {readonly sent: string | undefined; readonly log: NumberedLog};

/** Compares the pods of answers: the list is left out only for its own tag, and lists and tags change together. */
export const checkPodTags = (answers: readonly Tagged[]): readonly Deviation[] => {
  const deviations: Deviation[] = [];
  const listByTag = new Map<string, string>();
  const tagByList = new Map<string, string>();
  for (const {sent, log} of answers) {
    const {asked, pods, podNamesList} = log;
    if (podNamesList === undefined) {
      if (sent === undefined || pods !== sent) {
        deviations.push({rule: 'pods-left-out', asked, came: `pods is ${quoteJson(pods)}, and no podNamesList`});
      }
    } else if (pods !== undefined) {
      if ((listByTag.get(pods) ?? podNamesList) !== podNamesList) {
        deviations.push({rule: 'pods-changed', asked, came: `podNamesList changed, pods is still ${quoteJson(pods)}`});
      } else if ((tagByList.get(podNamesList) ?? pods) !== pods) {
        const before = quoteJson(tagByList.get(podNamesList));
        deviations.push({
          rule: 'pods-kept',
          asked,
          came: `pods is ${quoteJson(pods)}, for the same list it was ${before}`,
        });
      }
      listByTag.set(pods, podNamesList);
      tagByList.set(podNamesList, pods);
    }
  }
  return deviations;
};
