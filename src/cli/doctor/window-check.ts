import type {Answer} from '../../api/answer.ts';
import {ApiError} from '../../api/api-error.ts';
import type {LogAnswer} from '../../api/decode/log-window.ts';
import {formatContextHeader} from '../../config/client/format-context.ts';
import type {ContextSettings} from '../../config/client/settings.ts';
import type {WindowCut} from '../../log/line/window-cut.ts';
import {createBranchLog, takeWindow} from '../../log/merge/branch-log.ts';
import {intervalMsMin} from '../../log/merge/pace.ts';
import type {Finding} from './finding.ts';

export type WindowCheck = {
  readonly context: Pick<ContextSettings, 'name' | 'window'>;
  /** A window of the checked branch, with the service's own declaration. */
  readonly first: LogAnswer;
  fetchLog(): Promise<Answer<LogAnswer>>;
  sleep(ms: number): Promise<void>;
};

/** Together they take a second. What a quiet branch does not show in that time, it would not show in ten. */
const furtherPolls = 3;

/** Enough for a few windows of any size that a service may send. */
const bufferBytesMax = 64 * 1024 * 1024;

const cutWords: Readonly<Record<WindowCut, string>> = {
  branch: 'the branch as one',
  pod: 'each pod on its own',
  source: 'each source of a pod on its own',
};

/** Checks how the service cuts its windows, and who says so. Never a failure. */
export const checkWindows = async (check: WindowCheck): Promise<Finding> => {
  const {name, window} = check.context;
  const {cut} = check.first;
  if (window !== undefined && cut !== undefined && window !== cut) {
    return {
      status: 'warn',
      subject: 'windows',
      words: `the context says that the service cuts ${cutWords[window]}, the service says that it cuts ${cutWords[cut]}: the context wins`,
      action: `remove window from ${formatContextHeader(name)} unless you are sure`,
    };
  }
  if (window !== undefined) {
    const who = cut === undefined ? 'the context says so' : 'the context and the service say so';
    return {status: 'ok', subject: 'windows', words: `the service cuts ${cutWords[window]}, ${who}`};
  }
  if (cut !== undefined) {
    return {status: 'ok', subject: 'windows', words: `the service cuts ${cutWords[cut]}, it says so itself`};
  }
  const seems = (await seemsCutApart(check)) ? '; it seems to cut each pod or each source on its own' : '';
  return {
    status: 'ok',
    subject: 'windows',
    words: `the service does not say how it cuts them${seems}. A burst may be marked as a gap although nothing was lost. If you know how, set window = "branch", "pod" or "source" in ${formatContextHeader(name)}`,
  };
};

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
