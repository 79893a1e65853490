import {render} from 'ink';
import type {Client} from '../api/client.ts';
import {createEffectRunner} from '../app/effect-runner.ts';
import {newBranches} from '../app/new-branches.ts';
import type {ContextLabel, KnownSite, State} from '../app/state.ts';
import {createStore} from '../app/store.ts';
import {systemFrameClock} from '../terminal/frame-clock.ts';
import {installLifecycle} from '../terminal/lifecycle.ts';
import {createScreen} from '../terminal/screen.ts';
import {App} from '../ui/app.tsx';
import {colourTheme, plainTheme} from '../ui/theme.ts';
import {bytesPerMb} from './bytes-per-mb.ts';

export type ScreensOptions = {
  readonly context: ContextLabel;
  readonly sites: readonly KnownSite[];
  /** Where to begin: a site, and in it a branch by id or name. */
  readonly siteId: string | undefined;
  readonly branch: string | undefined;
  readonly log: {readonly intervalMs: number; readonly bufferMb: number};
  /** Loaded and opened with the first request. */
  readonly openClient: (say: (sentence: string) => void) => Promise<Client>;
  /** The client plays a recording: it holds each answer until its time, so it may be asked at once. */
  readonly isReplay: boolean;
  readonly rememberSite: (siteId: string) => Promise<string | undefined>;
  readonly hasColour: boolean;
  readonly notice: string | undefined;
  /** Runs before the program ends, the terminal being restored already. */
  readonly onExit: () => Promise<void>;
};

/**
 * Takes the terminal over and shows the screens on it until the user quits, which ends the program; so the promise
 * stays open.
 */
export const openScreens = async (options: ScreensOptions): Promise<never> => {
  const {stdin, stdout, stderr} = process;
  const screen = createScreen({stdout, clock: systemFrameClock});
  let client: Client | undefined;

  const lifecycle = installLifecycle({
    screen,
    host: process,
    stdin,
    stdout,
    stderr,
    onResume: () => store.dispatch({kind: 'resumed'}),
    onExit: async () => {
      instance.unmount();
      client?.close();
      await options.onExit();
    },
  });

  const store = createStore({
    initial: initialState(options, screen.size),
    readMoment: () => ({
      nowMs: performance.now(),
      wallMs: Date.now(),
      random: Math.random(),
      tokenExpiresAtMs: client?.token.expiresAtMs(),
    }),
    runEffect: createEffectRunner({
      openClient: async () => {
        client = await options.openClient(notice => store.dispatch({kind: 'noticed', notice}));
        return client;
      },
      setTimer: (callback, delayMs) => {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      },
      isReplay: options.isReplay,
      rememberSite: options.rememberSite,
      repaint: () => screen.repaint(),
      suspend: () => void lifecycle.suspend(),
      exit: () => void lifecycle.exit(0),
    }),
  });

  screen.stream.on('resize', () => store.dispatch({kind: 'resized', ...screen.size}));
  screen.enter();
  const instance = render(
    <App store={store} theme={options.hasColour ? colourTheme : plainTheme} noteKey={() => screen.noteKey()} />,
    // With `debug` Ink hands over whole frames without cursor codes; the screen finds out what changed.
    // The stream is a Writable with the members of a terminal that Ink asks for.
    {stdout: screen.stream, stdin, debug: true, interactive: true, exitOnCtrlC: false, patchConsole: false},
  );
  store.dispatch({kind: 'started'});
  return new Promise<never>(() => {});
};

const initialState = (options: ScreensOptions, size: {columns: number; rows: number}): State => ({
  screen: 'sites',
  ...size,
  context: options.context,
  sites: options.sites,
  sitePicker: {selectedId: options.siteId, filter: ''},
  branches: options.siteId === undefined ? undefined : newBranches(options.siteId, options.branch),
  log: undefined,
  isFilterOpen: false,
  isHelpOpen: false,
  showsDetails: undefined,
  generation: 0,
  clockOffsetMs: Date.now() - performance.now(),
  nowMs: performance.now(),
  tokenExpiresAtMs: undefined,
  tokenNotice: undefined,
  notice: options.notice,
  logSettings: {intervalMs: options.log.intervalMs, bufferBytesMax: options.log.bufferMb * bytesPerMb},
});
