import type {CodeBase} from '../plan/code-base.ts';
import type {Random} from '../world/seed/random.ts';

export type RecordInput = {
  readonly random: Random;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly code: CodeBase;
};

const levelNumbers = {DEBUG: 100, INFO: 200, WARNING: 300, ERROR: 400, CRITICAL: 500} as const;

export type RecordContent = {
  readonly message: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly levelName: keyof typeof levelNumbers;
};

/** Writes one line of the application's own log: a JSON object with level, channel and context. */
export const writeRecord = (
  {random, atMs, code}: RecordInput,
  {message, context, levelName}: RecordContent,
): string => {
  const micros = String(random.integer(0, 999)).padStart(3, '0');
  return JSON.stringify({
    message,
    context,
    level: levelNumbers[levelName],
    level_name: levelName,
    channel: code.channel,
    datetime: new Date(atMs).toISOString().replace('Z', `${micros}+00:00`),
    extra: {request_id: random.text('0123456789abcdef', 12)},
  });
};
