import {render} from 'ink';
import {createAnnouncer} from '#app/reader/announcer.ts';
import {createReader} from '#app/reader/reader.ts';
import {rowsMin} from '#app/state/step.ts';
import {detectCapabilities} from '#terminal/screen/capabilities.ts';
import {systemFrameClock} from '#terminal/screen/frame-stream.ts';
import {createLineOutput} from '#terminal/screen/line-output.ts';
import {ReaderApp} from '#ui/reader-app.tsx';
import {createScreensStore} from './create-screens-store.ts';
import type {ScreensOptions} from './screens-options.ts';

/**
 * The size given to the state, whatever the terminal's is. The pane then has one row, so its top is the line being
 * read, and no row is wide enough to be cut.
 */
const readerSize = {columns: 20_000, rows: rowsMin};

/**
 * The same program as `openScreens`, for a screen reader: sentences on the terminal's main screen in the order of
 * events, never repainted. Runs until the user quits, which ends the process, so the promise never resolves.
 */
export const openReader = async (options: ScreensOptions): Promise<never> => {
  const {keys: stdin = process.stdin} = options;
  const {stdout} = process;
  const capabilities = detectCapabilities({env: process.env, stdoutIsTerminal: stdout.isTTY});
  const output = createLineOutput(stdout, capabilities);

  const store = createScreensStore({
    options,
    size: readerSize,
    screen: output,
    onLeave: () => instance.unmount(),
    terminal: {
      write: bytes => void output.stream.write(bytes),
      setMouse: () => {},
      nextTheme: () => 'spoken text has no colours',
      repaint: () => reader.tellPlace(),
    },
  });

  const announcer = createAnnouncer({...systemFrameClock, isBusy: output.isBusy});
  const reader = createReader({store, announcer});
  output.enter();
  const instance = render(
    <ReaderApp store={store} reader={reader} announcer={announcer} />,
    // In interactive mode Ink would erase its last row before it appends one; otherwise it only appends. It does not
    // wrap text for a screen reader.
    {
      stdout: output.stream,
      stdin,
      isScreenReaderEnabled: true,
      interactive: false,
      exitOnCtrlC: false,
      patchConsole: false,
    },
  );
  reader.begin();
  store.dispatch({kind: 'started'});
  return new Promise<never>(() => {});
};
