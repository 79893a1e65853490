import type {Command} from '#app/keys/keymap.ts';
import type {ChosenColumn} from '#log/reading/layout-context.ts';
import type {TimeMode} from '#log/words/format-when.ts';

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
