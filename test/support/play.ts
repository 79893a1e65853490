import {expect} from 'vitest';
import type {Answer, Branch, LogAnswer} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {screenFocus} from '#app/keys/input-focus.ts';
import type {Command} from '#app/keys/keymap.ts';
import type {BranchOrder} from '#app/panes/panes.ts';
import type {ViewRow} from '#app/rows/view-row.ts';
import {selectView} from '#app/select-view.ts';
import type {Effect} from '#app/state/effect.ts';
import type {Event, Moment} from '#app/state/event.ts';
import type {LogState, State} from '#app/state/state.ts';
import {update} from '#app/update.ts';

/** 2026-11-21T14:02:10Z by the service; the monotonic clock stands at 10 s. */
export const serviceStartMs = Date.UTC(2026, 10, 21, 14, 2, 0);

export const sampleState = (change: Partial<State> = {}): State => ({
  screen: 'sites',
  columns: 80,
  rows: 24,
  context: {name: 'production', host: 'api.example.com'},
  contexts: [],
  sites: [
    {id: 'site-1', name: 'shop', openedAtMs: undefined},
    {id: 'site-2', name: 'shipping', openedAtMs: undefined},
    {id: 'site-3', name: 'blog', openedAtMs: undefined},
  ],
  sitePicker: {selectedId: undefined, filter: ''},
  branches: undefined,
  log: undefined,
  held: [],
  focus: screenFocus,
  promptHistory: {},
  showsDetails: undefined,
  generation: 0,
  clockOffsetMs: serviceStartMs,
  offsetMinutesAt: () => 60,
  nowMs: 10_000,
  tokenExpiresAtMs: undefined,
  tokenNotice: undefined,
  notice: undefined,
  logSettings: {intervalMs: 2000, bufferBytesMax: 1_000_000, keepsColour: false, rows: 'laid-out'},
  ...change,
});

const record = (id: string, name: string, status: string | null) => ({
  _id: id,
  name,
  status,
  project: 'site-1',
  branchType: name === 'master' ? 'MASTER' : 'FEATURE',
  createdAt: '2026-11-16T14:02:10.000Z',
  updatedAt: '2026-11-21T12:02:10.000Z',
  customDomains: [],
  ...(status === null ? {} : {replicas: 2, dbPassword: 'not-to-be-seen'}),
});

export const sampleBranches: readonly Branch[] = decodeBranches([
  record('b-theme', 'feature/new-theme', null),
  record('b-master', 'master', 'DEPLOY_APPLICATION_SUCCESS'),
  record('b-staging', 'staging', 'DEPLOY_APPLICATION_FAILED'),
  record('b-hotfix', 'hotfix/cart', 'BUILD_APPLICATION_RUNNING'),
  record('b-quota', 'experiment', 'WAITING_FOR_QUOTA'),
]).value;

export const answer = <T>(value: T): Answer<T> => ({
  value,
  status: 200,
  durationMs: 20,
  bodyBytes: 1000,
  serviceTimeMs: undefined,
  skipped: [],
});

/** A window, cut as one, of lines at whole seconds after 14:00:00, each with the text `line N`. */
export const windowOf = (...seconds: readonly number[]): Answer<LogAnswer> =>
  answer({
    pods: [{name: 'web-0', resourceVersion: '1', metadata: {}, createdAt: undefined}],
    lines: seconds.map(second => `2026-11-21T14:${stamp(second)}.000000000Z line ${second}`),
    sessionId: 's',
    cut: 'branch',
  });

const stamp = (second: number): string =>
  `${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}`;

export const refused = new ApiError('network', 'api.example.com:443 refused');

/**
 * A state that events are sent to, one after the other; `effects` are those of the last one. Lists of branches begin in
 * an order that leaves the rows of the sample as they are listed, so that tests can name them by their place.
 */
export const startAt = (state: State, order: BranchOrder = 'changed') => {
  let current = state;
  let effects: readonly Effect[] = [];
  let nowMs = state.nowMs;
  const send = (event: Event): void => {
    const {tokenExpiresAtMs} = current;
    const moment: Moment = {nowMs, wallMs: serviceStartMs + nowMs, random: 0.5, tokenExpiresAtMs};
    const step = update(current, {...event, moment});
    const {branches} = step.state;
    const isNew = branches !== undefined && current.branches === undefined;
    current = isNew ? {...step.state, branches: {...branches, order}} : step.state;
    effects = step.effects;
  };
  return {
    send,
    wait: (ms: number): void => {
      nowMs += ms;
    },
    /** Waits, and ticks at the end, as the drawn screens do every second. */
    tickAfter: (ms: number): void => {
      nowMs += ms;
      send({kind: 'ticked'});
    },
    get state(): State {
      return current;
    },
    get effects(): readonly Effect[] {
      return effects;
    },
    /** An answer to the request that is under way now. */
    branchesArrive: (branches: readonly Branch[] = sampleBranches): void =>
      send({kind: 'branchesArrived', generation: current.generation, answer: answer(branches)}),
    /** For the first branch on the screen, or the one that is named. */
    windowArrives: (window: Answer<LogAnswer>, branchId = firstBranchId(current)): void =>
      send({kind: 'windowArrived', branchId, generation: current.generation, answer: window}),
    windowFails: (error: ApiError = refused, branchId = firstBranchId(current)): void =>
      send({kind: 'windowFailed', branchId, generation: current.generation, error}),
    branchesFail: (error: ApiError = refused): void =>
      send({kind: 'branchesFailed', generation: current.generation, error}),
  };
};

