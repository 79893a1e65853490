import type {RecordInput} from '../../lines/application-record.ts';
import {formatFpmTime} from '../../lines/clock-text.ts';
import type {CodeBase, Crash} from '../../plan/code-base.ts';

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
