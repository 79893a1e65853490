import type {TimeMode} from '../../log/words/format-when.ts';
import type {Command} from '../keys/keymap.ts';

/** What may stand before each line for its time, in the order in which one key goes through them. */
export const timeModes: readonly TimeMode[] = ['clock', 'utc', 'local', 'relative', 'sinceLine', 'sinceMark', 'off'];

/** How the lines are shown. It changes nothing of what is held. */
export type LogLook = {
  /** A line wider than the pane goes on in the next row; else it is cut at the edge. */
  readonly wraps: boolean;
  /** Cells of each line that stand to the left of the pane, while lines are cut. */
  readonly cellsLeft: number;
  readonly time: TimeMode;
  /** Lines stand as they were received, with escapes for all that is not printable ASCII. */
  readonly isRaw: boolean;
  /** A line that is a JSON object stands as its fields. */
  readonly readsJson: boolean;
  /** Of a stack trace only its first line is shown, and how many more there are. */
  readonly foldsTraces: boolean;
};

export const plainLook: LogLook = {
  wraps: false,
  cellsLeft: 0,
  time: 'clock',
  isRaw: false,
  readsJson: true,
  foldsTraces: false,
};

/** Are traces folded now? What is shown as received is never. */
export const isFolding = ({foldsTraces, isRaw}: LogLook): boolean => foldsTraces && !isRaw;

/** Half of what a pane of 80 columns shows of a line: what was read last stays in sight. */
const sidewaysCells = 32;
/** No line is shown further than that, see `sanitise`. */
const cellsLeftMax = 16_384;

/** The look after a command that changes it; undefined where it changes none. */
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
    case 'toggleRaw':
      return {...look, isRaw: !look.isRaw};
    case 'toggleJson':
      return {...look, readsJson: !look.readsJson};
    case 'toggleFolds':
      return {...look, foldsTraces: !look.foldsTraces};
    case 'nextTimeMode':
      return {...look, time: timeModes[(timeModes.indexOf(look.time) + 1) % timeModes.length] ?? 'clock'};
    default:
      return undefined;
  }
};
