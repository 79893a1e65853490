import type {ViewRow} from './view-row.ts';

/** The indicator before the highlighted item; other items get as many blanks. */
export const indicatorColumns = 2;

/** The visible part of a list to choose from. */
export type PickView = {
  readonly items: readonly {readonly key: string; readonly row: ViewRow}[];
  /** The index of the highlighted item in `items`. */
  readonly selectedIndex: number;
  /** Whether the highlighted item takes the keys, and so is highlighted across its width. */
  readonly isLit: boolean;
};

/** A screen ready to draw: rows cut to the width, and a pane in the middle. */
export type ScreenView = {
  readonly header: ViewRow;
  /** The row below the header: the input line, or the strip. */
  readonly second: ViewRow;
  readonly pane:
    | {readonly kind: 'rows'; readonly rows: readonly ViewRow[]}
    | {
        readonly kind: 'pick';
        readonly pick: PickView;
        /** Rows to the right of the list, and rows below it. */
        readonly beside: readonly ViewRow[];
        readonly below: readonly ViewRow[];
      };
  readonly paneRows: number;
  readonly state: ViewRow;
  readonly hints: ViewRow;
};
