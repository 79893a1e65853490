import {render} from 'ink';
import {createEffectRunner} from '../app/effect-runner.ts';
import {createExportRunner} from '../app/export/run-exports.ts';
import {createStore} from '../app/store.ts';
import {detectCapabilities} from '../terminal/capabilities.ts';
import {systemFrameClock} from '../terminal/frame-clock.ts';
import {installLifecycle} from '../terminal/lifecycle.ts';
import {formatNotification} from '../terminal/notification.ts';
import {createScreen, type Screen} from '../terminal/screen.ts';
import {createTerminalInput} from '../terminal/terminal-input.ts';
import {App} from '../ui/app.tsx';
import type {Theme} from '../ui/theme.ts';
import {createClientSlot} from './create-client-slot.ts';
import {createCopy} from './create-copy.ts';
import {followTheme} from './follow-theme.ts';
import {initialState} from './initial-state.ts';
import {createLogMemories} from './log-memories.ts';
import type {ScreensOptions} from './screens-options.ts';

/**
 * Takes the terminal over and shows the screens on it until the user quits, which ends the program; so the promise
 * stays open.
 */
export const openScreens = async (options: ScreensOptions): Promise<never> => {
  const {stdin, stdout, stderr} = process;
  const capabilities = detectCapabilities({
    env: process.env,
    stdinIsTerminal: stdin.isTTY,
    stdoutIsTerminal: stdout.isTTY,
  });
  const screen = createScreen({stdout, clock: systemFrameClock, capabilities});

  const lifecycle = installLifecycle({
    screen,
    host: process,
    stdin,
    stdout,
    stderr,
    onSuspend: () => store.dispatch({kind: 'secretDue'}),
    onResume: () => store.dispatch({kind: 'resumed'}),
    onExit: async () => {
      instance.unmount();
      input.close();
      await Promise.all([logMemories?.flush(), exports.close()]);
      client.close();
      await options.onExit();
    },
  });

  const theme = followTheme({
    name: options.ui.theme,
    capabilities,
    env: process.env,
    nowMs: () => performance.now(),
    ask: query => {
      input.expectAnswer();
      screen.writeControl(query);
    },
    onChange: changed => instance.rerender(draw(changed)),
  });

  const input = createTerminalInput(stdin, report => {
    if (report.kind === 'background') {
      theme.take(report.backdrop);
    } else {
      screen.noteKey();
      store.dispatch({kind: 'mouseUsed', action: report});
    }
  });

  const keyAtMs = Number.NEGATIVE_INFINITY;
  const client = createClientSlot(async () => {
    await firstFrameOf(screen);
    const {keepHeapSmall} = await import('./heap-keeper.ts');
    keepHeapSmall(() => keyAtMs);
    return options.openClient(notice => store.dispatch({kind: 'noticed', notice}));
  });

  const exports = createExportRunner(async () => {
    const {createExporter} = await import('./export/create-exporter.ts');
    return createExporter({env: process.env, homeFolder: process.env.HOME, handOver: lifecycle.handOver});
  });

  const logMemories =
    options.branchMemory &&
    createLogMemories({
      branchMemory: options.branchMemory,
      setTimer,
      say: notice => store.dispatch({kind: 'noticed', notice}),
    });

  const store = createStore({
    initial: initialState(options, screen.size),
    readMoment: () => ({
      nowMs: performance.now(),
      wallMs: Date.now(),
      random: Math.random(),
      tokenExpiresAtMs: client.current()?.token.expiresAtMs(),
    }),
    runEffect: createEffectRunner({
      openClient: client.open,
      setTimer,
      nowMs: () => performance.now(),
      openSearch: async searchOptions => (await import('../app/search/search-host.ts')).createSearchHost(searchOptions),
      isReplay: options.isReplay,
      rememberSite: options.rememberSite,
      logMemories,
      switchContext: name => {
        client.close();
        options.switchContext(name);
      },
      copy: createCopy(process.env, bytes => screen.writeControl(bytes)),
      runExport: exports.run,
      setMouse: isOn => {
        input.expectMouse();
        screen.setMouse(isOn);
      },
      callUser: text => screen.writeControl(formatNotification(text, options.notify, process.env)),
      repaint: () => screen.repaint(),
      suspend: () => void lifecycle.suspend(),
      exit: () => void lifecycle.exit(0),
    }),
  });

  screen.stream.on('resize', () => store.dispatch({kind: 'resized', ...screen.size}));
  screen.enter();
  const noteKey = (): void => screen.noteKey();
  const draw = (theme: Theme) => <App store={store} theme={theme} noteKey={noteKey} putRows={screen.putRows} />;
  const instance = render(
    draw(theme.first),
    // With `debug` Ink hands over whole frames without cursor codes; the screen finds out what changed.
    // The stream is a Writable with the members of a terminal that Ink asks for.
    {
      stdout: screen.stream,
      stdin: input.stream,
      debug: true,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
    },
  );
  store.dispatch({kind: 'started'});
  void firstFrameOf(screen).then(theme.ask);
  return new Promise<never>(() => {});
};

const setTimer = (callback: () => void, delayMs: number): (() => void) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};

/** Turns of the event loop; a terminal that takes nothing for so long shall not keep the requests back. */
const firstFrameTurnsMax = 20;

/** Resolves when the first frame is on its way to the terminal: the client takes as long to load as that frame to draw. */
const firstFrameOf = async (screen: Pick<Screen, 'counters'>): Promise<void> => {
  for (let turns = 0; turns < firstFrameTurnsMax && screen.counters.framesPainted === 0; turns += 1) {
    await new Promise(resolve => setImmediate(resolve));
  }
};
