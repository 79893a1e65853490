import type {Branch} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {isFilterOpen, promptOf} from '#app/keys/input-focus.ts';
import {bindingsOn, type Command} from '#app/keys/keymap.ts';
import type {PromptKind} from '#app/keys/prompt.ts';
import type {Event} from '#app/state/event.ts';
import {findSource} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import type {update} from '#app/update.ts';
import {properties} from '../../log/simulation/properties.ts';
import {answer, sampleBranches, sampleState, serviceStartMs} from '../../support/play.ts';
import {checkDelay} from './check-delay.ts';
import {checkScreen, checkTopRow} from './check-screen.ts';
import {openSoakBranch} from './open-soak-branch.ts';
import {assert, entriesSince, type SoakBranch} from './soak-branch.ts';
import {createFaultSchedule, retryAfterMsMax} from './soak-faults.ts';
import {createLanes, type Due} from './soak-lanes.ts';
import type {SoakPart, SoakPartOptions} from './soak-part.ts';

export type SoakScreensOptions = SoakPartOptions & {
  /** The program's own, or one that is broken on purpose. */
  readonly update: typeof update;
};

/** Events that say what led to a fault. */
const trailMax = 12;
const recoveryPolls = 6;
const leaveShare = 0.03;
/** Input lines for a place in the log, which are filled in. */
const wayPrompts: readonly PromptKind[] = ['time', 'note', 'markedNote'];
/**
 * Drawing costs more than all else together; a screen that is not drawn hides nothing that the next one would not show.
 */
const drawEvery = 12;

const held = properties.filter(({keepsLateLines}) => !keepsLateLines);

