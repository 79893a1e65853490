import type {CodeBase, Crash} from '../plan/plans.ts';
import type {Random} from '../seed/random.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const partsOf = (atMs: number) => {
  const iso = new Date(atMs).toISOString();
  return {
    year: iso.slice(0, 4),
    month: months[Number(iso.slice(5, 7)) - 1] ?? '',
    day: iso.slice(8, 10),
    clock: iso.slice(11, 19),
  };
};

/** Formats a moment as in a web server's access log: `21/Nov/2026:14:11:58 +0000`. */
export const formatAccessTime = (atMs: number): string => {
  const {year, month, day, clock} = partsOf(atMs);
  return `${day}/${month}/${year}:${clock} +0000`;
};

/** Formats a moment as in a web server's error log: `2026/11/21 14:11:58`. */
export const formatErrorTime = (atMs: number): string => {
  const iso = new Date(atMs).toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '/')} ${iso.slice(11, 19)}`;
};

/** Formats a moment as PHP-FPM does: `21-Nov-2026 14:11:58`. */
const formatFpmTime = (atMs: number): string => {
  const {year, month, day, clock} = partsOf(atMs);
  return `${day}-${month}-${year} ${clock}`;
};

export type RecordInput = {
  readonly random: Random;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly code: CodeBase;
};

const levelNumbers = {DEBUG: 100, INFO: 200, WARNING: 300, ERROR: 400, CRITICAL: 500} as const;

type RecordContent = {
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

/** Writes a PHP message that does not stop the script: a warning, a deprecation. */
export const drawComplaint = ({random, code}: RecordInput): string => {
  const {message, file, lineNumber} = random.pick(code.complaints);
  return `NOTICE: PHP message: PHP ${message} in ${code.appRoot}/${file} on line ${lineNumber}`;
};

/** Returns the frames of a crash, innermost first, numbered as in a trace. */
export const frameLines = (code: CodeBase, {frames}: Crash): readonly string[] => [
  ...frames.map((frame, index) => `#${index} ${code.appRoot}/${frame}`),
  `#${frames.length} {main}`,
];

/**
 * Writes a fatal error with its trace: several lines, each a line of the log, as the application server writes them.
 */
export const writeCrash = (code: CodeBase, crash: Crash): readonly string[] => {
  const {error, file, lineNumber, frames} = crash;
  const place = `${code.appRoot}/${file}`;
  if (frames.length === 0) {
    return [`NOTICE: PHP message: PHP Fatal error:  ${error} in ${place} on line ${lineNumber}`];
  }
  return [
    `NOTICE: PHP message: PHP Fatal error:  ${error} in ${place}:${lineNumber}`,
    'Stack trace:',
    ...frameLines(code, crash),
    `  thrown in ${place} on line ${lineNumber}`,
  ];
};

/** Writes a random fatal error of the site's code. */
export const drawCrash = ({random, code}: RecordInput): readonly string[] =>
  writeCrash(code, random.pick(code.crashes));

/** Writes a message of PHP-FPM about a lack of workers or a slow script. */
export const drawPoolLine = ({random, atMs, code}: RecordInput): string => {
  const head = `[${formatFpmTime(atMs)}] WARNING: [pool www]`;
  if (random.chance(0.3)) {
    return `${head} server reached pm.max_children setting (12), consider raising it`;
  }
  const seconds = (5 + random.fraction() * 3).toFixed(6);
  const child = random.integer(18, 74);
  return `${head} child ${child}, script '${code.webRoot}/index.php' (request: "GET /index.php") executing too slow (${seconds} sec), logging`;
};

/** Returns PHP-FPM's messages when its pod starts. */
export const podStartLines = (atMs: number): readonly string[] => [
  `[${formatFpmTime(atMs)}] NOTICE: fpm is running, pid 1`,
  `[${formatFpmTime(atMs)}] NOTICE: ready to handle connections`,
];

/** Returns PHP-FPM's messages when its pod is asked to stop. */
export const podStopLines = (atMs: number): readonly string[] => [
  `[${formatFpmTime(atMs)}] NOTICE: Finishing ...`,
  `[${formatFpmTime(atMs)}] NOTICE: exiting, bye-bye!`,
];
