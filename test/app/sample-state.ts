import type {Answer, Branch, LogAnswer} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {screenFocus} from '#app/keys/input-focus.ts';
import type {Effect} from '#app/state/effect.ts';
import type {Event, Moment} from '#app/state/event.ts';
import type {State} from '#app/state/state.ts';
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

/** A state that events are sent to, one after the other; `effects` are those of the last one. */
export const startAt = (state: State) => {
  let current = state;
  let effects: readonly Effect[] = [];
  let nowMs = state.nowMs;
  const send = (event: Event): void => {
    const {tokenExpiresAtMs} = current;
    const moment: Moment = {nowMs, wallMs: serviceStartMs + nowMs, random: 0.5, tokenExpiresAtMs};
    const step = update(current, {...event, moment});
    current = step.state;
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
