import {ApiError} from '#api/client/api-error.ts';
import {type Continued, compareAnswers, highestOf} from './compare-answers.ts';
import {type Deviation, type NumberedLog, quoteJson, type RuleName, readNumberedLog} from './numbered-log.ts';

/** The headers of a request. */
export type AskedWith = {readonly after?: string; readonly pods?: string};

export type Suite = {
  /** Sends one request for the branch's log; returns the answer's JSON. Throws an `ApiError`. */
  ask(headers: AskedWith): Promise<unknown>;
  sleep(ms: number): Promise<void>;
  /** Then no further request is sent. */
  isTimeUp(): boolean;
};

/** The log is followed for so many seconds: what comes in that time shows how answers continue each other. */
const followPolls = 3;
const followMs = 1000;

/** No service numbers lines of a branch so fast that it gets there while it is checked. */
const farAhead = 1_000_000_000;

/** Neither a series nor a tag that a service would make up. */
const foreignTag = 'branchlog-doctor';

/**
 * Sends some fifteen requests for one log and compares the answers: whole windows, what follows numbers that exist, and
 * what comes for headers that fit nothing. Reads only.
 */
export const runSuite = async ({ask, sleep, isTimeUp}: Suite) => {
  const deviations: Deviation[] = [];
  const tagged: Tagged[] = [];
  let requestCount = 0;

  const request = async (headers: AskedWith = {}): Promise<NumberedLog | undefined | 'none'> => {
    const asked = describeRequest(headers);
    const note = (rule: RuleName, came: string) => void deviations.push({rule, asked, came});
    if (isTimeUp()) {
      return undefined;
    }
    requestCount += 1;
    const answer = await ask(headers).catch((error: unknown) => {
      // The first one says whether there is a log at all, and one that is cancelled says nothing.
      if (requestCount === 1 || !(error instanceof ApiError) || error.kind === 'cancelled') {
        throw error;
      }
      note('answered', error.message);
      return failed;
    });
    const log = answer === failed ? undefined : readNumberedLog(answer, asked, note);
    if (log !== undefined && log !== 'none') {
      tagged.push({sent: headers.pods, log});
    }
    return log;
  };
  /** Requests one that must have the field, since others have. */
  const requestNumbered = async (headers: AskedWith = {}): Promise<NumberedLog | undefined> => {
    const log = await request(headers);
    if (log === 'none') {
      deviations.push({rule: 'field-form', asked: describeRequest(headers), came: 'the field is missing'});
      return undefined;
    }
    return log;
  };
  const result = (lineCount: number, unchecked: readonly string[]) => ({
    kind: 'checked' as const,
    /** The first of each rule. */
    deviations: firstOfEach([...deviations, ...checkPodTags(tagged)]),
    requestCount,
    /** Lines of the first window. */
    lineCount,
    /** The checks that this log did not allow, in sentences. */
    unchecked,
  });

  const begin = await request();
  if (begin === 'none') {
    const other = await request({after: `${foreignTag}:1`});
    if (other === 'none') {
      // No answer has the field.
      return {kind: 'notOffered' as const};
    }
    deviations.push({rule: 'field-form', asked: describeRequest({}), came: 'the field is missing'});
    return result(0, ['without the field in a plain answer, nothing else was checked']);
  }
  if (begin === undefined) {
    return result(0, ['without numbers of the lines, nothing else was checked']);
  }

  const {series, first, numbers} = begin;
  const highest = highestOf(begin) ?? first - 1;
  const whole: NumberedLog[] = [];
  const strange = [`${foreignTag}:${Math.max(0, highest)}`, `${series}:${highest + farAhead}`, foreignTag];
  for (const after of strange) {
    whole.push(...listOf(await requestNumbered({after})));
  }
  const follow = async (after: number, pods?: string): Promise<readonly Continued[]> =>
    listOf(await requestNumbered({after: `${series}:${after}`, ...(pods !== undefined && {pods})})).map(log => ({
      after,
      log,
    }));
  const sorted = numbers.toSorted((a, b) => a - b);
  const [lowest = first] = sorted;
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  const early: Continued[] = [];
  for (const after of [lowest - 1, middle ?? -1]) {
    early.push(...(after < 0 ? [] : await follow(after, begin.pods)));
  }
  if (begin.pods !== undefined) {
    await requestNumbered({pods: begin.pods});
  }
  await requestNumbered({pods: foreignTag});
  const second = await requestNumbered();
  const late: Continued[] = [];
  let readTo = highest;
  for (let poll = 0; poll < followPolls && readTo >= 0; poll += 1) {
    await sleep(poll === 0 ? 0 : followMs);
    const [one] = await follow(readTo);
    if (one !== undefined) {
      late.push(one);
      readTo = Math.max(readTo, highestOf(one.log) ?? readTo);
    }
  }
  const last = await requestNumbered();
  const plain = [begin, second, last].flatMap(listOf);
  deviations.push(...compareAnswers({plain, whole, early, late}));

  const losses = tagged.reduce((count, {log}) => count + log.losses.length, 0);
  const kept = new Set(second?.numbers);
  const isSteady = numbers.some(number => kept.has(number));
  return result(numbers.length, [
    ...(isTimeUp() ? ['the checks were stopped, because the service answers slowly'] : []),
    ...(numbers.length === 0 ? ['the log has no lines, so numbers and sources were hardly checked'] : []),
    ...(second !== undefined && numbers.length > 0 && !isSteady
      ? ['the window moved on too fast to compare answers with each other']
      : []),
    ...(!isTimeUp() && late.every(({log}) => log.lines.length === 0)
      ? ['no line came while the log was followed']
      : []),
    ...(losses === 0 ? ['the service told no losses, so their form was not checked'] : []),
    ...(begin.pods === undefined ? ['the service sends no tag for the pods'] : []),
  ]);
};

/** In place of an answer. */
const failed = Symbol('failed');

const listOf = (log: NumberedLog | undefined): readonly NumberedLog[] => (log === undefined ? [] : [log]);

const firstOfEach = (deviations: readonly Deviation[]): readonly Deviation[] =>
  deviations.filter(({rule}, index) => deviations.findIndex(other => other.rule === rule) === index);

/** Names the headers of a request. The series is foreign text. */
const describeRequest = ({after, pods}: AskedWith): string => {
  const headers = [
    ...(after === undefined ? [] : [`branchlog-after: ${after}`]),
    ...(pods === undefined ? [] : [`branchlog-pods: ${pods}`]),
  ];
  return headers.length === 0 ? 'without headers' : `with ${headers.join(' and ')}`;
};

/** An answer, and the tag that the request sent in `branchlog-pods`, if any. */
type Tagged = {readonly sent: string | undefined; readonly log: NumberedLog};

/** Compares the pods of answers: the list is left out only for its own tag, and lists and tags change together. */
const checkPodTags = (answers: readonly Tagged[]): readonly Deviation[] => {
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
