import {createTokenProvider} from '../../api/token/token.ts';
import type {Settings} from '../../config/client/settings.ts';
import {sanitise} from '../../log/text/sanitise.ts';
import type {CommandInput} from '../arguments/command-input.ts';
import {exitCodes} from '../io/exit-codes.ts';
import {UsageError} from '../io/usage-error.ts';
import {printTheme} from '../print/print-theme.ts';
import {readCallWishes} from '../service/call-wishes.ts';
import {connect} from '../service/connect.ts';
import {readKeymap} from '../service/read-keymap.ts';
import {readSettings} from '../service/read-settings.ts';
import {type Finding, formatFinding} from './finding.ts';
import {checkNetwork} from './network-checks.ts';
import {checkService} from './service-checks.ts';
import {checkToken} from './token-checks.ts';

/** Runs `branchlog doctor`: prints one row per check. Resolves to the exit code of the first failure. */
export const runDoctor = async (input: CommandInput): Promise<number> => {
  const {io, output, signal} = input;
  let firstFailure: Finding | undefined;
  for await (const finding of examine(input)) {
    firstFailure ??= finding.status === 'FAIL' ? finding : undefined;
    const safe = {...finding, subject: sanitise(finding.subject), words: sanitise(finding.words)};
    await output.write(formatFinding(safe, printTheme(io)), signal);
  }
  return firstFailure?.exitCode ?? exitCodes.done;
};

/** Each step needs the previous ones; checks that are impossible for that reason are reported as skipped. */
async function* examine({parsed, io, signal}: CommandInput): AsyncGenerator<Finding> {
  let settings: Settings;
  try {
    settings = await readSettings(parsed, io);
    // What only the screens use, and refuse.
    readKeymap(settings);
    await readCallWishes(settings.notify);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }
    yield {status: 'FAIL', subject: 'config', words: error.message, exitCode: exitCodes.usage};
    yield {status: 'skip', subject: 'the rest', words: 'needs a valid config'};
    return;
  }
  const {context, configPath} = settings;
  const source = configPath === undefined ? 'no config file, settings come from flags and environment' : configPath;
  yield {status: 'ok', subject: 'config', words: `${source}; context ${context.name}, ${context.baseUrl}`};
  for (const words of settings.warnings) {
    yield {status: 'warn', subject: 'config', words};
  }

  const token = createTokenProvider(context.token, {env: io.env, nowMs: io.clock.nowMs});
  let canAsk = true;
  for (const finding of await checkToken(token, io.clock.nowMs())) {
    // Try an expired token anyway: this machine's clock may be wrong.
    canAsk &&= finding.status !== 'FAIL' || finding.subject !== 'token';
    yield finding;
  }
  for await (const finding of checkNetwork(context, io.env, io.clock.nowMs())) {
    canAsk &&= finding.status !== 'FAIL';
    yield finding;
  }
  if (!canAsk) {
    yield {status: 'skip', subject: 'service', words: 'needs a token and a connection'};
    return;
  }
  // Without the context's `window` setting, so that the service's own declaration can be told apart.
  const client = connect({...settings, context: {...context, window: undefined}}, io, () => {});
  try {
    yield* checkService(client, context, io.clock, signal);
  } finally {
    client.close();
  }
}
