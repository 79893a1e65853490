import type {Random} from '../random.ts';
import type {CodeBase} from './code-base.ts';

export type JsonInput = {
  readonly random: Random;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly code: CodeBase;
  readonly failing: boolean;
};

/** One line of the application's own log: a JSON object with level, channel and context. */
export const drawJsonLine = ({random, atMs, code, failing}: JsonInput): string => {
  const {message, subject} = random.pick(failing ? code.failures : code.news);
  const [level, levelName] = failing
    ? random.chance(0.8)
      ? [400, 'ERROR']
      : [500, 'CRITICAL']
    : random.chance(0.9)
      ? [200, 'INFO']
      : [100, 'DEBUG'];
  const micros = String(random.integer(0, 999)).padStart(3, '0');
  return JSON.stringify({
    message,
    context: {
      [subject]: random.integer(4000, 98_000),
      duration_ms: failing ? random.integer(5000, 9000) : random.integer(2, 340),
    },
    level,
    level_name: levelName,
    channel: code.channel,
    datetime: new Date(atMs).toISOString().replace('Z', `${micros}+00:00`),
    extra: {request_id: random.text('0123456789abcdef', 12)},
  });
};
