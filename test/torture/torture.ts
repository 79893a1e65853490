import {spawn} from 'node:child_process';
import {cpSync, existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {openReplayFile} from '#api/recording/files/replay-file.ts';
import {RecordingError} from '#api/recording/recording-format.ts';
import {type SampleService, sampleToken, startSampleService} from '../program/sample-service.ts';
import {builtProgram, compiledOnce} from '../support/built-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';

/** One run of the built program in which one call failed. */
type Run = {
  /** The call that failed, with its code; undefined if the program made fewer calls. */
  readonly failed: string | undefined;
  /** What does not hold. */
  readonly wrongs: readonly string[];
};

type RunOptions = {readonly service: SampleService; readonly home: TempFolder; readonly env: NodeJS.ProcessEnv};

/** What a device, a full disk and an administrator answer. */
const codes = ['EIO', 'ENOSPC', 'EACCES'] as const;

const hook = join(import.meta.dirname, '../program/fixtures/fail-nth-call.ts');
/** Generous, because the machine may be busy with other tests; a run that ends does not wait for it. */
const hangMsMax = 40_000;

const lineOf = (number: number): string =>
  `2026-11-21T14:00:${String(number).padStart(2, '0')}.000000000Z line ${number}`;

/** Each window has ten new lines, and five of the one before. */
const growLog = (service: SampleService): void => {
  let windows = 0;
  service.setLog('b-master', () => {
    windows += 1;
    return {lines: Array.from({length: windows * 10}, (_, number) => lineOf(number)).slice(-15)};
  });
};

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

const namesIn = (home: TempFolder, pattern: RegExp): readonly string[] =>
  readdirSync(home.path, {recursive: true, encoding: 'utf8'}).filter(name => pattern.test(name));

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** What holds of every run, whatever failed in it. */
const findWrongs = async (home: TempFolder, output: string): Promise<readonly string[]> => {
  const recording = join(home.path, 'recording.ndjson');
  let recordingWrong: string | undefined;
  if (textOf(recording) !== '') {
    try {
      await (await openReplayFile(recording)).close();
    } catch (error) {
      // One that ended before anything was recorded is told to be empty.
      if (!(error instanceof RecordingError) || textOf(recording).split('\n').length > 2) {
        recordingWrong = `the recording cannot be played: ${String(error)}`;
      }
    }
  }
  const broken = namesIn(home, /\.json$/).filter(name => !isJson(textOf(join(home.path, name))));
  return [
    ...(/\n {4}at |Unhandled|unexpected|fault of its own/.test(output) ? ['it crashed'] : []),
    ...(output.includes(sampleToken) ? ['the token is in its output'] : []),
    ...(recordingWrong === undefined ? [] : [recordingWrong]),
    ...broken.map(name => `${name} is no JSON`),
  ];
};

/** Follows a log that is recorded until its line 39. */
const runLogs = async ({service, home, env}: RunOptions): Promise<Omit<Run, 'failed'> & {readonly seen: string}> => {
  growLog(service);
  const recording = join(home.path, 'recording.ndjson');
  const flags = ['--follow', '--interval', '250ms', '--format', 'raw', '--until', 'line 39', '--record', recording];
  const child = spawn(builtProgram.command, [builtProgram.launcher, 'logs', 'shop', 'master', ...flags], {
    env: {PATH: process.env.PATH, ...compiledOnce, HOME: home.path, TZ: 'UTC', ...env},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), hangMsMax);
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  clearTimeout(timer);
  const printed = out.split('\n').slice(0, -1);
  const whole = Array.from({length: 40}, (_, number) => lineOf(number));
  const isInOrder = printed.every((line, index) => whole.indexOf(line) > whole.indexOf(printed[index - 1] ?? ''));
  const isGapTold = /possible gap/.test(err);
  return {
    seen: `exit code ${code}, ${printed.length} lines, ${err.trim()}`,
    wrongs: [
      ...(code === null ? ['it hung'] : []),
      ...(isInOrder ? [] : [`its lines are not each once and in order: ${printed.join(' ')}`]),
      ...(code === 0 && printed.length < whole.length && !isGapTold ? ['it lost lines and did not tell'] : []),
      ...(code === 0 && !printed.includes(lineOf(39)) ? ['it ended with 0 before it was through'] : []),
      ...(code !== 0 && !/^branchlog: .+/m.test(err) ? [`it ended with ${code} and no sentence`] : []),
      ...(await findWrongs(home, out + err)),
    ],
  };
};

/** Opens a log that is recorded, marks a line, saves the log and quits. */
const runScreens = async ({service, home, env}: RunOptions): Promise<Omit<Run, 'failed'> & {readonly seen: string}> => {
  const program = service.open({
    args: ['shop', 'master', '--record', join(home.path, 'recording.ndjson')],
    home,
    keepsMemory: true,
    env,
  });
  let told = '';
  let end = '';
  try {
    await program.waitFor('14:04:54.118', {deadlineMs: hangMsMax});
    program.press('M', 'Enter', 's');
    await program.waitFor('save lines to');
    program.press('Enter');
    const rows = await program.waitFor(/ saved 22 lines|could not be saved/);
    told = rows.at(-2) ?? '';
    program.press('q');
    end = `ended with ${await program.exitCode({deadlineMs: hangMsMax})} `;
  } catch (error) {
    end = error instanceof Error ? error.message : '';
  }
  const isGone = program.hasExited();
  const failed = textOf(env.TORTURE_FAILED ?? '');
  // A terminal that takes no bytes cannot be restored, and a file that cannot be removed stays.
  const isRestored = !program.altScreenActive() && program.cursorShown();
  const isTerminalLost = failed.includes('terminal');
  const endsAllowed = isTerminalLost ? /ended with (?:129|0) / : /ended with [02] /;
  await program.close();
  const saved = namesIn(home, /^[^/]*\.log$/).map(name => textOf(join(home.path, name)).split('\n').length - 1);
  const temporary = namesIn(home, /\.(?:tmp|partial)$/);
  return {
    seen: `${told}; ${end.replaceAll(/[\s│]+/g, ' ')}`,
    wrongs: [
      ...(isGone ? [] : ['it hung']),
      ...(isRestored || isTerminalLost ? [] : ['the terminal is not restored']),
      ...(endsAllowed.test(end) ? [] : ['its exit code is not of the contract']),
      ...(told.includes(' saved 22 lines') && saved[0] !== 22 ? ['what it saved is not what it said'] : []),
      ...(told.includes('could not be saved') && saved.length > 0 ? ['it left a file that it did not save'] : []),
      ...(/ (?:rm|unlink) /.test(failed) || isTerminalLost ? [] : temporary.map(name => `it left ${name}`)),
      ...(/ handle\.write /.test(failed) && !/recording .* stops here/.test(program.output())
        ? ['it did not tell that the recording stops']
        : []),
      ...(await findWrongs(home, program.output())),
    ],
  };
};

const runs = {logs: runLogs, screens: runScreens};

/**
 * Runs the built program again and again, and lets another call to the file system or the network fail in each run: the
 * calls `numbers` (from 1). Returns what does not hold, with the seed and the number of the call, and whether the program makes as many
 * calls as the last number.
 */
export const torture = async (
  what: keyof typeof runs,
  {seed, numbers}: {readonly seed: number; readonly numbers: readonly number[]},
): Promise<{readonly wrongs: readonly string[]; readonly didFail: boolean}> => {
  const service = await startSampleService();
  const template = createTempFolder('torture');
  const wrongs: string[] = [];
  let didFail = false;
  const runWith = async (number: number): Promise<boolean> => {
    const home = createTempFolder('torture');
    cpSync(template.path, home.path, {recursive: true});
    const failedPath = join(home.path, 'failed');
    const code = codes[(number + seed) % codes.length];
    const env = {
      NODE_OPTIONS: `--no-warnings --import ${hook}`,
      TORTURE_CALL: String(number),
      TORTURE_CODE: code,
      TORTURE_FAILED: failedPath,
    };
    const run = await runs[what]({service, home, env});
    const failed = textOf(failedPath).trim();
    wrongs.push(...run.wrongs.map(wrong => `SEED=${seed}, ${what}: ${failed}: ${wrong} (${run.seen})`));
    home.remove();
    return failed !== '';
  };
  try {
    // A run in which nothing fails leaves the state of a user who has been here before.
    const first = service.open({args: ['shop', 'master']});
    await first.waitFor('14:04:54.118');
    first.press('M', 'Enter', 'q');
    await first.exitCode();
    cpSync(first.home, template.path, {recursive: true});
    for (const number of numbers) {
      didFail = await runWith(number);
    }
  } finally {
    await service.close();
    template.remove();
  }
  return {wrongs, didFail};
};