/** The screens as a person uses them, who presses keys at random while the service answers, fails and comes back. */
export const createSoakScreens = ({
  random,
  update: take,
  clusterShare,
  checksEachStep,
}: SoakScreensOptions): SoakPart => {
  const [first = missing(), ...others] = held;
  const property = random.pick([first, ...others]);
  const isLarge = random.chance(0.01);
  const keyShare = random.pick([0, 0.2, 0.2, 0.6]);
  const faults = createFaultSchedule(random);
  const lanes = createLanes(random);
  const services = new Map<string, SoakBranch>();
  const trail: string[] = [];
  let isOver = false;
  let sendCount = 0;
  let state: State = sampleState({
    columns: random.integer(20, 100),
    rows: random.integer(5, 14),
    logSettings: {
      intervalMs: random.pick([250, 2000, 2000, 10_000]),
      bufferBytesMax: property.allowed.bufferBytesMax ?? 1e9,
      keepsColour: false,
      rows: 'laid-out',
    },
  });

  /**
   * Each log has a service of its own for each of its branches: what is checked is what one log makes of its answers.
   */
  const serviceOf = ({sources}: LogState, branchId: string): SoakBranch => {
    const name = `${branchId} of ${sources
      .map(({branch}) => branch._id)
      .sort()
      .join('+')}`;
    const service = services.get(name) ?? openSoakBranch({property, random, isLarge, clusterShare, checksEachStep});
    services.set(name, service);
    return service;
  };

  /** The log that asked with a generation: the open one, or one that is held. */
  const logOf = (generation: number): LogState | undefined =>
    generation === state.generation ? state.log : state.held.find(held => held.generation === generation)?.log;

  const openAndHeld = (): readonly LogState[] => [
    ...(state.log === undefined ? [] : [state.log]),
    ...state.held.map(({log}) => log),
  ];

  const note = (what: string): void => {
    trail.push(what);
    trail.splice(0, trail.length - trailMax);
  };

  const send = (event: Event): void => {
    const {nowMs} = state;
    const moment = {nowMs, wallMs: serviceStartMs + nowMs, random: random.next(), tokenExpiresAtMs: undefined};
    const before = state;
    const step = take(state, {...event, moment});
    state = step.state;
    if (before.log !== undefined && before.generation !== state.generation) {
      close(before.log);
    }
    for (const effect of step.effects) {
      lanes.run(effect, nowMs, event.kind === 'pollDue');
    }
    // A log that was held goes on where it was left.
    if (
      state.log !== undefined &&
      before.generation !== state.generation &&
      state.log.sources.every(({tail}) => tail.lastAnswerAtMs === undefined)
    ) {
      for (const {branch} of state.log.sources) {
        serviceOf(state.log, branch._id).open();
      }
    }
    sendCount += 1;
    if (checksEachStep || event.kind === 'resized' || sendCount % drawEvery === 0) {
      checkScreen(state);
    }
  };

  const close = (log: LogState): void => {
    for (const {branch, tail} of log.sources) {
      if (tail.lastAnswerAtMs !== undefined) {
        serviceOf(log, branch._id).close(tail.log);
      }
    }
  };

  const press = (command: Command): void => {
    note(command);
    send({kind: 'commandGiven', command});
    if (command === 'suspend') {
      send({kind: 'resumed'});
    }
  };

  const pressAny = (): void => {
    if (random.chance(0.1)) {
      note('resize');
      send({kind: 'resized', columns: random.integer(1, 120), rows: random.integer(1, 16)});
      return;
    }
    if (isFilterOpen(state)) {
      send(
        random.chance(0.5)
          ? {kind: 'textTyped', text: 'a'}
          : {kind: 'inputKey', key: random.pick(['Esc', 'Backspace', 'ClearLine'])},
      );
      return;
    }
    const prompt = promptOf(state);
    if (prompt !== undefined && wayPrompts.includes(prompt.kind)) {
      send(
        random.chance(0.5)
          ? {kind: 'textTyped', text: '-1m'}
          : {kind: 'inputKey', key: random.pick(['Enter', 'Esc', 'ClearLine'])},
      );
      return;
    }
    // Leaving is for now and then, so that there is a log to read, however many keys there are.
    if (random.chance(leaveShare)) {
      press('back');
      return;
    }
    const [binding, ...bindings] = bindingsOn(state.screen);
    const {command} = random.pick([binding ?? missing(), ...bindings]);
    if (command !== 'quit' && command !== 'back') {
      press(command);
    }
  };

  /** Goes towards a log that has lines. */
  const steer = (): void => {
    if (isFilterOpen(state)) {
      send({kind: 'inputKey', key: 'Esc'});
    } else if (state.focus.kind === 'help') {
      press('toggleHelp');
    } else if (state.screen === 'branches' && state.branches?.details !== undefined) {
      press('back');
    } else if (state.screen !== 'log') {
      press(state.screen === 'branches' && random.chance(0.3) ? 'moveDown' : 'open');
    } else if (state.log?.overlay !== undefined || !state.log?.sources.some(({branch}) => branch.status !== null)) {
      press('back');
    }
  };

  const arrive = (due: Due): number => {
    const {branchId, generation} = due;
    if (branchId === undefined) {
      const isFailing = !isOver && random.chance(0.05);
      note(isFailing ? 'the branches did not come' : 'the branches came');
      send(
        isFailing
          ? {kind: 'branchesFailed', generation, error: new ApiError('server', 'api.example.com: 503', {})}
          : {kind: 'branchesArrived', generation, answer: answer(listBranches())},
      );
      return 0;
    }
    const log = logOf(generation);
    if (log === undefined) {
      // Its log is no longer held.
      return 0;
    }
    const isOpen = generation === state.generation;
    const service = serviceOf(log, branchId);
    const fault = faults.next();
    if (fault !== undefined) {
      note(`${branchId} failed: ${fault.kind}`);
      send({kind: 'windowFailed', branchId, generation, error: fault});
      checkUnchanged(log, logOf(generation), fault);
      if (isOpen) {
        checkArranged(branchId, fault);
      }
      return 1;
    }
    if (!isOver && random.chance(0.01)) {
      send({kind: 'windowFailed', branchId, generation, error: new ApiError('cancelled', 'cancelled', {})});
      assert(logOf(generation) === log, () => 'a request that was cancelled changed the log');
    }
    const {lineCount, isLagging, answer: window} = service.answer();
    note(`${branchId}: a window of ${lineCount} lines${isLagging ? ', an older one' : ''}`);
    const openBefore = state.log;
    send({kind: 'windowArrived', branchId, generation, answer: window});
    assert(isOpen || state.log === openBefore, () => 'the window of a held log changed the open one');
    const after = logOf(generation);
    if (after === undefined) {
      // The bound on all logs let go of it.
      return 1;
    }
    const before = findSource(log, branchId) ?? missing();
    const now = findSource(after, branchId) ?? missing();
    assert(now.tail.connection.kind === 'live', () => 'a good poll and the connection is not live');
    assert(
      after.sources.every(
        (source, index) => source.branch._id === branchId || source.tail === log.sources[index]?.tail,
      ),
      () => "a window changed another branch's log",
    );
    if (isOpen) {
      checkTopRow(state, log, after);
    }
    service.taken(entriesSince(now.tail.log.buffer, before.tail.log.buffer), now.tail.log);
    if (isOpen) {
      checkArranged(branchId, undefined);
    }
    return 1;
  };

  /** A failed poll leaves the logs and the reader's place as they were. */
  const checkUnchanged = (before: LogState, after: LogState | undefined, {kind}: ApiError): void => {
    const isSame =
      after?.viewport === before.viewport &&
      after.sources.every(({tail}, index) => tail.log === before.sources[index]?.tail.log);
    assert(isSame, () => `a poll failed (${kind}) and changed the log`);
  };

  const checkArranged = (branchId: string, fault: ApiError | undefined): void => {
    const atMs = lanes.nextAtMs(branchId, state.generation);
    assert(atMs !== undefined, () => `no next poll is arranged for ${branchId}`);
    checkDelay((atMs ?? 0) - state.nowMs, fault, state.logSettings.intervalMs);
  };

  /** The answer of a place that was left changes nothing. */
  const arriveLate = (): void => {
    const due = lanes.takeAbandoned();
    // What was asked for a held log and let go of never comes.
    if (due?.branchId === undefined || logOf(due.generation) !== undefined || due.generation === state.generation) {
      return;
    }
    const {branchId, generation} = due;
    const [service] = services.values();
    const window = (service ?? missing()).stale();
    const before = state;
    note(`${branchId}: a late answer of generation ${generation}`);
    send(
      random.chance(0.5)
        ? {kind: 'windowArrived', branchId, generation, answer: window}
        : {kind: 'windowFailed', branchId, generation, error: new ApiError('timeout', 'too slow', {})},
    );
    assert(state === before, () => `a late answer of generation ${generation} was taken in ${before.generation}`);
  };

  const listBranches = (): readonly Branch[] =>
    sampleBranches
      .filter(({status}) => status !== null || random.chance(0.2))
      .map(branch =>
        random.chance(0.05) && branch.status !== null
          ? {...branch, status: random.pick(['DEPLOY_APPLICATION_SUCCESS', 'BUILD_FAILED'])}
          : branch,
      );

  const proceed = (): number => {
    const due = lanes.takeNext();
    if (due === undefined) {
      steer();
      if (state.screen === 'log') {
        press('tryNow');
      }
      return 0;
    }
    const elapsedMs = Math.max(0, due.atMs - state.nowMs);
    state = {...state, nowMs: state.nowMs + elapsedMs};
    // Held logs are polled with the lists of branches; that lines come to them more often would only take time.
    const advancing = openAndHeld().filter(log => log === state.log || due.branchId === undefined);
    for (const log of advancing) {
      for (const {branch} of log.sources) {
        serviceOf(log, branch._id).advance(elapsedMs);
      }
    }
    if (due.kind === 'answer') {
      return arrive(due);
    }
    const {branchId, generation} = due;
    send(branchId === undefined ? {kind: 'refreshDue', generation} : {kind: 'pollDue', branchId, generation});
    return 0;
  };

  send({kind: 'started'});
  return {
    step: () => {
      if (random.chance(keyShare)) {
        pressAny();
      }
      if (state.screen !== 'log' || random.chance(0.02)) {
        steer();
      }
      if (random.chance(0.05)) {
        arriveLate();
      }
      return proceed();
    },
    recover: () => {
      isOver = true;
      faults.end();
      for (const service of services.values()) {
        service.calmDown();
      }
      let polls = 0;
      const settle = (isSettled: () => boolean, what: string): void => {
        for (let steps = 0; !isSettled(); steps++) {
          assert(steps < settleStepsMax, () => `it did not come to ${what}`);
          if (state.screen !== 'log' || state.log?.sources.every(({branch}) => branch.status === null)) {
            steer();
          }
          polls += proceed();
        }
      };
      const isOnLog = (): boolean =>
        state.screen === 'log' && state.log?.sources.some(({branch}) => branch.status !== null) === true;
      settle(isOnLog, 'a log');
      for (const service of services.values()) {
        service.calmDown();
      }
      const sources = (): LogState['sources'][number][] =>
        state.log?.sources.filter(({branch}) => branch.status !== null) ?? [];
      for (const {branch} of sources()) {
        const atMs = lanes.nextAtMs(branch._id, state.generation) ?? Number.POSITIVE_INFINITY;
        assert(atMs - state.nowMs <= retryAfterMsMax, () => 'the next try is too far away');
      }
      const good = (): number[] => sources().map(({tail}) => tail.polls.sums.polls - tail.polls.sums.failed);
      const goodBefore = good();
      const haveCome = (count: number) => () =>
        good().every((value, index) => value >= (goodBefore[index] ?? 0) + count);
      settle(haveCome(1), 'live again');
      assert(
        sources().every(({tail}) => tail.connection.kind === 'live'),
        () => 'the faults are over and it is not live',
      );
      const recovered = state.log ?? missing();
      for (const {branch} of sources()) {
        serviceOf(recovered, branch._id).recover();
      }
      settle(haveCome(1 + recoveryPolls), 'the polls after the faults');
      openAndHeld().forEach(close);
      return polls;
    },
    describe: () => {
      const branches = [...services].map(([id, service]) => `${id}: ${service.describe()}`).join('; ');
      return `on screen, ${state.columns}×${state.rows}, generation ${state.generation}; ${branches}; last: ${trail.join(', ')}`;
    },
  };
};

/** Far more than it takes: one branch may be asked every 250 ms while another waits for what its service asked for. */
const settleStepsMax = 200_000;

function missing(): never {
  throw new Error('what the soak needs is not there');
}
