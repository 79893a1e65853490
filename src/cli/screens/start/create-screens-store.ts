import {messageOf} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {createEffectRunner, type EffectRunnerOptions} from '#app/effect-runner.ts';
import {screenFocus} from '#app/keys/input-focus.ts';
import {createBranchesScreen} from '#app/lists/update-sites.ts';
import {createWindowPreparer} from '#app/log/fetch-window.ts';
import type {UserCall} from '#app/parts/call-user.ts';
import {createExportRunner} from '#app/run-exports.ts';
import type {State} from '#app/state/state.ts';
import {createStore, type Store} from '#app/store.ts';
import {createLogMemories} from '#cli/connection/log-memories.ts';
import {bytesPerMb} from '#cli/io/io.ts';
import {loadPart} from '#cli/io/load-part.ts';
import {stateWritten} from '#config/memory/state-file.ts';
import {instantToMs} from '#log/line/instant.ts';
import {startOfLog} from '#log/line/unread.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import type {ScreenSize} from '#terminal/screen/frame-stream.ts';
import {installLifecycle, type LifecycleOptions} from '#terminal/screen/lifecycle.ts';
import {formatClipboardWrite, formatNotification} from '#terminal/screen/passthrough.ts';
import type {createNotifier} from '../create-notifier.ts';
import type {ScreensOptions} from './screens-options.ts';

/**
 * Creates the slot of the client in use: empty before the first request, and with a new client after a change of
 * context.
 */
export const createClientSlot = (openClient: () => Promise<Client>) => {
  let client: Client | undefined;
  let closings = 0;
  return {
    open: async (): Promise<Client> => {
      const closingsBefore = closings;
      const opened = await openClient();
      if (closings === closingsBefore) {
        client = opened;
      } else {
        opened.close();
      }
      return opened;
    },
    current: (): Client | undefined => client,
    /** Closes the client; one that is still being opened is closed as soon as it is open. */
    close: (): void => {
      closings += 1;
      client?.close();
      client = undefined;
    },
  };
};

/**
 * Copies texts to the terminal's clipboard through `write`, which sends bytes between two frames. Returns the sentence
 * that reports it. No terminal ever confirms a copy, but tmux says within `tmuxMs` whether
 * it passes it on.
 */
export const createCopy =
  (env: NodeJS.ProcessEnv, write: (bytes: string) => void, tmuxMs = 300) =>
  async (text: string | Uint8Array, what: string, advice?: string): Promise<string> => {
    const copied = formatClipboardWrite(text, env);
    switch (copied.kind) {
      case 'sequence': {
        write(copied.sequence);
        const refusal = env.TMUX
          ? await (await loadPart(() => import('./tmux-clipboard.ts'))).findTmuxRefusal(env, tmuxMs)
          : undefined;
        if (refusal !== undefined) {
          return `tmux keeps ${what}: "tmux set -s set-clipboard on" passes it on (now ${refusal})`;
        }
        return `sent ${what}, ${countOf(copied.bytes, 'byte')}, to the terminal's clipboard`;
      }
      case 'tooLarge':
        return `${what} is too much for the terminal's clipboard: ${formatCount(copied.bytes)} of at most ${formatCount(copied.bytesMax)} bytes${advice === undefined ? '' : `; ${advice}`}`;
      case 'none':
        return copied.sentence;
      default:
        return copied satisfies never;
    }
  };

type ScreensStoreOptions = {
  readonly options: ScreensOptions;
  readonly size: ScreenSize;
  readonly screen: LifecycleOptions['screen'];
  /** Resolves when the client may be loaded. */
  readonly beforeClient?: () => Promise<void>;
  /** Runs once the program ends and the terminal is restored. */
  readonly onLeave: () => void;
  readonly terminal: Pick<EffectRunnerOptions, 'setMouse' | 'nextTheme' | 'repaint'> & {
    /** Writes a control sequence between frames. */
    readonly write: (bytes: string) => void;
  };
};

/**
 * Creates the store of the screens, drawn or spoken, with everything that its effects need, and makes sure that the
 * terminal is restored however the program ends.
 */
