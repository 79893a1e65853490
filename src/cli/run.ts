import {isAbsolute} from 'node:path';
import {ApiError} from '#api/client/api-error.ts';
import {
  type CommandInput,
  flagChoice,
  flagValue,
  type ParsedArguments,
  parseArguments,
  readLeniently,
  suggestCommand,
} from '#cli/arguments/args.ts';
import {findCommand} from '#cli/arguments/commands.ts';
import {readSettings} from '#cli/connection/read-settings.ts';
import {errorRecord, exitCodeOf, exitCodes, failureWords, NotFoundError, UsageError} from '#cli/io/exit-codes.ts';
import {createSay, hasScreen, type Io, type Say, type StopSignal} from '#cli/io/io.ts';
import {createOutput, OutputClosed} from '#cli/io/output.ts';
import {chosenEngine} from '#cli/open/chosen-engine.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {setBlocking} from '#terminal/screen/frame-stream.ts';

/** The abort reason of a command that a signal ended. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

const codeBySignal: Readonly<Record<StopSignal, number>> = {
  SIGHUP: exitCodes.hungUp,
  SIGINT: exitCodes.interrupted,
  SIGQUIT: exitCodes.quit,
  SIGTERM: exitCodes.terminated,
};

/** The hidden command that completion scripts call. A site of this name can still be opened after `--`. */
const completeWord = '__complete';

/**
 * Runs a command line (without the program name) and resolves to its exit code. Never rejects. All output has left the
 * program by then. Each command is loaded when it is called, so that start-up does not pay for the others.
 */
export const run = async (argv: readonly string[], io: Io): Promise<number> => {
  const say = createSay(io.stderr);
  try {
    if (argv[0] === completeWord) {
      const {complete} = await import('#cli/commands/complete.ts');
      await createOutput(io.stdout).write(await complete(argv.slice(1), io));
      return exitCodes.done;
    }
    const parsed = parseArguments(argv);
    chooseColour(parsed, io.env);
    return await dispatch(parsed, io, say).catch((error: unknown) => {
      throw withSuggestion(error, parsed);
    });
  } catch (error) {
    if (error instanceof OutputClosed) {
      return exitCodeOf(error);
    }
    // What is wrong with the command line is told in the form that it asks for, too.
    if (flagValue(readLeniently(argv).parsed, 'format')?.startsWith('json')) {
      io.stderr.write(`${stringifySafe(errorRecord(error))}\n`);
    } else {
      say(failureWords(error));
    }
    return exitCodeOf(error);
  }
};

/** Applies `--color` as the variables that everything else reads, programs that branchlog starts among them. */
const chooseColour = (parsed: ParsedArguments, env: NodeJS.ProcessEnv): void => {
  const when = flagChoice(parsed, 'color', ['always', 'never']);
  if (when === undefined) {
    return;
  }
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE']) {
    delete env[name];
  }
  env[when === 'always' ? 'FORCE_COLOR' : 'NO_COLOR'] = 'yes';
};

/** Adds the command that was probably meant to the error of a site that is not known, as in `branchlog log shop`. */
const withSuggestion = (error: unknown, parsed: ParsedArguments): unknown => {
  const suggestion = suggestCommand(parsed);
  const isForeseen =
    error instanceof UsageError ||
    error instanceof NotFoundError ||
    (error instanceof ApiError && error.kind === 'notFound');
  return suggestion === '' || !isForeseen
    ? error
    : new UsageError(`"${parsed.operands[0]}" is not a command${suggestion} As a site: ${error.message}`, {
        cause: error,
      });
};

const dispatch = async (given: ParsedArguments, io: Io, say: Say): Promise<number> => {
  let parsed = given;
  const {switches} = given;
  if (switches.has('help') || switches.has('version')) {
    const {runInformation} = await import('#cli/commands/information.ts');
    return untilStopped(io, (signal, atEnd) =>
      runInformation({parsed, io, output: createOutput(io.stdout), say, signal, atEnd}),
    );
  }
  refuseRelativeHome(io.env.HOME);
  if (parsed.command === 'browse') {
    const {asOpened} = await import('#cli/open/as-opened.ts');
    parsed = await asOpened(parsed, io, say);
  }
  // These handle signals themselves: they have a terminal to restore or a server to stop.
  switch (parsed.command) {
    case 'browse':
      if (hasScreen(io)) {
        return (await import('#cli/screens/ui.ts')).runUi({parsed, io});
      }
      break;
    case 'open': {
      const engine = chosenEngine(parsed);
      const code = await (engine === undefined
        ? (await import('#cli/screens/open.ts')).runOpen({parsed, io})
        : (await import('#cli/screens/show-containers.ts')).showContainers(engine, {parsed, io}));
      if (code !== undefined) {
        return code;
      }
      break;
    }
    case 'demo':
      return (await import('#cli/screens/demo.ts')).runDemo({parsed, io});
    case 'kube':
      return (await import('#cli/screens/kube.ts')).runKube({parsed, io});
    case 'serve':
      return (await import('./serve.ts')).runServe({
        configPath: parsed.operands[0] ?? '',
        logsRequests: switches.has('log-requests'),
        stdout: io.stdout,
        stderr: io.stderr,
      });
  }
  // After Ctrl-S or on a stalled connection, a blocking write would block signals too.
  for (const stream of [io.stdout, io.stderr]) {
    if (stream.isTTY === true) {
      setBlocking(stream, false);
    }
  }
  return untilStopped(io, (signal, atEnd) =>
    runScripted({parsed, io, output: createOutput(io.stdout), say, signal, atEnd}),
  );
};

