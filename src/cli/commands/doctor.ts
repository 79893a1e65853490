import {createTokenProvider} from '#api/client/token.ts';
import {findProgramFault, isProgram} from '#base/system/programs.ts';
import {type CommandInput, flagChoice, flagValue} from '#cli/arguments/args.ts';
import {doctorFormats} from '#cli/arguments/commands.ts';
import {readLimits} from '#cli/arguments/limits.ts';
import {connect} from '#cli/connection/connect.ts';
import {hasConfigFile, readSettingsBeforeScreens} from '#cli/connection/read-settings.ts';
import {keymapFaults, readNamedFilters, readNotifyRules} from '#cli/connection/screen-settings.ts';
import {exitCodes, UsageError} from '#cli/io/exit-codes.ts';
import {printTheme} from '#cli/logs/line-text.ts';
import {openChosenCluster} from '#cli/open/kube-flags.ts';
import type {Settings} from '#config/settings/settings.ts';
import type {RoleWanted} from './doctor/checks/cluster-role.ts';
import {checkConformance} from './doctor/checks/conformance-checks.ts';
import {checkToken, type Failure, type Finding, findingRecord, formatFinding, found} from './doctor/checks/finding.ts';
import {checkNetwork} from './doctor/checks/network-checks.ts';
import {checkService} from './doctor/checks/service-checks.ts';
import {formatList} from './format-list.ts';

/**
 * Runs `branchlog doctor`: prints one row per check, or with `--format json` a record of each; below the rows, or alone
 * with `--format role`, the Role of a cluster. Resolves to the exit code of the first failure.
 */
export const runDoctor = async (input: CommandInput): Promise<number> => {
  const {parsed, io, output, signal} = input;
  const format = flagChoice(parsed, 'format', doctorFormats) ?? 'text';
  const isCluster = parsed.switches.has('kube');
  readLimits(parsed, format);
  if (format === 'role' && !isCluster) {
    throw new UsageError('--format role needs --kube: a service has no Role');
  }
  if (isCluster && parsed.switches.has('conformance')) {
    throw new UsageError('--conformance checks a service: leave out --kube');
  }
  const wanted: RoleWanted = {};
  const findings: Finding[] = [];
  for await (const finding of isCluster ? examineCluster(input, wanted) : examine(input)) {
    findings.push(finding);
    if (format === 'text') {
      await output.write(formatFinding(finding, printTheme(io)), signal);
    } else if (format === 'role' && finding.status === 'FAIL') {
      input.say(`${finding.subject}: ${finding.words}`);
    }
  }
  if (format === 'json' || format === 'json-array') {
    await output.write(formatList(parsed, {records: findings.map(findingRecord), formatTable: () => ''}), signal);
  } else if (wanted.role !== undefined && (wanted.isMissing || format === 'role')) {
    await output.write(`${format === 'text' ? '\n' : ''}${wanted.role}`, signal);
  }
  return findings.find(finding => finding.status === 'FAIL')?.exitCode ?? exitCodes.done;
};

/** Sections that only the screens use, and may refuse. */
const checkScreenSettings = async (settings: Settings): Promise<readonly Failure[]> => {
  const failures = keymapFaults(settings).map(configFailure);
  try {
    readNamedFilters(settings.filters);
    await readNotifyRules(settings.notify);
    return failures;
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }
    return [...failures, configFailure(error.message)];
  }
};

/** The program of `[notify]` that is run on calls; it is not run here. */
const checkNotifyProgram = async (
  [program]: readonly string[],
  path: string | undefined,
): Promise<readonly Finding[]> => {
  if (program === undefined) {
    return [];
  }
  const fault = await findProgramFault(program, process.cwd());
  const words = fault ?? ((await isProgram(program, path)) ? undefined : 'does not exist, or is not executable');
  const action = 'correct command in [notify], or the permissions of its file';
  return words === undefined
    ? [found.ok('notify', `${program} can be run`)]
    : [found.fail('notify', `the program ${program} ${words}`, action, exitCodes.usage)];
};

