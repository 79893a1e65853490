import {formatInstant} from '#log/line/instant.ts';
import {levelOf} from '#log/reading/level.ts';
import {readJsonText, tableOf} from '#service/link/object-fields.ts';
import type {LineSourceContext} from '#service/served/line-source.ts';
import {splitLines} from '#service/window/split-lines.ts';
import {type RunningCommand, runCommand} from './run-command.ts';

/** Pause between two looks while no entry has come. */
const searchIntervalMs = 15_000;
/** Characters of its answer that are kept. */
const answerCharsMax = 1_000;

/**
 * Creates a search for a journal on this machine, and for an entry in it: a `journalctl --follow` that finds no journal
 * waits for one without a word. `folder`: the folder that journalctl runs in. `choice`: its arguments that choose the
 * entries.
 */
export const createJournalSearch = (
  {folder, choice}: {readonly folder: string; readonly choice: () => readonly string[]},
  {wake, monotonicMs}: Pick<LineSourceContext, 'wake' | 'monotonicMs'>,
) => {
  let running: RunningCommand | undefined;
  let nextMs = Number.NEGATIVE_INFINITY;
  let answer = '';
  let fault: string | undefined;
  let found: boolean | undefined;
  return {
    /** Looks again if it is time. Not needed once an entry has come. */
    turn: (): void => {
      if (running && running.outcome() !== undefined) {
        found = running.takeOutput().bytes.includes('"__CURSOR"');
        running = undefined;
        fault = answer.includes('No journal files were found')
          ? 'journalctl found no journal on this machine'
          : undefined;
      }
      if (!running && monotonicMs() >= nextMs) {
        nextMs = monotonicMs() + searchIntervalMs;
        answer = '';
        running = runCommand({
          command: [
            'journalctl',
            '--lines=1',
            '--no-pager',
            '--output=json',
            '--output-fields=MESSAGE_ID',
            ...choice(),
          ],
          folder,
          kind: 'tool',
          onChange: wake,
          onErrorOutput: bytes => {
            answer = (answer + bytes.toString()).slice(0, answerCharsMax);
          },
        });
      }
    },
    /** Whether there was an entry; undefined until the first look has ended. */
    found: (): boolean | undefined => found,
    /** Says that there is none; undefined if there is one, or nobody has looked. */
    fault: (): string | undefined => fault,
    close: async (): Promise<void> => {
      await running?.stop();
    },
  };
};

/** The message of journald that it dropped messages of a unit, which wrote more than its rate limit allows. */
export const droppedMessageId = 'a596d6fe7bfa4994828e72309e95d61e';

/** An entry of the journal, as `journalctl -o json` prints it. */
export type JournalEntry = {
  /** Its place in the journal. */
  readonly cursor: string;
  /**
   * Its message as container lines, `<stamp> stdout F <text>`, which keep their stamp. The lines of a message all have
   * the same.
   */
  readonly lines: readonly string[];
  /** The unit that wrote it, and the one that it is about. */
  readonly units: readonly string[];
  readonly identifier: string | undefined;
  /** Set if the entry only says that messages of this unit were dropped, and how many if it is reported. */
  readonly dropped: {readonly unit: string; readonly messages: number | undefined} | undefined;
};

/** `warning` and worse, which a service marks with `<4>` to `<0>` when it prints to the journal. */
const tellingPriority = /^[0-4]$/;

/**
 * Parses one line of output. Returns undefined if it is no entry. An entry without a message has no lines. A priority
 * of warning or worse comes back as the prefix that journald took off, unless the text has a level of its own.
 */
export const parseJournalEntry = (line: string): JournalEntry | undefined => {
  const fields = tableOf(readJsonText(line));
  const {__CURSOR: cursor, __REALTIME_TIMESTAMP: micros, PRIORITY: priority} = fields ?? {};
  if (typeof cursor !== 'string' || typeof micros !== 'string' || !/^\d{1,17}$/.test(micros)) {
    return undefined;
  }
  const messages = readTexts(fields?.MESSAGE);
  const units = [fields?._SYSTEMD_UNIT, fields?.UNIT].filter(unit => typeof unit === 'string');
  const identifier = typeof fields?.SYSLOG_IDENTIFIER === 'string' ? fields.SYSLOG_IDENTIFIER : undefined;
  if (fields?.MESSAGE_ID === droppedMessageId) {
    const words = messages[0]?.toString() ?? '';
    const count = /^Suppressed (\d{1,15}) /.exec(words)?.[1];
    const dropped = {unit: words.split(/[ /]/).at(-1) ?? '', messages: count === undefined ? undefined : Number(count)};
    return {cursor, lines: [], units, identifier, dropped};
  }
  const stamp = formatInstant(BigInt(micros) * 1000n);
  /** `prefix`: a part of the first line. */
  const split = (prefix: string): readonly string[] =>
    messages.flatMap((message, index) => {
      const bytes = index === 0 ? Buffer.concat([Buffer.from(prefix), message]) : message;
      return bytes.length === 0 ? [''] : splitLines(bytes, {atEnd: true}).lines;
    });
  const texts = split('');
  const isTelling = typeof priority === 'string' && tellingPriority.test(priority);
  const isBare = isTelling && texts.every(text => levelOf(text) === 'none');
  return {
    cursor,
    lines: (isBare ? split(`<${priority}>`) : texts).map(text => `${stamp} stdout F ${text}`),
    units,
    identifier,
    dropped: undefined,
  };
};

/** A field is a text, an array of bytes if it is not UTF-8, or an array of these if an entry has it more than once. */
const readTexts = (value: unknown): readonly Buffer[] => {
  if (typeof value === 'string') {
    return [Buffer.from(value)];
  }
  if (!Array.isArray(value)) {
    return [];
  }
  return value.every(byte => typeof byte === 'number') ? [Buffer.from(value)] : value.flatMap(readTexts);
};
