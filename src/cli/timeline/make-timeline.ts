import {doWork} from '#api/client/do-work.ts';
import {formatSecond, type TimelineLog, type TimelineRow, timelineOf} from '#app/timeline/timeline.ts';
import {basisWords} from '#app/words/verdict-words.ts';
import {openGuardFiles} from '#cli/guard/guard-files.ts';
import type {Clock} from '#cli/io/io.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import type {Asked, TimeSpan} from '#log/incident/verdict.ts';
import {earliestOf, type Instant, latestOf, parseInstant} from '#log/line/instant.ts';
import {formatCount} from '#log/words/format-count.ts';

/** What the guard of a site told on this machine; null: of all branches. */
type Told = {
  readonly at: Instant;
  readonly branch: string | null;
  readonly text: string;
  readonly basis: string | null;
};

/** Reads what the guard of a site told. `tell` gets a sentence if that cannot be read. */
export const readTold = async (
  folder: string,
  key: {readonly contextName: string; readonly siteId: string},
  {clock, tell}: {readonly clock: Clock; readonly tell: (sentence: string) => void},
): Promise<readonly Told[]> => {
  const history = await openGuardFiles(folder, key, clock)
    .readHistory()
    .catch((error: unknown) => {
      tell(`cannot read what the guard told: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    });
  return history.flatMap(({at, branch, what, text, basis, silenced}) => {
    const instant = parseInstant(at);
    const words = `${what}${silenced ? ' (silenced: paged nobody)' : ''}: ${text}`;
    return instant === undefined ? [] : [{at: instant, branch, text: words, basis}];
  });
};

type TimelineInput = {
  readonly logs: readonly Omit<TimelineLog, 'report' | 'told'>[];
  readonly asked: Asked;
  readonly told: readonly Told[];
  /** Marks of which nobody knows whose log they are in. */
  readonly marks?: TimelineLog['marks'];
  /** Where nothing is held. */
  readonly now: Instant;
};

export type Timeline = {
  readonly rows: readonly TimelineRow[];
  readonly leftOut: number;
  readonly span: TimeSpan;
  readonly bases: readonly {readonly branch: string; readonly basis: string}[];
};

/** Judges each log for itself, and returns what happened in all of them. */
export const makeTimeline = async (
  {logs, asked, told, marks = [], now}: TimelineInput,
  signal: AbortSignal,
): Promise<Timeline> => {
  const judged: TimelineLog[] = [];
  for (const log of logs) {
    const report = await doWork(findIncident([log.source], {asked}), signal);
    judged.push({...log, report, told: told.filter(({branch}) => branch === log.branch)});
  }
  const spans = judged.map(({report}) => report.basis.asked);
  const span = {
    from: earliestOf(spans.map(({from}) => from)) ?? now,
    to: latestOf(spans.map(({to}) => to)) ?? now,
  };
  const ofAll = {told: told.filter(({branch}) => branch === null), marks};
  const bases = judged.map(({branch, report}) => ({branch, basis: basisWords(report, formatSecond)}));
  return {...timelineOf(judged, ofAll, span), span, bases};
};

/** Clocks that differ by less are told to agree: a service tells its time in seconds, and an answer takes time. */
const agreeMs = 2000;

/** Says by whose clock the times are. `aheadMs`: of that of this machine; undefined if the service tells no time. */
export const clockWords = (part: string | undefined, aheadMs: number | undefined): string => {
  if (part === 'file') {
    return 'Times are those in the lines.';
  }
  if (aheadMs === undefined) {
    return 'Times are those of the lines; the service tells no time of its own.';
  }
  const skew = `${formatCount(Math.round(Math.abs(aheadMs) / 1000))} s ${aheadMs < 0 ? 'behind' : 'ahead of'} that of the machine`;
  const agrees = 'agrees with that of the machine';
  return `Times are the service's, whose clock ${Math.abs(aheadMs) < agreeMs ? agrees : `is ${skew}`} where this was written.`;
};
