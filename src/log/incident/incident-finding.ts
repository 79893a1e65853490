import {type Instant, instantToMs} from '#log/line/instant.ts';
import type {Anchor} from '#log/view/log-view.ts';

/** The subject of a finding, which is foreign text. */
export type SubjectKind = 'errors' | 'kind' | 'failed' | 'pod' | 'status' | 'request' | 'message' | 'source' | 'field';

/** A part of the time in which lines may be missing: of a gap, or older than what is held. */
export type Hole = {readonly kind: 'gap' | 'older'; readonly from: Instant; readonly to: Instant};

/** Whether it is more than chance. Weak findings are no trouble. */
export type Confidence = 'sure' | 'likely' | 'weak';

/**
 * A field's value that is common among the lines of a finding, and not among the others of the same time. `share` and
 * `others` are from 0 to 1.
 */
export type Who = {
  readonly field: string;
  readonly value: string;
  readonly share: number;
  readonly others: number;
};

/** How what a finding is about does in another branch in the same time. */
export type Elsewhere = {
  readonly branch: string;
  /** In the finding's unit; undefined if nothing was measured. */
  readonly now: number | undefined;
  /** Whether it is as wrong there. */
  readonly holds: boolean | 'unknown';
  readonly holes: readonly Hole[];
  /** Whose lines these are mostly there, where they are somebody's here. */
  readonly who?: readonly Who[];
};

/**
 * Something that is other than before, with what to look at. `rise`: more of it. `new`: a kind of warning or error that
 * was not there. `slower`: requests. `stopped`: lines that came steadily. `gone`: somebody who wrote. `storm`: one
 * message in masses. `fewer`: less of it since a deployment. `changed`: a field, or a rare line that says so.
 * `restart`: a line or a marker of one. `fatal`: a line that reports the end of a process or a node, of which one is
 * enough.
 */
export type IncidentFinding = {
  readonly what: 'rise' | 'slower' | 'stopped' | 'storm' | 'new' | 'gone' | 'fewer' | 'changed' | 'restart' | 'fatal';
  readonly of: SubjectKind;
  readonly subject: string;
  /** When it began: the first line of it, or the last of what stopped. */
  readonly since: Instant;
  /** It may have begun before the log held does. */
  readonly mayBeOlder: boolean;
  /** When it was over; undefined if it goes on. */
  readonly until: Instant | undefined;
  /** Undefined if nothing older is held. A field has values. */
  readonly before: number | string | undefined;
  readonly now: number | string | undefined;
  readonly unit: 'per minute' | 'ms' | 'share' | undefined;
  /** For rates, all lines a minute; for milliseconds and shares, the number of requests measured. */
  readonly total: number | undefined;
  readonly confidence: Confidence;
  /** The first and the last line of it, or of what was read of it. */
  readonly first: Anchor | undefined;
  readonly last: Anchor | undefined;
  /** The only one who wrote these lines, where others wrote some too. */
  readonly only: string | undefined;
  /** Whose lines these are mostly; three at most, the most telling first. */
  readonly who: readonly Who[];
  /** The same came and went before: how often, this time counted, and when first. */
  readonly waves?: {readonly count: number; readonly since: Instant} | undefined;
  /** How badly chance explains it, to rank it. */
  readonly evidence: number;
  /** The same in another branch, where it was compared. */
  readonly elsewhere?: Elsewhere;
};

/** Returns a finding; what is left out is unknown, or nothing. */
export const findingOf = (
  known: Pick<IncidentFinding, 'what' | 'of' | 'subject' | 'since'> & Partial<IncidentFinding>,
): IncidentFinding => ({
  ...{mayBeOlder: false, until: undefined, before: undefined, now: undefined, unit: undefined, total: undefined},
  ...{confidence: 'weak', first: undefined, last: undefined, only: undefined, who: [], evidence: 0},
  ...known,
});

/** A symptom that is more than chance: with one, something is found. */
export const isTrouble = (finding: IncidentFinding): boolean => finding.confidence !== 'weak' && !isChange(finding);

/** It is quiet once no error came for half a minute, and for so many times what passes between two of them. */
const quietTimes = 1.5;
const quietMsMin = 30_000;

/** Returns when the last error came, if it is quiet since up to a time: errors may go on, and they may not. */
export const quietSinceOf = ({of, now, last, until}: IncidentFinding, to: Instant): Instant | undefined => {
  if (of !== 'errors' || until !== undefined || last === undefined || typeof now !== 'number' || now <= 0) {
    return undefined;
  }
  return instantToMs(to - last.at) > Math.max(quietMsMin, (quietTimes * 60_000) / now) ? last.at : undefined;
};

/** Checks whether two findings, perhaps of different times, are about the same thing. */
export const isSameFinding = (a: IncidentFinding, b: IncidentFinding): boolean =>
  a.of === b.of && a.subject === b.subject && isOfMissing(a) === isOfMissing(b);

/** Its fault is that lines are missing: it is over when they come. */
export const isOfMissing = ({what}: IncidentFinding): boolean => what === 'stopped' || what === 'gone';

/** Checks whether a finding is what changed, not what is wrong. */
export const isChange = ({what}: Pick<IncidentFinding, 'what'>): boolean => what === 'changed' || what === 'restart';
