import {nameKeys} from '#app/keys/keymap.ts';
import {selectView} from '#app/select-view.ts';
import type {Store} from '#app/store.ts';
import type {ParsedArguments} from '#cli/arguments/args.ts';
import {loadPart} from '#cli/io/load-part.ts';
import {type Capabilities, detectCapabilities} from '#terminal/screen/capabilities.ts';
import {pasteBracketsOn} from '#terminal/screen/escapes.ts';
import {systemFrameClock} from '#terminal/screen/frame-stream.ts';
import {type Backdrop, backgroundQueryFor, readColourVariable} from '#terminal/screen/passthrough.ts';
import {createScreen, type Screen} from '#terminal/screen/screen.ts';
import {createTerminalInput} from '#terminal/screen/terminal-input.ts';
import type {DrawnApp} from '#ui/draw-app.tsx';
import {paintScreen} from '#ui/paint-screen.ts';
import {chooseTheme, type Theme, type ThemeInput} from '#ui/theme.ts';
import {createScreensStore} from './create-screens-store.ts';
import type {ScreensOptions} from './screens-options.ts';

/** Long enough for a reply over a slow connection, which is told from typed input for as long. */
const answerMsMax = 10_000;

export type ThemeOptions = {
  readonly name: ThemeInput['name'];
  readonly capabilities: Pick<Capabilities, 'colours'>;
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds on a monotonic clock. */
  readonly nowMs: () => number;
  /** Sends a query to the terminal. */
  readonly ask: (query: string) => void;
  /** Called when the theme changes. */
  readonly onChange: (theme: Theme) => void;
};

/** In the order in which a key goes through them. */
const names: readonly ThemeInput['name'][] = ['auto', 'dark', 'light', 'high-contrast', '16', 'plain'];

/** Determines the theme from the config file, the environment and the terminal's reply. */
export const followTheme = ({name: wanted, capabilities, env, nowMs, ask, onChange}: ThemeOptions) => {
  const {colours} = capabilities;
  let name = wanted;
  let known = readColourVariable(env);
  const choose = (): Theme => chooseTheme({name, colours, backdrop: known});
  let askedAtMs: number | undefined;
  const askOnce = (): void => {
    const depends = colours !== 0 && (name === 'auto' || name === 'high-contrast' || name === '16');
    const query = depends && known === undefined ? backgroundQueryFor(env) : undefined;
    if (query !== undefined) {
      askedAtMs = nowMs();
      ask(query);
    }
  };
  return {
    /** The initial theme. */
    first: choose(),
    /**
     * Asks the terminal for its background, if the theme depends on it and it is unknown. Call this after the first
     * frame, so that nothing waits for the reply.
     */
    ask: askOnce,
    /** Takes the terminal's reply with its background. Ignores a late or unsolicited one. */
    take: (backdrop: Backdrop): void => {
      if (askedAtMs !== undefined && nowMs() - askedAtMs <= answerMsMax) {
        known = backdrop;
        onChange(choose());
      }
      askedAtMs = undefined;
    },
    /** Changes to the next theme by name; returns a sentence about it. */
    next: (): string => {
      name = names[(names.indexOf(name) + 1) % names.length] ?? 'auto';
      onChange(choose());
      askOnce();
      return `theme ${name}, until you quit; theme = "${name}" under [ui] in the config file keeps it`;
    },
  };
};

/**
 * Returns the function that opens the terminal UI: the screens, or sentences with `--screen-reader` or Ink's own
 * INK_SCREEN_READER=true. Ink is loaded by either, for the screens after their first rows.
 */
export const chooseUi = async (
  {switches}: Pick<ParsedArguments, 'switches'>,
  env: NodeJS.ProcessEnv,
): Promise<(options: ScreensOptions) => Promise<never>> => {
  if (switches.has('screen-reader') || env.INK_SCREEN_READER === 'true') {
    const {openReader} = await import('./open-reader.tsx');
    return openReader;
  }
  return openScreens;
};

/**
 * Takes over the terminal and shows the screens until the user quits, which ends the process, so the promise never
 * resolves.
 */
export const openScreens = async (options: ScreensOptions): Promise<never> => {
  const {keys: stdin = process.stdin} = options;
  const {stdout} = process;
  const capabilities = detectCapabilities({env: process.env, stdoutIsTerminal: stdout.isTTY});
  nameKeys(capabilities);
  const screen = createScreen({
    stdout,
    clock: systemFrameClock,
    capabilities,
    onPace: isSlow => store.dispatch({kind: 'linePaced', isSlow}),
  });
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
    } else if (report.kind === 'ready') {
      screen.noteReady();
    } else {
      noteKey();
      store.dispatch({kind: 'mouseUsed', action: report});
    }
  });

  if (capabilities.hasScrollRegions) {
    input.expectAnswers();
  }
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
