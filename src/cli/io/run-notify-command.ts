import {maskSecrets} from '#base/secret.ts';
import {runBounded} from '#base/system/programs.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {describeStartError} from '#service/command/run-command.ts';

/** Time to hand a message to a chat or a pager over a slow network. */
const notifyMsMax = 20_000;
/** Its output is dropped; who prints more does something else than to notify. */
const outputBytesMax = 1024 * 1024;

/** Fields that hold text of lines. Names of branches and pods may be long, and would be mistaken for keys. */
const foreignFields: ReadonlySet<string> = new Set(['subject', 'before', 'now', 'line', 'text']);

const safeRow = (record: object): string =>
  stringifySafe(
    Object.fromEntries(
      Object.entries(record).map(([name, value]: [string, unknown]) => [
        name,
        typeof value === 'string' && foreignFields.has(name) ? sanitise(maskSecrets(value)) : value,
      ]),
    ),
  );

type NotifyRun = {
  /** The program and its arguments. No shell interprets them. */
  readonly command: readonly string[];
  /** They go to its standard input, one JSON record a row. */
  readonly records: readonly object[];
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
};

/**
 * Runs the user's command on what was found, and waits for its end. Returns why it failed, as a sentence. All that it
 * started ends with it, and with this process.
 */
export const runNotifyCommand = async ({command, records, env, signal}: NotifyRun): Promise<string | undefined> => {
  const outcome = await runBounded({
    ...{command, kind: 'command', env, timeoutMs: notifyMsMax, outputBytesMax},
    input: records.map(record => `${safeRow(record)}\n`).join(''),
    ...(signal && {signal}),
  });
  // Its arguments may hold secrets.
  const sentence = (words: string): string => `the notify command (${command[0] ?? 'empty'}) ${words}`;
  switch (outcome.kind) {
    case 'done':
    case 'stopped':
      return undefined;
    case 'refused':
      return sentence(outcome.words);
    case 'failed':
      return sentence(`${outcome.words}: run it by hand to see why`);
    case 'notStarted':
      return sentence(describeStartError(outcome.error));
    case 'tooLong':
      return sentence(`did not end within ${notifyMsMax / 1000} s and was stopped`);
    case 'tooMuch':
      return sentence(`printed more than ${outputBytesMax / 1024 / 1024} MB and was stopped`);
    default:
      return outcome satisfies never;
  }
};