const configFailure = (words: string): Failure =>
  found.fail(
    'config',
    words,
    'correct it in the config file; see man branchlog-config or docs/configuration.md',
    exitCodes.usage,
  );

/** Each step needs the previous ones; checks that are impossible for that reason are reported as skipped. */
async function* examine({parsed, io, signal}: CommandInput): AsyncGenerator<Finding> {
  let settings: Settings;
  try {
    settings = await readSettingsBeforeScreens(parsed, io);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }
    const failure = configFailure(error.message);
    yield hasConfigFile(parsed, io) ? failure : {...failure, action: 'run branchlog init, then branchlog doctor again'};
    yield found.skip('the rest', 'needs a valid config');
    return;
  }
  const {context, configPath} = settings;
  const source = configPath === undefined ? 'no config file, settings come from flags and environment' : configPath;
  const failures = await checkScreenSettings(settings);
  yield* failures;
  if (failures.length === 0) {
    yield found.ok('config', `${source}; context ${context.name}, ${context.baseUrl}`);
  }
  yield* await checkNotifyProgram(settings.notify.command ?? [], io.env.PATH);
  for (const words of settings.warnings) {
    yield found.warn('config', words, 'correct the setting, unless you mean it');
  }

  const token = createTokenProvider(context.token, {env: io.env, nowMs: io.clock.nowMs});
  let canAsk = true;
  let isExpired = false;
  for (const finding of await checkToken(token, io.clock.nowMs())) {
    // Try an expired token anyway: this machine's clock may be wrong.
    canAsk &&= finding.status !== 'FAIL' || finding.subject !== 'token';
    isExpired ||= finding.status === 'FAIL' && finding.subject === 'expiry';
    yield finding;
  }
  for await (const finding of checkNetwork(context, io.env, io.clock.nowMs())) {
    canAsk &&= finding.status !== 'FAIL';
    yield finding;
  }
  if (!canAsk) {
    yield found.skip('service', 'needs a token and a connection');
    return;
  }
  // Without the context's `window` setting, so that the service's own declaration can be told apart.
  const client = connect({...settings, context: {...context, window: undefined, sources: undefined}}, io, () => {});
  try {
    let isReached = true;
    for await (const finding of checkService(client, context, {clock: io.clock, signal, isExpired})) {
      isReached &&= finding.status !== 'FAIL';
      yield finding;
    }
    if (parsed.switches.has('conformance')) {
      yield* isReached
        ? checkConformance(client, context, {clock: io.clock, signal})
        : [found.skip('convention', 'needs sites and a log that can be read')];
    }
  } finally {
    client.close();
  }
}

/** Checks the cluster that the flags name: the kubeconfig first, then what depends on it. Fills in `wanted`. */
async function* examineCluster({parsed, io, signal}: CommandInput, wanted: RoleWanted): AsyncGenerator<Finding> {
  const opened = await openChosenCluster(parsed, io).catch((error: unknown) => {
    if (error instanceof UsageError) {
      return error;
    }
    throw error;
  });
  if (opened instanceof UsageError) {
    yield found.fail(
      'kubeconfig',
      opened.message,
      'do that, or choose another file with --kubeconfig, another context with --kube-context',
      exitCodes.usage,
    );
    yield found.skip('the rest', 'needs a valid kubeconfig');
    return;
  }
  const {client, contextName, accessName, actsAs, isUnverified, namespace: own} = opened;
  const namespace = flagValue(parsed, 'namespace') ?? own;
  const context = contextName === undefined ? '' : `context ${contextName}, `;
  yield found.ok(
    'kubeconfig',
    `${context}namespace ${namespace}, ${accessName}${actsAs === undefined ? '' : `, acting as ${actsAs}`}`,
  );
  // Loaded on demand: the checks of a service need none of it.
  const {checkCluster} = await import('./doctor/checks/cluster-checks.ts');
  try {
    yield* checkCluster({client, isUnverified, namespace, nowMs: io.clock.nowMs, signal}, wanted);
  } finally {
    await client.close();
  }
}
