/** The exports of `branchlog/log`: the log engine, which is pure. */

export {entryAt, indexAtOrAfter, type LineBuffer, sliceEntries} from '#log/buffer/buffer.ts';
export type {IncidentReport} from '#log/incident/find-incident.ts';
export type {IncidentFinding} from '#log/incident/incident-finding.ts';
export type {
  Asked,
  Basis,
  TimeSpan,
  Uncovered,
  UncoveredReason,
  Verdict as IncidentVerdict,
} from '#log/incident/verdict.ts';
export {type BranchLog, createBranchLog, type LogWindow} from '#log/ingest/branch-log.ts';
export type {WindowVerdict as Verdict} from '#log/ingest/completeness.ts';
export type {Numbered} from '#log/ingest/numbered.ts';
export {createPace, type Pace, type PaceInput, type PaceStep, stepPace} from '#log/ingest/pace.ts';
export type {Pod} from '#log/ingest/pods.ts';
export type {WindowTaken} from '#log/ingest/take-unnumbered.ts';
export {takeWindow} from '#log/ingest/take-window.ts';
export type {SourceName} from '#log/line/entry.ts';
export {
  type Change,
  type ChangeMarker,
  type Entry,
  type GapMarker,
  type GapReason,
  type HorizonMarker,
  type LineEntry,
  type Marker,
  type PodMarker,
  type QuietMarker,
  textOf,
} from '#log/line/entry.ts';
export {formatInstant, type Instant, instantFromMs, instantToMs, parseInstant} from '#log/line/instant.ts';
export type {Proof} from '#log/line/proof.ts';
export type {FieldSpan} from '#log/reading/find-fields.ts';
export {findFields} from '#log/reading/find-fields.ts';
export {levelOf} from '#log/reading/level.ts';
export {sanitise, showRaw} from '#log/text/sanitise.ts';
export {type Level, levelRank} from '#log/tokens/level-words.ts';
export type {Arrivals, Loss, Numbering, NumberRun, ReadUpTo, SourceRun, WindowCut} from '#log/window/window-claims.ts';
export {describeMarker} from '#log/words/describe-marker.ts';
export {type JudgedLog, judgeIncident} from './judge-incident.ts';
