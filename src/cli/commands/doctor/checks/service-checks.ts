import type {Answer, Branch, LogAnswer} from '#api/client/answer.ts';
import {ApiError, type ApiErrorKind} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {withoutIdWords} from '#app/choices/list-words.ts';
import {formatElapsed, splitLine} from '#cli/io/format.ts';
import type {Clock} from '#cli/io/io.ts';
import {describeNotLines, describeSkipped} from '#cli/io/output.ts';
import {formatContextHeader} from '#config/settings/context-text.ts';
import type {ContextSettings} from '#config/settings/settings.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {intervalMsMin} from '#log/ingest/pace.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {parseInstant} from '#log/line/instant.ts';
import {asStrings} from '#log/window/texts.ts';
import {proofOf} from '#log/window/window-claims.ts';
import {countOf} from '#log/words/format-count.ts';
import {cutWords} from '#log/words/proof-words.ts';
import {explainFailure, type Finding, found} from './finding.ts';

type WindowCheck = {
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
const checkWindows = async (check: WindowCheck): Promise<Finding> => {
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

/**
 * `date` headers have a resolution of one second, and a request takes time: a smaller difference is not a clock skew.
 */
const skewMsMax = 5000;

const tellOperator = 'tell the operator of the service; everything else is shown';

/** Failures that say nothing about other sites. */
const ofOneSite: readonly ApiErrorKind[] = ['badId', 'forbidden', 'notFound'];

export type ServiceDeps = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The token has expired by this machine's clock, and that was reported. */
  readonly isExpired: boolean;
};

/**
 * Makes the requests that every command makes: each configured site's branches and one window of one log, plus a few
 * more windows if nothing says how they are cut. `client` must not know the context's `window` setting.
 */
export async function* checkService(
  client: Client,
  context: ContextSettings,
  {clock, signal, isExpired}: ServiceDeps,
): AsyncGenerator<Finding> {
  const {sites} = context;
  if (sites.length === 0) {
    yield found.warn(
      'sites',
      'none is configured, so the token was not tested against the service',
      'branchlog sites prints the block to add to the config file',
    );
    return;
  }
  let clocks: Finding | undefined;
  /** Failures that have been reported and are not about one site only, by their words. */
  const causes = new Map<string, string>();
  let builtOut: {readonly siteId: string; readonly branch: Branch} | undefined;
  for (const site of sites) {
    const subject = `site ${site.name ?? site.id}`;
    try {
      const answer = await client.listBranches(site.id, signal);
      clocks ??= checkClock(answer, clock.nowMs());
      const branch = answer.value.find(({status}) => status !== null);
      builtOut ??= branch && {siteId: site.id, branch};
      yield describeListing(subject, answer);
    } catch (error) {
      const failure = explainFailure(subject, error);
      const kind = error instanceof ApiError ? error.kind : undefined;
      const cause = isExpired && kind === 'unauthorised' ? 'expiry' : causes.get(failure.words);
      yield cause === undefined ? failure : found.skip(subject, `failed for the same reason as ${cause}`);
      if (kind !== undefined && !ofOneSite.includes(kind)) {
        causes.set(failure.words, subject);
      }
    }
  }
  if (clocks) {
    yield clocks;
  }
  if (builtOut === undefined) {
    yield found.skip('log', 'no built-out branch was found, so no log was requested');
    return;
  }
  const {siteId, branch} = builtOut;
  const fetchLog = () => client.fetchLog(siteId, branch._id, signal);
  try {
    const answer = await fetchLog();
    yield describeLog(branch, answer);
    yield await checkWindows({
      context,
      branchName: branch.name,
      first: answer.value,
      fetchLog,
      sleep: ms => clock.sleep(ms, signal),
    });
  } catch (error) {
    yield explainFailure('log', error);
  }
}

const describeListing = (subject: string, {value, skipped, withoutId}: Answer<readonly Branch[]>): Finding => {
  const deployed = value.filter(({status}) => status === 'DEPLOY_APPLICATION_SUCCESS').length;
  const listed = `${value.length} ${value.length === 1 ? 'branch' : 'branches'}, ${deployed} deployed`;
  const count = withoutId ? `${listed}; ${withoutIdWords(withoutId)}` : listed;
  const ignored = describeSkipped(skipped);
  return ignored === undefined ? found.ok(subject, count) : found.warn(subject, `${count}; ${ignored}`, tellOperator);
};

/** Compares the clocks. `whose` names the other machine. */
export const checkClock = (
  {serviceTimeMs}: Pick<Answer<unknown>, 'serviceTimeMs'>,
  nowMs: number,
  whose = 'the service',
): Finding => {
  if (serviceTimeMs === undefined) {
    return found.warn(
      'clock',
      `${whose} sends no date header, so the clocks could not be compared`,
      "keep this machine's clock set (NTP)",
    );
  }
  const skewMs = nowMs - serviceTimeMs;
  if (Math.abs(skewMs) <= skewMsMax) {
    return found.ok('clock', `this machine and ${whose} agree`);
  }
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  return found.warn(
    'clock',
    `this machine is ${formatElapsed(Math.abs(skewMs))} ${direction} ${whose}: the log is not affected, but the token's expiry is`,
    'set the clock (NTP)',
  );
};

const describeLog = (branch: Branch, {value, skipped}: Answer<LogAnswer>): Finding => {
  const unreadable = asStrings(value.lines).filter(
    line => parseInstant(splitLine(line).timestamp) === undefined,
  ).length;
  const count = `${branch.name}: ${countOf(value.lines.length, 'line')}, ${countOf(value.pods.length, 'pod')}`;
  const faults = [describeNotLines(value.notLines), describeSkipped(skipped)].filter(words => words !== undefined);
  if (faults.length > 0) {
    return found.warn('log', [count, ...faults].join('; '), tellOperator);
  }
  return unreadable === 0
    ? found.ok('log', count)
    : found.warn(
        'log',
        `${count}; ${unreadable} lines without a readable timestamp are kept after the previous line`,
        tellOperator,
      );
};
