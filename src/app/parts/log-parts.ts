import type {Command} from '#app/keys/keymap.ts';
import type {IncidentFinding} from '#log/incident/incident-finding.ts';
import type {RecoveryWatch} from '#log/incident/recovery-watch.ts';
import {type LineEntry, textOf} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {ChosenColumn} from '#log/reading/layout-context.ts';
import type {Anchor, LogView, SourcedEntry} from '#log/view/log-view.ts';
import type {TimeMode} from '#log/words/format-when.ts';

/** A snapshot of part of a log: lines that arrive later don't change it. */
export type Scope = {
  readonly view: LogView;
  /** Index of the first entry. */
  readonly first: number;
  /** Index after the last entry. */
  readonly end: number;
  /** How it was chosen: the whole buffer, the lines that pass the filters, or the picked lines. */
  readonly chosen: 'all' | 'filtered' | 'picked';
  /** Its lines leave the program as they were written, without the time before them. */
  readonly asWritten?: boolean;
  /** What the log consists of, in a word; pods where it is left out. */
  readonly part?: string;
};

/** A chunk holds eight times as many entries and takes a millisecond or two to read. */
const batchEntries = 64;

/** Yields the entries of a scope in batches, so that callers going through a million can yield to other work. */
export function* batchesOf({view, first, end}: Scope): Generator<readonly SourcedEntry[]> {
  for (let from = first; from < end; from += batchEntries) {
    yield view.slice(from, Math.min(batchEntries, end - from));
  }
}

/** Returns a line as it leaves the program: as received, or as it was written where `asWritten` is set. */
export const originalLine = (line: LineEntry, asWritten: boolean | undefined): string =>
  asWritten === true ? textOf(line) : line.raw;

/** Formats the lines of a scope as they leave the program, and leaves out its markers. */
export const formatOriginal =
  ({asWritten}: Scope) =>
  ({entry}: SourcedEntry): string | undefined =>
    entry.kind === 'line' ? originalLine(entry, asWritten) : undefined;

/** A file to write; `path` is as typed. */
export type SaveTarget = {readonly what: 'lines' | 'incident' | 'timeline'; readonly path: string};

/** The save in progress. One file at a time. */
export type Saving =
  | {readonly kind: 'idle'}
  /** `share`: the part done, 0 to 1. */
  | (SaveTarget & {readonly kind: 'writing'; readonly share: number})
  /** The file already exists; entering the same path again replaces it. */
  | (SaveTarget & {readonly kind: 'exists'});

/** A finding of which the user wants to know whether it stopped. It is kept while its log is in memory. */
export type FindingWatch = {
  readonly finding: IncidentFinding;
  /** Safe to draw. */
  readonly name: string;
  /** One for each of the log's sources. */
  readonly perSource: readonly RecoveryWatch[];
  /** When it last came again after it had stopped. */
  readonly againAt: Instant | undefined;
};

/** A finding without new lines for this long has stopped, milliseconds. */
export const watchedMs = 60_000;

/** An entry, line or marker, that the user marked. */
export type Mark = {
  readonly anchor: Anchor;
  /** The entry's time. */
  readonly at: Instant;
  /** The user's note, as typed; may be empty. */
  readonly note: string;
};

/** The ways to show the time before each line, in the order the key cycles through them. */
export const timeModes: readonly TimeMode[] = ['clock', 'utc', 'local', 'relative', 'sinceLine', 'sinceMark', 'off'];

/** The forms of a line's row, in the order the key cycles through them. */
export const rowForms = ['laid-out', 'received', 'escaped'] as const;

/**
 * Laid out for reading if the line's format is known for certain; as received, made safe; with everything but printable
 * ASCII escaped.
 */
export type RowForm = (typeof rowForms)[number];

/** How lines are displayed. Does not affect the buffer. */
export type LogLook = {
  /** Lines wider than the pane wrap; otherwise they are cut at the edge. */
  readonly wraps: boolean;
  /** Cells scrolled out to the left of the pane, while lines are cut. */
  readonly cellsLeft: number;
  readonly time: TimeMode;
  readonly rows: RowForm;
  /** The fields that rows which are laid out show alone, in this order; none chosen shows all. */
  readonly columns: readonly ChosenColumn[];
  /** Only the first line of a stack trace is shown, with the number of the others. */
  readonly foldsTraces: boolean;
};

export const plainLook: LogLook = {
  wraps: false,
  cellsLeft: 0,
  time: 'clock',
  rows: 'laid-out',
  columns: [],
  foldsTraces: false,
};

/** Checks whether traces are folded. Escaped lines never are. */
export const isFolding = ({foldsTraces, rows}: LogLook): boolean => foldsTraces && rows !== 'escaped';

/** Half of what a pane of 80 columns shows of a line, so that the text read last stays visible. */
const sidewaysCells = 32;
/** Lines are never shown beyond this, see `sanitise`. */
const cellsLeftMax = 16_384;

/** Returns the look after a command; undefined if the command does not change it. */
export const changeLook = (look: LogLook, command: Command): LogLook | undefined => {
  switch (command) {
    case 'toggleWrap':
      return {...look, wraps: !look.wraps, cellsLeft: 0};
    case 'moveRight':
      return look.wraps ? look : {...look, cellsLeft: Math.min(cellsLeftMax, look.cellsLeft + sidewaysCells)};
    case 'moveLeft':
      return {...look, cellsLeft: Math.max(0, look.cellsLeft - sidewaysCells)};
    case 'goToLineStart':
      return {...look, cellsLeft: 0};
    case 'nextRowForm':
      return {...look, rows: rowForms[(rowForms.indexOf(look.rows) + 1) % rowForms.length] ?? 'laid-out', cellsLeft: 0};
    case 'toggleFolds':
      return {...look, foldsTraces: !look.foldsTraces};
    case 'nextTimeMode':
      return {...look, time: timeModes[(timeModes.indexOf(look.time) + 1) % timeModes.length] ?? 'clock'};
    default:
      return undefined;
  }
};