const firstBranchId = ({log}: State): string => log?.sources[0].branch._id ?? '';

export type Play = ReturnType<typeof startAt>;

const rowText = (row: ViewRow): string =>
  row
    .map(({text}) => text)
    .join('')
    .trimEnd();

/** The screen of a state as text, a row each, without its colours. */
export const showScreen = (state: State): readonly string[] => {
  const view = selectView(state);
  if ('tooSmall' in view) {
    return [view.tooSmall];
  }
  const pane =
    view.pane.kind === 'rows'
      ? view.pane.rows.map(rowText)
      : view.pane.pick.items.map(
          ({row}, index) =>
            `${index === (view.pane.kind === 'pick' ? view.pane.pick.selectedIndex : -1) ? ' ▸' : '  '}${rowText(row)}`,
        );
  return [rowText(view.header), rowText(view.second), ...pane, rowText(view.state), rowText(view.hints)];
};

export const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
  }
};

/** Types a text into the input line that is open, and takes it. */
export const enter = (play: Play, text: string): void => {
  play.send({kind: 'textTyped', text});
  play.send({kind: 'inputKey', key: 'Enter'});
};

/** Opens the log of master, or of several branches as one, without a window yet. */
export const openEmptyLog = (names: readonly string[] = ['master'], bufferBytesMax = 1_000_000): Play => {
  const play = startAt(
    sampleState({rows: 9, logSettings: {intervalMs: 2000, bufferBytesMax, keepsColour: false, rows: 'laid-out'}}),
  );
  give(play, 'open');
  play.branchesArrive(sampleBranches.filter(({name}) => names.includes(name)));
  for (const _ of names.length > 1 ? names : []) {
    give(play, 'toggleMark', 'moveDown');
  }
  give(play, 'open');
  return play;
};

const clock = (second: number): string => new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString().slice(0, -5);

/** Lines `line N` at the seconds after 14:00:00 from one to another; some of them say error. */
export const linesOf = (from: number, to: number, errors: readonly number[] = []): Answer<LogAnswer> =>
  answer({
    pods: [{name: 'web-0', resourceVersion: '1', metadata: {}, createdAt: undefined}],
    lines: Array.from({length: to - from + 1}, (_, index) => from + index).map(
      second => `${clock(second)}.000000000Z ${errors.includes(second) ? 'ERROR ' : ''}line ${second}`,
    ),
    sessionId: 's',
  });

/** Five rows in the pane: the horizon and lines, a second each. */
export const openLogWith = (window: Answer<LogAnswer>, bufferBytesMax?: number): Play => {
  const play = openEmptyLog(['master'], bufferBytesMax);
  play.windowArrives(window);
  return play;
};

/** The rows of the pane: what stands in the gutter and the line's number, or the words. */
export const paneRows = (play: Play): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .map(row => {
      const number = /line (\d+)/.exec(row)?.[1];
      return number === undefined || row.startsWith('  ◆ ') ? row.trim() : `${row[0]}${number}`;
    });

/** The row that tells what is the matter, or where the reader is. */
export const stateRow = (play: Play): string => showScreen(play.state).at(-2)?.trim() ?? '';

/** Types a text into the filter of the list. */
export const typeFilter = (play: Play, text: string): void => {
  give(play, 'openFilter');
  play.send({kind: 'textTyped', text});
};

/** The screen of the branches, once they have arrived. */
export const onBranches = (
  branches: readonly Branch[] = sampleBranches,
  change: Partial<State> = {},
  order?: BranchOrder,
): Play => {
  const play = startAt(sampleState(change), order);
  give(play, 'open');
  play.branchesArrive(branches);
  return play;
};

export const decode = (...records: readonly object[]): readonly Branch[] => decodeBranches(records).value;

/** The rows of the pane, with those beside a list and below it. */
export const rowsOf = (play: Play): readonly ViewRow[] => {
  const view = selectView(play.state);
  if ('tooSmall' in view) {
    return [];
  }
  const {pane} = view;
  return pane.kind === 'rows' ? pane.rows : [...pane.pick.items.map(({row}) => row), ...pane.beside, ...pane.below];
};

export const textOf = (row: ViewRow): string => row.map(({text}) => text).join('');
export const drawn = (play: Play): string => rowsOf(play).map(textOf).join('\n');

/** The first column of a list. */
export const names = (play: Play): readonly string[] =>
  rowsOf(play).map(row => (textOf(row).slice(3).split(/ {3}/)[0] ?? '').trim());
export const header = (play: Play): string => showScreen(play.state)[0] ?? '';
export const lastRowOf = (play: Play): string => showScreen(play.state).at(-2) ?? '';

/** The sample's branches of these names. */
export const branchesNamed = (...wanted: readonly string[]): readonly Branch[] =>
  sampleBranches.filter(({name}) => wanted.includes(name));

/** The log of the first of these branches, without a window yet. */
export const openBranch = (change: Partial<State> = {}, branches = branchesNamed('master')): Play => {
  const play = onBranches(branches, change);
  give(play, 'open');
  return play;
};

export const logOf = ({state}: Pick<Play, 'state'>): LogState => state.log ?? expect.fail('no log is open');

/** The rows of the pane as text. */
export const paneOf = (play: Play): readonly string[] => showScreen(play.state).slice(2, -2);

/** Opens an input line, types a text into it, and takes it. */
export const type = (play: Play, command: Command, text: string): void => {
  give(play, command);
  enter(play, text);
};
