import xterm from '@xterm/headless';

/** Sequences of the OSC family that act on something outside the screen's cells. */
const oscNumbers = [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 50, 52, 99, 104, 133, 777, 1337];

export const emulatorColumns = 80;
export const emulatorRows = 5;

/**
 * A terminal in which `drawRow` draws a text as a row in the middle of the screen, between rows of its own, and tells of everything
 * that the text did beside filling cells.
 */
export const createEmulator = (columns = emulatorColumns) => {
  const terminal = new xterm.Terminal({cols: columns, rows: emulatorRows, allowProposedApi: true});
  const events: string[] = [];
  terminal.onTitleChange(title => events.push(`title ${title}`));
  terminal.onBell(() => events.push('bell'));
  terminal.onData(data => events.push(`reply ${JSON.stringify(data)}`));
  terminal.onBinary(data => events.push(`reply ${JSON.stringify(data)}`));
  terminal.onScroll(() => events.push('scroll'));
  terminal.onLineFeed(() => events.push('line feed'));
  terminal.onResize(() => events.push('resize'));
  for (const number of oscNumbers) {
    terminal.parser.registerOscHandler(number, () => {
      events.push(`OSC ${number}`);
      return false;
    });
  }
  const write = (text: string): Promise<void> => new Promise(resolve => terminal.write(text, resolve));
  const modesAtStart = JSON.stringify({...terminal.modes, wraparoundMode: false});
  const readRow = (y: number): string =>
    terminal.buffer.active.getLine(terminal.buffer.active.baseY + y)?.translateToString(true) ?? '';
  return {
    async drawRow(text: string) {
      events.length = 0;
      // One write, because each takes a turn of the event loop; the part before the text causes no event of its own.
      await write(`\x1b[0m\x1b[?7l\x1b[2J\x1b[2;1Habove\x1b[4;1Hbelow\x1b[3;1H${text}`);
      if (JSON.stringify({...terminal.modes, wraparoundMode: false}) !== modesAtStart) {
        events.push('mode');
      }
      if (terminal.buffer.active.type !== 'normal') {
        events.push('alternate screen');
      }
      const {cursorX, cursorY} = terminal.buffer.active;
      return {
        events: [...events],
        column: cursorX,
        row: cursorY,
        rows: Array.from({length: emulatorRows}, (_, y) => readRow(y)),
      };
    },
    /** Columns that the cursor moves when the text is written at the start of a row. */
    async measure(text: string): Promise<number> {
      await write(`\x1b[3;1H${text}`);
      return terminal.buffer.active.cursorX;
    },
    dispose: () => terminal.dispose(),
  };
};
