import {selectView} from '#app/select-view.ts';
import type {Store} from '#app/store.ts';
import {loadPart} from '#cli/io/load-part.ts';
import {detectCapabilities} from '#terminal/screen/capabilities.ts';
import {pasteBracketsOn} from '#terminal/screen/escapes.ts';
import {systemFrameClock} from '#terminal/screen/frame-stream.ts';
import {createScreen, type Screen} from '#terminal/screen/screen.ts';
import {createTerminalInput} from '#terminal/screen/terminal-input.ts';
import type {DrawnApp} from '#ui/draw-app.tsx';
import {paintScreen} from '#ui/paint-screen.ts';
import {followTheme} from './follow-theme.ts';
import {createScreensStore} from './start/create-screens-store.ts';
import type {ScreensOptions} from './start/screens-options.ts';

/**
 * Takes over the terminal and shows the screens until the user quits, which ends the process, so the promise never
 * resolves.
 */
export const openScreens = async (options: ScreensOptions): Promise<never> => {
  const {keys: stdin = process.stdin} = options;
  const {stdout} = process;
  const capabilities = detectCapabilities({env: process.env, stdoutIsTerminal: stdout.isTTY});
  const screen = createScreen({stdout, clock: systemFrameClock, capabilities});
  /** Undefined until Ink is loaded. */
  let app: DrawnApp | undefined;

  const theme = followTheme({
    name: options.ui.theme,
    capabilities,
    env: process.env,
    nowMs: () => performance.now(),
    ask: query => {
      input.expectAnswer();
      screen.writeControl(query);
    },
    onChange: changed => app?.setTheme(changed),
  });

  const input = createTerminalInput(stdin, report => {
    if (report.kind === 'background') {
      theme.take(report.backdrop);
    } else {
      noteKey();
      store.dispatch({kind: 'mouseUsed', action: report});
    }
  });

  let keyAtMs = Number.NEGATIVE_INFINITY;
  const noteKey = (): void => {
    keyAtMs = performance.now();
    screen.noteKey();
  };

  const store = createScreensStore({
    options,
    size: screen.size,
    screen,
    beforeClient: async () => {
      if (!options.isAtHand) {
        await firstFrameOf(screen);
      }
      const {keepHeapSmall} = await import('#cli/io/heap-keeper.ts');
      keepHeapSmall(() => keyAtMs);
    },
    onLeave: () => {
      app?.unmount();
      input.close();
    },
    terminal: {
      write: bytes => screen.writeControl(bytes),
      setMouse: isOn => {
        input.expectMouse();
        screen.setMouse(isOn);
      },
      nextTheme: () => theme.next(),
      repaint: () => screen.repaint(),
    },
  });

  screen.stream.on('resize', () => store.dispatch({kind: 'resized', ...screen.size}));
  // Until Ink reads them, keys wait in the terminal, neither echoed nor lost; pasted text must not look like keys.
  stdin.setRawMode(true);
  screen.stream.write(pasteBracketsOn);
  screen.enter();
  store.dispatch({kind: 'started'});
  setInterval(() => store.dispatch({kind: 'ticked'}), tickMs).unref();

  const paint = (): void => {
    const {frame, block} = paintScreen(selectView(store.state()), theme.first);
    screen.putRows(block);
    screen.stream.write(frame);
  };
  if (options.isAtHand) {
    await firstLinesOf(store);
  }
  paint();
  const stopPainting = store.subscribe(paint);

  const draw = async (): Promise<void> => {
    await firstFrameOf(screen);
    const {drawApp} = await loadPart(() => import('#ui/draw-app.tsx'));
    stopPainting();
    app = drawApp(
      {store, theme: theme.first, noteKey, putRows: screen.putRows},
      // The streams have what Ink needs of a terminal.
      {stdout: screen.stream, stdin: input.stream},
    );
    theme.ask();
  };
  // Not awaited: the lifecycle reports a failure, after it has restored the terminal.
  void draw();
  return new Promise<never>(() => {});
};

/** How often words that tell a time are looked at, milliseconds: ages are shown in seconds. */
const tickMs = 1000;

/** The first frame waits this long for lines that are read here, milliseconds: a disk may have to wake up. */
const firstLinesMsMax = 1000;

/** Resolves when the log has its first lines, so that the first frame shows them. */
const firstLinesOf = (store: Store): Promise<void> =>
  new Promise(resolve => {
    const end = (): void => {
      stop();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, firstLinesMsMax);
    const stop = store.subscribe(() => {
      if (store.state().log?.sources[0].tail.lastAnswerAtMs !== undefined) {
        end();
      }
    });
  });

/**
 * Maximum turns of the event loop to wait: a terminal that accepts no output for so long must not delay the requests.
 */
const firstFrameTurnsMax = 20;

/**
 * Resolves when the first frame is on its way to the terminal: loading the client takes as long as drawing that frame.
 */
const firstFrameOf = async (screen: Pick<Screen, 'counters'>): Promise<void> => {
  for (let turns = 0; turns < firstFrameTurnsMax && screen.counters.framesPainted === 0; turns += 1) {
    await new Promise(resolve => setImmediate(resolve));
  }
};
