import type {CodeBase, Crash} from '../plan/code-base.ts';
import type {Random} from '../seed/random.ts';
import {formatFpmTime} from './clock-text.ts';

export type PhpInput = {
  readonly random: Random;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly code: CodeBase;
};

/** What PHP complains of while it goes on: a warning, a deprecation. */
export const drawComplaint = ({random, code}: PhpInput): string => {
  const {message, file, lineNumber} = random.pick(code.complaints);
  return `NOTICE: PHP message: PHP ${message} in ${code.appRoot}/${file} on line ${lineNumber}`;
};

/** The frames of a crash, innermost first, as a trace counts them. */
export const frameLines = (code: CodeBase, {frames}: Crash): readonly string[] => [
  ...frames.map((frame, index) => `#${index} ${code.appRoot}/${frame}`),
  `#${frames.length} {main}`,
];

/** A fatal error with its trace: several lines, each a line of the log, as the application server writes them. */
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

/** A fatal error of the site's code, any of them. */
export const drawCrash = ({random, code}: PhpInput): readonly string[] => writeCrash(code, random.pick(code.crashes));

/** What PHP-FPM says of itself when it is short of workers or a script is slow. */
export const drawPoolLine = ({random, atMs, code}: PhpInput): string => {
  const head = `[${formatFpmTime(atMs)}] WARNING: [pool www]`;
  if (random.chance(0.3)) {
    return `${head} server reached pm.max_children setting (12), consider raising it`;
  }
  const seconds = (5 + random.fraction() * 3).toFixed(6);
  const child = random.integer(18, 74);
  return `${head} child ${child}, script '${code.webRoot}/index.php' (request: "GET /index.php") executing too slow (${seconds} sec), logging`;
};

/** What PHP-FPM says when its pod starts. */
export const podStartLines = (atMs: number): readonly string[] => [
  `[${formatFpmTime(atMs)}] NOTICE: fpm is running, pid 1`,
  `[${formatFpmTime(atMs)}] NOTICE: ready to handle connections`,
];

/** What PHP-FPM says when its pod is told to stop. */
export const podStopLines = (atMs: number): readonly string[] => [
  `[${formatFpmTime(atMs)}] NOTICE: Finishing ...`,
  `[${formatFpmTime(atMs)}] NOTICE: exiting, bye-bye!`,
];
