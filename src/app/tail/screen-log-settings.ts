import type {RowForm} from '#app/parts/log-parts.ts';

/** What the user has set about logs, for the screens. */
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
  readonly lookIntervalMs?: number | undefined;
  /** Only at branches on the screen: a look is costly. */
  readonly looksOnlyAtShown?: boolean | undefined;
  /** Called as a pager: what pauses goes a page down while it is paused, as Space does in less. */
  readonly isPager?: boolean | undefined;
};
