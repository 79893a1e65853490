import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {formatContextHeader} from '#config/settings/context-text.ts';
import type {ContextSettings} from '#config/settings/settings.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {intervalMsMin} from '#log/ingest/pace.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {proofOf} from '#log/window/window-claims.ts';
import {cutWords} from '#log/words/proof-words.ts';
import {type Finding, found} from './checks/finding.ts';

export type WindowCheck = {
  readonly context: Pick<ContextSettings, 'name' | 'window'>;
  readonly branchName: string;
  /** A window of the checked branch, with the service's own declaration. */
  readonly first: LogAnswer;
  fetchLog(): Promise<Answer<LogAnswer>>;
  sleep(ms: number): Promise<void>;
};

/** Together they take a second. What a quiet branch does not show in that time, it would not show in ten. */
const furtherPolls = 3;

/** Enough for a few windows of any size that a service may send. */
const bufferBytesMax = 64 * 1024 * 1024;

/** Checks how the service cuts its windows, who says so, and what the log rests on. Never a failure. */
export const checkWindows = async (check: WindowCheck): Promise<Finding> => {
  const {context, first} = check;
  const {window} = context;
  const {cut, sources} = first;
  const header = formatContextHeader(context.name);
  const grade = gradeWords(check);
  if (window !== undefined && cut !== undefined && window !== cut) {
    return found.warn(
      'windows',
      `the context says that the service cuts ${cutWords[window]}, the service says that it cuts ${cutWords[cut]}: the context wins. ${grade}`,
      `remove window from ${header} unless you are sure`,
    );
  }
  const known = window ?? cut;
  if (known !== undefined) {
    const who =
      window === undefined
        ? 'it says so itself'
        : cut === undefined
          ? 'the context says so'
          : 'the context and the service say so';
    const lacks =
      known === 'source' && sources === undefined && proofOf(first) === 'inferred'
        ? `, but the number of sources in a pod is not known: set sources = N in ${header}`
        : '';
    return found.ok('windows', `the service cuts ${cutWords[known]}, ${who}${lacks}. ${grade}`);
  }
  if (proofOf(first) === 'counted') {
    return found.ok('windows', grade);
  }
  const seems = (await seemsCutApart(check)) ? '; it seems to cut each pod or each source on its own' : '';
  return found.ok(
    'windows',
    `the service does not say how it cuts them${seems}. A burst may be marked as a gap although nothing was lost. If you know how, set window = "branch", "pod" or "source" in ${header}. ${grade}`,
  );
};

/** Says whether the log is whole or joined, and what would make it better. */
const gradeWords = ({branchName, first}: WindowCheck): string =>
  first.arrivals === undefined && first.numbering === undefined
    ? `The log of ${branchName} is joined, not whole: only a service that numbers its lines, as branchlog serve does, proves that none is missing`
    : `The log of ${branchName} is whole: the service numbers its lines`;

/** The log itself was checked before: an error here only means that nothing can be observed. */
const giveUpOnFault = (error: unknown): undefined => {
  if (!(error instanceof ApiError) || error.kind === 'cancelled') {
    throw error;
  }
};

/**
 * Returns true if a line disappeared from the window while older ones stayed, which shows that parts are cut
 * separately.
 */
const seemsCutApart = async ({first, fetchLog, sleep}: WindowCheck): Promise<boolean> => {
  let {log} = takeWindow(createBranchLog(bufferBytesMax), first);
  for (let poll = 0; poll < furtherPolls; poll += 1) {
    await sleep(intervalMsMin);
    const answer = await fetchLog().catch(giveUpOnFault);
    if (answer === undefined) {
      return false;
    }
    const taken = takeWindow(log, answer.value);
    if (taken.cutsEachPod) {
      return true;
    }
    ({log} = taken);
  }
  return false;
};
