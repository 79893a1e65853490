import xterm, {type IBufferCell, type Terminal} from '@xterm/headless';

/** One cell of the screen as a person sees it. Colours: undefined is the terminal's own, a number the palette, `#rrggbb` true colour. */
export type ScreenCell = {
  readonly text: string;
  /** 2 for a wide character, 0 for the cell it covers besides. */
  readonly columns: number;
  readonly foreground: number | string | undefined;
  readonly background: number | string | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
};

/** What a terminal did beside drawing; a program that shows foreign text safely causes none of it. */
export type TerminalEvents = {
  readonly titles: string[];
  readonly bells: number[];
  /** What the terminal would have sent back, as if typed. */
  readonly replies: string[];
  readonly oscs: string[];
};

/** A terminal without a window. */
export type Emulator = {
  readonly terminal: Terminal;
  readonly events: TerminalEvents;
  /** Resolves when all of it has been carried out. */
  write(bytes: string | Uint8Array): Promise<void>;
  resize(columns: number, rows: number): void;
  /** The rows from top to bottom, without blanks at their ends. */
  screenText(): string[];
  cells(): ScreenCell[][];
  isAltScreenActive(): boolean;
  isCursorShown(): boolean;
  /** Runs after each piece of output that the terminal has carried out. Answers how to stop. */
  onDrawn(run: () => void): () => void;
  close(): void;
};

const readColour = (isDefault: boolean, isTrue: boolean, value: number): number | string | undefined => {
  if (isDefault) {
    return undefined;
  }
  return isTrue ? `#${value.toString(16).padStart(6, '0')}` : value;
};

const readCell = (cell: IBufferCell): ScreenCell => ({
  // An erased cell and a blank look the same.
  text: cell.getWidth() === 0 ? '' : cell.getChars() || ' ',
  columns: cell.getWidth(),
  foreground: readColour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
  background: readColour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
  bold: cell.isBold() !== 0,
  dim: cell.isDim() !== 0,
  italic: cell.isItalic() !== 0,
  underline: cell.isUnderline() !== 0,
  inverse: cell.isInverse() !== 0,
});

/** Opens a terminal of this size. */
export const createEmulator = (columns: number, rows: number): Emulator => {
  const terminal = new xterm.Terminal({cols: columns, rows, allowProposedApi: true, scrollback: 1000});
  const events: TerminalEvents = {titles: [], bells: [], replies: [], oscs: []};
  let isCursorShown = true;
  terminal.onTitleChange(title => events.titles.push(title));
  terminal.onBell(() => events.bells.push(events.bells.length));
  // That it works is what our own frames ask; of a text that asks anything else there is a reply.
  terminal.onData(reply => reply === '\u001b[0n' || events.replies.push(reply));
  for (const ident of [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 52, 133, 777, 1337]) {
    terminal.parser.registerOscHandler(ident, payload => {
      events.oscs.push(`${ident};${payload}`);
      return false;
    });
  }
  for (const [final, isShown] of [
    ['h', true],
    ['l', false],
  ] as const) {
    terminal.parser.registerCsiHandler({prefix: '?', final}, parameters => {
      if (parameters.includes(25)) {
        isCursorShown = isShown;
      }
      return false;
    });
  }
  const rowsOf = <Row>(read: (line: NonNullable<ReturnType<typeof terminal.buffer.active.getLine>>) => Row): Row[] => {
    const {active} = terminal.buffer;
    return Array.from({length: terminal.rows}, (_, index) => active.getLine(active.baseY + index))
      .filter(line => line !== undefined)
      .map(read);
  };
  return {
    terminal,
    events,
    write: bytes => new Promise(resolve => terminal.write(bytes, resolve)),
    resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
    screenText: () => rowsOf(line => line.translateToString(true).trimEnd()),
    cells: () =>
      rowsOf(line =>
        Array.from({length: terminal.cols}, (_, index) => line.getCell(index))
          .filter(cell => cell !== undefined)
          .map(readCell),
      ),
    isAltScreenActive: () => terminal.buffer.active.type === 'alternate',
    isCursorShown: () => isCursorShown,
    onDrawn(run) {
      const listener = terminal.onWriteParsed(run);
      return () => listener.dispose();
    },
    close: () => terminal.dispose(),
  };
};
