import {render} from 'ink';
import {createEffectRunner} from '../app/effect-runner.ts';
import {createExportRunner} from '../app/export/run-exports.ts';
import {createAnnouncer} from '../app/reader/announcer.ts';
import {createReader} from '../app/reader/reader.ts';
import {rowsMin} from '../app/state.ts';
import {createStore} from '../app/store.ts';
import {systemFrameClock} from '../terminal/frame-clock.ts';
import {installLifecycle} from '../terminal/lifecycle.ts';
import {createLineOutput} from '../terminal/line-output.ts';
import {formatNotification} from '../terminal/notification.ts';
import {ReaderApp} from '../ui/reader-app.tsx';
import {createClientSlot} from './create-client-slot.ts';
import {createCopy} from './create-copy.ts';
import {initialState} from './initial-state.ts';
import {createLogMemories} from './log-memories.ts';
import type {ScreensOptions} from './screens-options.ts';

/**
 * The size that the state is told of, whatever the terminal's is. The pane then has one row, so that its top is the line that is being read,
 * and no row is wide enough to be cut.
 */
const readerSize = {columns: 20_000, rows: rowsMin};

const setTimer = (callback: () => void, delayMs: number): (() => void) => systemFrameClock.schedule(delayMs, callback);

/**
 * The same program as `openScreens`, for a screen reader: sentences on the terminal's main screen, in the order in which things happen, and nothing is
 * ever repainted. Runs until the user quits, which ends the program; so the promise stays open.
 */
export const openReader = async (options: ScreensOptions): Promise<never> => {
  const {stdin, stdout, stderr} = process;
  const output = createLineOutput(stdout);

  const lifecycle = installLifecycle({
    screen: output,
    host: process,
    stdin,
    stdout,
    stderr,
    onSuspend: () => store.dispatch({kind: 'secretDue'}),
    onResume: () => store.dispatch({kind: 'resumed'}),
    onExit: async () => {
      instance.unmount();
      await Promise.all([logMemories?.flush(), exports.close()]);
      client.close();
      await options.onExit();
    },
  });

  const client = createClientSlot(() => options.openClient(notice => store.dispatch({kind: 'noticed', notice})));

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
    initial: initialState(options, readerSize),
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
      copy: createCopy(process.env, bytes => void stdout.write(bytes)),
      runExport: exports.run,
      setMouse: () => {},
      callUser: text => void stdout.write(formatNotification(text, options.notify, process.env)),
      repaint: () => reader.tellPlace(),
      suspend: () => void lifecycle.suspend(),
      exit: () => void lifecycle.exit(0),
    }),
  });

  const announcer = createAnnouncer({...systemFrameClock, isBusy: output.isBusy});
  const reader = createReader({store, announcer});
  output.enter();
  const instance = render(
    <ReaderApp store={store} reader={reader} announcer={announcer} />,
    // Interactive, Ink would erase its last row before it appends one; else it only appends. It wraps nothing for a screen reader.
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