/** Otherwise files in the home folder would depend on the folder in which the program is started. */
const refuseRelativeHome = (home: string | undefined): void => {
  if (home && !isAbsolute(home)) {
    throw new UsageError(`HOME is "${sanitise(home)}", and must be an absolute path`);
  }
};

/** Runs one of the commands that only print. */
const runScripted = async (input: CommandInput): Promise<number> => {
  const {command, operands} = input.parsed;
  switch (command) {
    case 'open': {
      const engine = chosenEngine(input.parsed);
      return engine === undefined
        ? (await import('#cli/logs/print-opened.ts')).printOpened(input)
        : (await import('#cli/logs/print-containers.ts')).printContainers(engine, input);
    }
    case 'browse': {
      if (operands[0] === undefined) {
        // Says what to do first, if nothing is configured.
        await readSettings(input.parsed, input.io);
      }
      if (operands[1] === undefined) {
        throw new UsageError(
          'the terminal UI needs a terminal that supports control sequences. Without one, use branchlog sites, branchlog branches SITE and branchlog logs SITE BRANCH --follow',
        );
      }
      return (await import('#cli/logs/logs.ts')).runLogs(input, {alwaysFollow: true});
    }
    case 'logs':
      return (await import('#cli/logs/logs.ts')).runLogs(input);
    case 'incident':
      return (await import('#cli/logs/run-incident.ts')).runIncident(input);
    case 'export':
      return (await import('#cli/commands/export.ts')).runExport(input);
    case 'sites':
      return (await import('#cli/commands/sites.ts')).runSites(input);
    case 'branches':
      return (await import('#cli/commands/branches.ts')).runBranches(input);
    case 'init':
      return (await import('#cli/commands/init.ts')).runInit(input);
    case 'doctor':
      return (await import('#cli/commands/doctor.ts')).runDoctor(input);
    case 'completion':
      return (await import('#cli/commands/completion.ts')).runCompletion(input);
    case 'guard':
      return (await import('#cli/logs/run-guard.ts')).runGuard(input);
    case 'timeline':
      return (await import('#cli/logs/run-timeline.ts')).runTimeline(input);
    case 'mcp':
      return (await import('#cli/mcp/run-mcp.ts')).runMcp(input);
    default:
      throw new Error(`${findCommand(command).summary}: not a command that only prints`);
  }
};

/**
 * Returns 128 + the number of a signal as soon as it comes, whatever the command is waiting for. Aborts the command's
 * `signal`.
 */
const untilStopped = async (
  io: Io,
  command: (signal: AbortSignal, atEnd: CommandInput['atEnd']) => Promise<number>,
): Promise<number> => {
  const stop = new AbortController();
  const lastTasks: (() => Promise<void>)[] = [];
  const {promise: stopped, resolve} = Promise.withResolvers<number>();
  const unlisten = io.onStopSignal(name => {
    stop.abort(new Stopped(name));
    resolve(codeBySignal[name]);
  });
  try {
    return await Promise.race([command(stop.signal, task => lastTasks.push(task)), stopped]);
  } finally {
    unlisten();
    await finishWithin(io, lastTasks);
  }
};

/** A disk that no longer responds must not keep the program from ending. */
const lastTasksMsMax = 1000;

const finishWithin = async (io: Io, tasks: readonly (() => Promise<void>)[]): Promise<void> => {
  if (tasks.length === 0) {
    return;
  }
  const isDone = new AbortController();
  const timeIsUp = io.clock.sleep(lastTasksMsMax, isDone.signal).catch(() => {});
  await Promise.race([Promise.allSettled(tasks.map(task => task())), timeIsUp]);
  isDone.abort();
};
