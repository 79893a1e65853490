import type {Cell} from '../cells/cell.ts';
import {drawRowChange} from '../cells/row-change.ts';
import type {Capabilities} from './capabilities.ts';
import {createLookTable} from './cells/look.ts';
import {createPen} from './cells/pen.ts';
import {blankCell, parseRow} from './cells/row-cells.ts';
import {findScroll, type Scroll, scrollLines} from './cells/row-scroll.ts';
import {beginSynchronised, endSynchronised, eraseScreen, resetScrollRegion, resetStyle} from './escapes.ts';
import type {ScreenSize} from './screen-size.ts';

/** A row on the screen: the text it was drawn from, and its cells. */
type ShownRow = {readonly row: string; readonly cells: readonly Cell[]};

/** The content of the screen, from the first row to the last. */
export type ShownFrame = readonly ShownRow[];

export type FrameChange = {
  /** Bytes to write; empty if nothing changed. */
  readonly bytes: string;
  readonly shown: ShownFrame;
};

/**
 * Returns the bytes that turn what is shown into these rows, one for each row of the screen. Without `shown` the
 * content is unknown, so the screen is cleared and drawn completely.
 */
export type FrameFormatter = (shown: ShownFrame | undefined, rows: readonly string[], size: ScreenSize) => FrameChange;

const blankRow: ShownRow = {row: '', cells: []};

/**
 * A change up to this size reaches the terminal in one piece, as small as packets may be; a larger one is bracketed.
 */
const onePieceBytesMax = 512;

/** Returns the drawing order of the rows: scrolled ones first, while the cursor is there. */
const drawingOrder = (rowCount: number, scroll: Scroll | undefined): readonly number[] => {
  const indexes = Array.from({length: rowCount}, (_, index) => index);
  if (!scroll) {
    return indexes;
  }
  const isScrolled = (index: number): boolean => index >= scroll.topIndex && index <= scroll.bottomIndex;
  return [...indexes.filter(isScrolled), ...indexes.filter(index => !isScrolled(index))];
};

/** Creates the formatter for one terminal. */
export const createFrameFormatter = (capabilities: Capabilities): FrameFormatter => {
  const looks = createLookTable(capabilities);
  const blank = blankCell(looks);

  return (shown, texts, {columns, rows}) => {
    const pen = createPen(looks.plain);
    const isKnown = shown !== undefined && shown.length === rows;
    let before: ShownFrame = isKnown ? shown : texts.map(() => blankRow);
    const scroll =
      isKnown && capabilities.hasScrollRegions
        ? findScroll(
            shown.map(({row}) => row),
            texts,
          )
        : undefined;
    if (scroll) {
      pen.scroll(scroll);
      before = scrollLines(before, scroll, blankRow);
    }
    const after = texts.map((row, rowIndex): ShownRow => {
      const old = before[rowIndex] ?? blankRow;
      return old.row === row ? old : {row, cells: parseRow(row, columns, looks)};
    });
    let isScrolling = scroll !== undefined;
    for (const rowIndex of drawingOrder(rows, scroll)) {
      if (isScrolling && scroll && (rowIndex < scroll.topIndex || rowIndex > scroll.bottomIndex)) {
        pen.endScroll();
        isScrolling = false;
      }
      const [old, next] = [before[rowIndex], after[rowIndex]];
      if (old && next && old !== next) {
        drawRowChange(pen, old.cells, next.cells, rowIndex, {blank, columns});
      }
    }
    if (isScrolling) {
      pen.endScroll();
    }
    const bytes = (isKnown ? '' : resetStyle + resetScrollRegion + eraseScreen) + pen.finish();
    const isBracketed = capabilities.hasSynchronisedOutput && (!isKnown || bytes.length > onePieceBytesMax);
    return {bytes: isBracketed ? beginSynchronised + bytes + endSynchronised : bytes, shown: after};
  };
};
