import type {IncidentReport} from '#log/incident/find-incident.ts';
import type {IncidentFinding} from '#log/incident/incident-finding.ts';
import type {SinceReport} from '#log/incident/since-change.ts';
import type {Asked, IncidentSource} from '#log/incident/verdict.ts';
import {formatClock} from '#log/line/instant.ts';
import type {Random} from './random.ts';

/** What is wrong with what was said of a log: by the measure that it counts for, and in words. */
export type Fault = {readonly measure: string; readonly why: string};

/** A log, what is asked of it, and what must be said of it. */
export type DrawnCase = {
  /** Of which kind it is. */
  readonly kind: string;
  /** Its figures, for people. */
  readonly words: string;
  readonly sources: readonly IncidentSource[];
  readonly asked: Asked;
} & (
  | {
      /** What is wrong with what is said of the time asked; nothing if it holds. */
      readonly judge: (report: IncidentReport) => readonly Fault[];
    }
  | {
      /** The same of what is other since the last deployment; undefined where none is known. */
      readonly judgeSince: (report: SinceReport | undefined) => readonly Fault[];
    }
);

/** A row of the table of what must hold. */
export type Row = {
  readonly name: string;
  /** So many logs. */
  readonly count: number;
  /** Among so many are all kinds of them. */
  readonly kindCount: number;
  /** So many of them may fail, by measure. */
  readonly allowed: Readonly<Record<string, number>>;
  /** Draws the log of a place in the row; `linesMax` bounds how long one is. */
  readonly draw: (random: Random, index: number, linesMax: number) => DrawnCase;
};

/** A finding for people. */
export const toldOf = ({what, subject, since, until, before, now, confidence}: IncidentFinding): string =>
  [
    what,
    subject,
    `${formatClock(since)}${until === undefined ? '' : ` to ${formatClock(until)}`}`,
    `${rounded(before)} -> ${rounded(now)}`,
    confidence,
  ].join(', ');

const rounded = (value: IncidentFinding['now']): string =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : (value ?? '?');

/** What was found, for people. */
export const foundWords = ({findings}: IncidentReport): string =>
  findings.length === 0 ? 'nothing' : findings.slice(0, 3).map(toldOf).join('; ');

/** Why nobody can tell, or the verdict. */
export const verdictWords = ({verdict}: Pick<IncidentReport, 'verdict'>): string =>
  verdict.kind === 'unknown' ? `unknown, ${verdict.why.why}` : verdict.kind;

/** `1 h 12 min`, `4 min 10 s`. */
export const spanWords = (seconds: number): string =>
  seconds < 60
    ? `${Math.round(seconds)} s`
    : seconds < 600
      ? `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
      : `${Math.round(seconds / 60)} min`;
