import {ApiError} from '#api/client/api-error.ts';
import type {TokenProvider} from '#api/client/token.ts';
import type {Tone} from '#app/rows/view-row.ts';
import {quoteForShell} from '#base/system/find-distrust.ts';
import {callAdvice, exitCodeOf} from '#cli/io/exit-codes.ts';
import {formatElapsed, wrapWords} from '#cli/io/format.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {paintTone} from '#ui/paint-screen.ts';
import type {Theme} from '#ui/theme.ts';

type Checked = {
  /** The subject of the check, in a word or two. */
  readonly subject: string;
  /** The result. */
  readonly words: string;
};

/** The result of one check. A warning or failure has one cause, and says what to do about it. */
export type Finding =
  /** `skip`: could not be checked, because an earlier check failed. */
  | (Checked & {readonly status: 'ok' | 'skip'})
  | (Checked & {readonly status: 'warn'; readonly action: string})
  | Failure;

export type Failure = Checked & {readonly status: 'FAIL'; readonly action: string; readonly exitCode: number};

/** The outcome of a check: its subject, the result, and the action to take. */
export const found = {
  ok: (subject: string, words: string): Finding => ({status: 'ok', subject, words}),
  skip: (subject: string, words: string): Finding => ({status: 'skip', subject, words}),
  warn: (subject: string, words: string, action: string): Finding => ({status: 'warn', subject, words, action}),
  fail: (subject: string, words: string, action: string, exitCode: number): Failure => ({
    status: 'FAIL',
    subject,
    words,
    action,
    exitCode,
  }),
};

/** Returns the finding for a failed request, or a token that can't be used. Throws other errors. */
export const explainFailure = (subject: string, error: unknown): Failure => {
  if (!(error instanceof ApiError)) {
    throw error;
  }
  return found.fail(subject, error.message, callAdvice[error.kind], exitCodeOf(error));
};

const subjectColumns = 12;
const statusColumns = 4;
/** Rows are wrapped for a terminal of 80 columns. */
const wordColumns = 80 - statusColumns - subjectColumns - 4;

const tones: Readonly<Record<Finding['status'], Tone>> = {ok: 'good', warn: 'warn', FAIL: 'bad', skip: 'dim'};

/** Formats one row, `ok    config       …`, wrapped within its column, and the action below it. */
export const formatFinding = (finding: Finding, theme: Theme | undefined): string => {
  const {status} = finding;
  const subject = sanitise(finding.subject);
  const word = status.padEnd(statusColumns);
  const painted = theme === undefined ? word : paintTone(word, tones[status], theme);
  const head = `${painted}  ${subject.padEnd(subjectColumns)}  `;
  const below = ' '.repeat(statusColumns + subjectColumns + 4);
  const words = wrapWords(sanitise(finding.words), wordColumns);
  const action = 'action' in finding ? wrapWords(`→ ${sanitise(finding.action)}`, wordColumns) : [];
  return `${[...words, ...action].map((row, index) => `${index === 0 ? head : below}${row}`).join('\n')}\n`;
};

/** Returns the finding as a record for `--format json`. */
export const findingRecord = (finding: Finding) => ({
  status: finding.status.toLowerCase(),
  subject: finding.subject,
  words: finding.words,
  action: 'action' in finding ? finding.action : null,
});

/** Warn if the token expires sooner than this: it may not last for a long session. */
const soonMs = 10 * 60_000;

/**
 * Checks the token: whether it can be read, who else can read its file, and when it expires by this machine's clock.
 */
export const checkToken = async (token: TokenProvider, nowMs: number): Promise<readonly Finding[]> => {
  try {
    const {notice} = await token.read();
    const place = token.describe();
    const findings: Finding[] =
      notice === undefined
        ? [found.ok('token', `read from ${place}`)]
        : [found.warn('token', notice, `run chmod 600 ${quoteForShell(place)}`)];
    return [...findings, checkExpiry(token.expiresAtMs(), nowMs, place)];
  } catch (error) {
    return [explainFailure('token', error)];
  }
};

const checkExpiry = (expiresAtMs: number | undefined, nowMs: number, place: string): Finding => {
  if (expiresAtMs === undefined) {
    return found.ok('expiry', 'the token has no readable expiry; it is sent as it is');
  }
  const leftMs = expiresAtMs - nowMs;
  const time = `${new Date(expiresAtMs).toISOString().slice(0, 19)}Z`;
  if (leftMs <= 0) {
    return found.fail(
      'expiry',
      `the token expired at ${time}`,
      `replace the one of ${place}`,
      exitCodeOf(new ApiError('token', 'expired')),
    );
  }
  return leftMs < soonMs
    ? found.warn('expiry', `in ${formatElapsed(leftMs)}, at ${time}`, `replace the one of ${place} soon`)
    : found.ok('expiry', `in ${formatElapsed(leftMs)}, at ${time}`);
};
