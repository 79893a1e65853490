import type {ViewRow} from './view-row.ts';

/** In front of each item the highlight is drawn, or as many blanks. */
export const indicatorColumns = 2;

/** A list to pick from, as far as it is on the screen. */
export type PickView = {
  readonly items: readonly {readonly key: string; readonly row: ViewRow}[];
  /** Which of `items` is highlighted. */
  readonly selectedIndex: number;
};

/** A screen ready to be drawn: rows cut to the width, and in the middle a pane. */
export type ScreenView = {
  readonly header: ViewRow;
  /** The row below the header: the input line, or the strip. */
  readonly second: ViewRow;
  readonly pane:
    | {readonly kind: 'rows'; readonly rows: readonly ViewRow[]}
    | {
        readonly kind: 'pick';
        readonly pick: PickView;
        /** Rows at the right of the list, and rows under it. */
        readonly beside: readonly ViewRow[];
        readonly below: readonly ViewRow[];
      };
  readonly paneRows: number;
  readonly state: ViewRow;
  readonly hints: ViewRow;
};