export const createScreensStore = (given: ScreensStoreOptions): Store => {
  const {options, size, screen, beforeClient, onLeave, terminal} = given;
  const {keys: stdin = process.stdin} = options;
  const {stdout, stderr} = process;
  const lifecycle = installLifecycle({
    screen,
    host: process,
    stdin,
    stdout,
    stderr,
    onSuspend: () => store.dispatch({kind: 'secretDue'}),
    onResume: () => store.dispatch({kind: 'resumed'}),
    onExit: async () => {
      onLeave();
      await Promise.all([logMemories?.flush(), exports.close()]);
      await stateWritten();
      client.close();
      await options.onExit();
    },
  });

  const client = createClientSlot(async () => {
    await beforeClient?.();
    return options.openClient(notice => store.dispatch({kind: 'noticed', notice}));
  });

  const setTimer = (callback: () => void, delayMs: number): (() => void) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  };

  const exports = createExportRunner(async () => {
    const {createExporter} = await loadPart(() => import('../export/create-exporter.ts'));
    return createExporter({env: process.env, homeFolder: process.env.HOME, handOver: lifecycle.handOver});
  });

  const logMemories =
    options.branchMemory &&
    createLogMemories({
      branchMemory: options.branchMemory,
      setTimer,
      say: notice => store.dispatch({kind: 'noticed', notice}),
    });

  const clock = {monotonicMs: () => performance.now(), nowMs: () => Date.now()};
  let notifier: ReturnType<typeof createNotifier> | undefined;
  const notify = async (call: UserCall): Promise<void> => {
    const {command} = options.notify;
    if (command === undefined) {
      return;
    }
    try {
      const part = await loadPart(() => import('../create-notifier.ts'));
      notifier ??= part.createNotifier({command, env: process.env, clock});
      const notice = await notifier(call);
      if (notice !== undefined) {
        store.dispatch({kind: 'noticed', notice});
      }
    } catch (error) {
      store.dispatch({kind: 'noticed', notice: messageOf(error)});
    }
  };

  const store = createStore({
    initial: initialState(options, size),
    readMoment: () => ({
      nowMs: performance.now(),
      wallMs: Date.now(),
      random: Math.random(),
      tokenExpiresAtMs: client.current()?.token.expiresAtMs(),
    }),
    runEffect: createEffectRunner({
      openClient: () => loadPart(client.open),
      prepareWindow: createWindowPreparer(() => store.state()),
      setTimer,
      nowMs: () => performance.now(),
      openSearch: async searchOptions =>
        (await loadPart(() => import('#app/search/search-host.ts'))).createSearchHost(searchOptions),
      isReplay: options.isReplay ?? false,
      rememberSite: options.rememberSite ?? (async () => undefined),
      keepFilters:
        options.filterMemory?.keep ??
        (async (_, filters) => (filters.length === 0 ? undefined : 'filters are kept until you quit')),
      logMemories,
      readGuard: options.readGuard,
      switchContext: name => {
        client.close();
        options.switchContext?.(name);
      },
      copy: createCopy(process.env, terminal.write),
      runExport: exports.run,
      setMouse: terminal.setMouse,
      callUser: call => {
        terminal.write(formatNotification(call.text, options.notify, process.env));
        void notify(call);
      },
      nextTheme: terminal.nextTheme,
      repaint: terminal.repaint,
      suspend: () => void lifecycle.suspend(),
      exit: () => void lifecycle.exit(0),
    }),
  });

  options.watchSites?.(ids => store.dispatch({kind: 'sitesChanged', ids}));
  return store;
};

/** Returns the initial state of the screens, before the first event. */
const initialState = (options: ScreensOptions, size: {columns: number; rows: number}): State => ({
  screen: 'sites',
  ...size,
  context: options.context,
  contexts: options.contexts ?? [],
  sites: options.sites,
  sitePicker: {selectedId: options.siteId, filter: ''},
  branches: options.siteId === undefined ? undefined : createBranchesScreen(options.siteId, options.branch, options.at),
  log: undefined,
  held: [],
  focus: screenFocus,
  promptHistory: {},
  showsDetails: undefined,
  generation: 0,
  clockOffsetMs: Date.now() - performance.now(),
  notifyRules: options.notifyRules,
  isMouseOn: options.ui.mouse,
  remembersLogs: options.branchMemory !== undefined,
  offsetMinutesAt: at => -new Date(instantToMs(at)).getTimezoneOffset(),
  nowMs: performance.now(),
  tokenExpiresAtMs: undefined,
  tokenNotice: undefined,
  namedFilters: options.filterMemory?.named,
  notice: options.notice,
  logSettings: {
    intervalMs: options.log.intervalMs,
    bufferBytesMax: options.log.bufferMb * bytesPerMb,
    keepsColour: options.log.colour === 'keep',
    rows: options.log.rows,
    columns: options.log.columns,
    probeIntervalMs: options.log.pulseMs,
    probesOnlyShown: options.probesOnlyShown,
    isPager: options.at === startOfLog,
  },
});
