import type {ServiceClient} from '#api/client/client.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import type {ContextSettings} from '#config/settings/settings.ts';
import {countOf} from '#log/words/format-count.ts';
import {type Deviation, rules, subjectOf} from '../conformance/numbered-log.ts';
import {type AskedWith, runSuite} from '../conformance/run-suite.ts';
import {explainFailure, type Failure, type Finding, found} from './finding.ts';
import type {ServiceDeps} from './service-checks.ts';

/** Branches that are asked for a log with lines; any other log says less. */
const branchesMax = 5;

/** No further request is sent after this time, in milliseconds. */
const suiteMsMax = 60_000;

const convention = 'docs/serve.md, "Lines with numbers and sources"';

/**
 * Checks the service against the convention by which lines carry their number and source, on one log: one finding for
 * each rule that an answer deviates from.
 */
export async function* checkConformance(
  client: ServiceClient,
  {sites}: Pick<ContextSettings, 'sites'>,
  {clock, signal}: Pick<ServiceDeps, 'clock' | 'signal'>,
): AsyncGenerator<Finding> {
  const untilMs = clock.monotonicMs() + suiteMsMax;
  try {
    const log = await findLog(client, sites, signal);
    if (log === undefined) {
      yield found.skip('convention', 'no built-out branch was found, so no log was requested');
      return;
    }
    const {siteId, branchId, name} = log;
    const result = await runSuite({
      ask: async headers => (await client.fetchRawLog(siteId, branchId, headersOf(headers), signal)).value,
      sleep: ms => clock.sleep(ms, signal),
      isTimeUp: () => clock.monotonicMs() > untilMs,
    });
    if (result.kind === 'notOffered') {
      yield fail(
        'convention',
        'the service does not offer it: the answers have no field branchlog',
        `${convention} describes what to add; without it, logs are joined, not whole`,
      );
      return;
    }
    yield* result.deviations.map(describeDeviation);
    for (const words of result.unchecked) {
      yield found.skip('convention', words);
    }
    if (result.deviations.length === 0) {
      const [requests, lines] = [countOf(result.requestCount, 'request'), countOf(result.lineCount, 'line')];
      yield found.ok('convention', `no deviation in ${requests} for the log of ${name}, ${lines}`);
    }
    const counted = await client.countErrors(siteId, signal);
    const [wrong] = counted?.skipped ?? [];
    yield counted === undefined
      ? found.skip('pulses', 'the service does not count the errors of all branches: each log is looked at')
      : wrong === undefined
        ? found.ok('pulses', `one answer counts the errors of all branches: ${countOf(counted.value.size, 'record')}`)
        : fail('pulses', wrong, 'see docs/serve.md, "Errors of all branches"');
  } catch (error) {
    yield explainFailure('convention', error);
  }
}

const fail = (subject: string, words: string, action: string): Failure =>
  found.fail(subject, words, action, exitCodes.notInterface);

const describeDeviation = ({rule, asked, came}: Deviation): Failure =>
  fail(subjectOf(rule), `asked ${asked}, came: ${came}. The convention: ${rules[rule]}`, `see ${convention}`);

const headersOf = ({after, pods}: AskedWith): Readonly<Record<string, string>> => ({
  ...(after !== undefined && {'branchlog-after': after}),
  ...(pods !== undefined && {'branchlog-pods': pods}),
});

/** Returns the first built-out branch whose log has lines, of a few; else the first one. */
const findLog = async (
  client: ServiceClient,
  sites: ContextSettings['sites'],
  signal: AbortSignal,
): Promise<{readonly siteId: string; readonly branchId: string; readonly name: string} | undefined> => {
  const found = [];
  for (const {id: siteId} of sites) {
    const {value} = await client.listBranches(siteId, signal);
    for (const {_id: branchId, name, status} of value) {
      if (status !== null && found.length < branchesMax) {
        found.push({siteId, branchId, name});
        const log = await client.fetchLog(siteId, branchId, signal);
        if (log.value.lines.length > 0) {
          return found.at(-1);
        }
      }
    }
  }
  return found[0];
};
