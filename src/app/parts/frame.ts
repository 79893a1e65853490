import type {HandedPlace} from '#api/recording/hand-over-client.ts';
import type {OffsetMinutesAt} from '#log/tokens/time-words.ts';
import type {CutSaid} from '#log/words/proof-words.ts';
import type {RowForm} from './log-parts.ts';

/** The current service, as the screens name it. */
export type ContextLabel = {
  readonly name: string;
  readonly host: string;
  /** Who says how windows are cut, if it is not the service itself. */
  readonly cutSaidBy?: CutSaid['saidBy'];
  /** The parts of its branches, if not pods; `none` where logs were opened by name, so that nothing is counted. */
  readonly parts?: 'containers' | 'none';
  /** Set if the logs are as somebody held them then: nothing comes any more. */
  readonly saved?: SavedLog | undefined;
  /** Shown beside the name in the header of every screen. */
  readonly remarks?: readonly ContextRemark[];
};

/** When a log was saved, milliseconds since 1970 by its service's clock, and where its reader was in it. */
type SavedLog = {readonly atMs: number; readonly place: HandedPlace};

/** Such as `as jane`, or a warning. May hold foreign text. */
export type ContextRemark = {readonly words: string; readonly isWarning: boolean};

/** The user's settings of logs that the screens need. */
export type ScreenLogSettings = {
  readonly intervalMs: number;
  readonly bufferBytesMax: number;
  /** SGR in lines becomes their style. */
  readonly keepsColour: boolean;
  /** How a log's lines are shown until the user changes it. */
  readonly rows: RowForm;
  /** The fields that are shown as columns until the user changes it. */
  readonly columns?: readonly string[] | undefined;
  /** How often a log is looked at for the list of branches, milliseconds; undefined for never. */
  readonly probeIntervalMs?: number | undefined;
  /** Only at branches on the screen: a probe is costly. */
  readonly probesOnlyShown?: boolean | undefined;
  /** Called as a pager: what pauses goes a page down while it is paused, as Space does in less. */
  readonly isPager?: boolean | undefined;
};

/** The time by which a moment is shown. */
export type ServiceClock = {
  /** The monotonic clock at the last event, milliseconds. */
  readonly nowMs: number;
  /** Offset from the monotonic clock to the service's clock, in milliseconds since 1970. */
  readonly clockOffsetMs: number;
};

/**
 * All that drawing depends on besides the thing drawn. A state is a frame, and is passed on as one: nothing is built
 * for a draw, and caches can compare by identity.
 */
export type Frame = ServiceClock & {
  readonly columns: number;
  readonly rows: number;
  readonly context: ContextLabel;
  /** The user's time zone. */
  readonly offsetMinutesAt: OffsetMinutesAt;
  readonly logSettings: ScreenLogSettings;
};
