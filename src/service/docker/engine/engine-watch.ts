import {setNewest} from '#base/bounds.ts';
import type {Deps} from '#service/backend/backend.ts';
import {CallError, toCallError} from '#service/backend/errors.ts';
import {drainAnswer, type LinkAnswer} from '#service/link/link.ts';
import {numberField, readJsonText, tableField, tableOf, textField} from '#service/link/object-fields.ts';
import type {EngineClient} from '../engine-client.ts';
import {decodeContainer, type EngineContainer} from '../engine-container.ts';

/** The newest ones are watched: more containers than this on one machine have run long ago. */
const containersMax = 1_000;
/** Inspections at once. */
const inspectionsMax = 8;
/** How containers ended that are gone is remembered of as many. */
const endingsMax = 1_000;
/** An event has the labels of its container: longer ones are no events. */
const eventBytesMax = 1024 * 1024;
/** Changes come in bursts, milliseconds. */
const changeDelayMs = 50;
/** Pauses between two tries grow from the first to the second, milliseconds. */
const [retryMsMin, retryMsMax] = [200, 5_000];
/** An engine that is away for longer is said to be, milliseconds: one that is restarted is soon back. */
const outageMs = 5_000;
/** The last event known must come again within this after a break, milliseconds, or others may have been missed. */
const proofMs = 3_000;
/** Podman answers a request for events when the first one comes: it counts as heard after this, milliseconds. */
const heardMs = 300;

/** Actions of events that say nothing of a container's state. Those of `exec` and of probes come all the time. */
const idleActions =
  /^(?:exec_|attach|copy|export|resize|top|commit|archive-path|extract-to-dir|health_status: running)/;

export type EngineWatchOptions = Pick<Deps, 'monotonicMs' | 'warn'> & {
  readonly client: EngineClient;
  readonly nowMs: () => number;
  readonly onChange: () => void;
};

const endingOf = (code: number, isOomKilled: boolean): string =>
  `exited with code ${code}${isOomKilled ? ' (OOMKilled)' : ''}`;

/** Creates a copy of an engine's containers that follows its events. */
export const createEngineWatch = ({client, nowMs, monotonicMs, warn, onChange}: EngineWatchOptions) => {
  const closing = new AbortController();
  const known = new Map<string, EngineContainer>();
  const endings = new Map<string, string>();
  const oomKilled = new Set<string>();
  let sorted: readonly EngineContainer[] | undefined;
  let changeTimer: NodeJS.Timeout | undefined;
  /** The last event, as it is told apart, and the time from which on it comes again. */
  let last: {readonly key: string; readonly since: string} | undefined;
  let awaited: string | undefined;
  let watchOutages = 0;
  let brokenSince: {readonly ms: number; readonly error: CallError} | undefined;

  const noteChange = (): void => {
    sorted = undefined;
    changeTimer ??= setTimeout(() => {
      changeTimer = undefined;
      onChange();
    }, changeDelayMs).unref();
  };

  const noteEnding = (name: string, words: string): void => {
    setNewest(endings, name, words, endingsMax);
  };

  const inspect = async (id: string): Promise<void> => {
    const container = await client
      .get(`/containers/${encodeURIComponent(id)}/json`)
      .then(decodeContainer)
      .catch((error: unknown) => {
        if (toCallError(error).status === 404) {
          return undefined;
        }
        throw error;
      });
    if (!container) {
      known.delete(id);
    } else {
      known.set(id, container);
      if (container.state === 'exited' || container.state === 'dead') {
        noteEnding(container.name, endingOf(container.exitCode, container.isOomKilled || oomKilled.has(id)));
      }
      if (known.size > containersMax) {
        const oldest = [...known.values()].reduce((one, other) => (other.createdAtMs < one.createdAtMs ? other : one));
        known.delete(oldest.id);
        warn(`${client.title} has more than ${containersMax} containers: the oldest are left out.`);
      }
    }
    noteChange();
  };

  /** Each container is inspected once more when something happens to it while it is being inspected. */
  const waiting = new Set<string>();
  let inspecting: Promise<void> | undefined;
  const inspectAll = async (): Promise<void> => {
    while (waiting.size > 0) {
      const ids = [...waiting].slice(0, inspectionsMax);
      for (const id of ids) {
        waiting.delete(id);
      }
      await Promise.all(ids.map(inspect));
    }
  };
  const refresh = (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      waiting.add(id);
    }
    inspecting ??= inspectAll().finally(() => {
      inspecting = undefined;
    });
    return inspecting;
  };

  const list = async (): Promise<void> => {
    const answer = await client.get('/containers/json', {all: 1});
    if (!Array.isArray(answer)) {
      throw new CallError('body', `${client.title} sent no list of containers.`);
    }
    const ids = answer.map(each => textField(each, 'Id')).filter(id => id !== undefined);
    const present = new Set(ids);
    for (const id of known.keys()) {
      if (!present.has(id)) {
        known.delete(id);
        noteChange();
      }
    }
    await refresh(ids);
  };

  const takeEvent = (event: object): void => {
    const action = textField(event, 'Action') ?? textField(event, 'status') ?? '';
    const actor = tableField(event, 'Actor');
    const attributes = tableField(actor, 'Attributes');
    const id = textField(actor, 'ID') ?? textField(event, 'id');
    const nanos = /"timeNano":(\d+)/.exec(JSON.stringify(event))?.[1];
    const time = numberField(event, 'time') ?? 0;
    const key = `${nanos ?? time} ${action} ${id}`;
    if (key === awaited) {
      awaited = undefined;
    }
    last = {key, since: `${Math.max(0, time - 1)}`};
    if (id === undefined || idleActions.test(action)) {
      return;
    }
    const container = known.get(id);
    const name = container?.name ?? textField(attributes, 'name');
    if (action === 'oom') {
      oomKilled.add(id);
    } else if (action === 'start') {
      oomKilled.delete(id);
    } else if ((action === 'die' || action === 'died') && name !== undefined) {
      const code = Number(textField(attributes, 'exitCode') ?? textField(attributes, 'containerExitCode'));
      noteEnding(name, Number.isInteger(code) ? endingOf(code, oomKilled.has(id)) : 'exited');
    } else if (action === 'destroy' || action === 'remove') {
      oomKilled.delete(id);
      known.delete(id);
      waiting.delete(id);
      noteChange();
      return;
    }
    refresh([id]).catch(() => undefined);
  };

  const drainEvents = async (answer: LinkAnswer, signal: AbortSignal): Promise<void> => {
    const {promise, resolve, reject} = Promise.withResolvers<void>();
    let rest = '';
    const decoder = new TextDecoder();
    const take = (bytes: Buffer): void => {
      const lines = (rest + decoder.decode(bytes, {stream: true})).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = tableOf(readJsonText(line));
        if (event) {
          takeEvent(event);
        }
      }
      if (rest.length > eventBytesMax) {
        stop();
        reject(new CallError('body', `${client.title} sent an event of more than ${eventBytesMax} bytes.`));
      }
    };
    const stop = drainAnswer(answer, take, fault =>
      fault ? reject(new CallError('connection', `The event stream of ${client.title} broke off.`)) : resolve(),
    );
    signal.addEventListener('abort', stop, {once: true});
    await promise;
  };

  /** Reads events until they end or `onOpen` fails, which is called once none can be missed. */
  const readEvents = async (since: string, onOpen: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const ended = new AbortController();
    const signal = AbortSignal.any([closing.signal, ended.signal]);
    const opened = client.open('/events', {filters: JSON.stringify({type: ['container']}), since}, signal);
    const reading = opened.then(answer => drainEvents(answer, signal));
    try {
      await Promise.race([
        reading,
        Promise.race([opened, pause(heardMs)])
          .then(() => onOpen(signal))
          .then(() => reading),
      ]);
    } finally {
      ended.abort();
    }
  };

  const run = async (noteStarted: (error?: CallError) => void): Promise<void> => {
    let tries = 0;
    let isFirst = true;
    while (!closing.signal.aborted) {
      awaited = last?.key;
      // A container that ended unseen may have ended in another way than before.
      endings.clear();
      const wasAway = tries > 0;
      const onOpen = async (signal: AbortSignal): Promise<void> => {
        await list();
        const isProven = isFirst || (last === undefined && !wasAway);
        isFirst = false;
        tries = 0;
        brokenSince = undefined;
        noteStarted();
        noteChange();
        if (!isProven) {
          await pause(proofMs);
          // A stream that has broken meanwhile proves nothing: the next one has to.
          if (!signal.aborted && (awaited !== undefined || last === undefined)) {
            awaited = undefined;
            watchOutages += 1;
            noteChange();
          }
        }
      };
      // A moment before now: what happens between the two requests comes, too.
      const since = last?.since ?? `${Math.floor(nowMs() / 1000) - 1}`;
      const error = await readEvents(since, onOpen).then(() => undefined, toCallError);
      if (closing.signal.aborted) {
        return;
      }
      const cause = error ?? new CallError('connection', `${client.title} ended its event stream.`);
      brokenSince ??= {ms: monotonicMs(), error: cause};
      brokenSince = {...brokenSince, error: cause};
      noteStarted(cause);
      noteChange();
      await pause(Math.min(retryMsMin * 2 ** tries, retryMsMax));
      tries += 1;
    }
  };

  /** Waits; not longer than until the watch is closed. */
  const pause = async (ms: number): Promise<void> => {
    const {promise, resolve} = Promise.withResolvers<unknown>();
    const timer = setTimeout(resolve, closing.signal.aborted ? 0 : ms);
    closing.signal.addEventListener('abort', resolve, {once: true});
    await promise;
    clearTimeout(timer);
    closing.signal.removeEventListener('abort', resolve);
  };

  return {
    /** Resolves when the containers are known. Throws a `CallError` if they cannot be. */
    start: (): Promise<void> => {
      const {promise, resolve, reject} = Promise.withResolvers<void>();
      void run(error => (error ? reject(error) : resolve()));
      return promise;
    },
    /** The same until something changes; the newest first. */
    containers: (): readonly EngineContainer[] => {
      sorted ??= [...known.values()].sort((left, right) => right.createdAtMs - left.createdAtMs);
      return sorted;
    },
    /** How containers ended that have ended, by name: `exited with code 137 (OOMKilled)`. */
    endings: (): ReadonlyMap<string, string> => endings,
    /** Why what happens now is not known; undefined if it is, or will be in a moment. */
    outage: (): string | undefined =>
      brokenSince && monotonicMs() - brokenSince.ms >= outageMs ? brokenSince.error.message : undefined,
    /** Counts the spells in which containers may have come and gone unseen. */
    watchOutages: (): number => watchOutages,
    find: (id: string): EngineContainer | undefined => known.get(id),
    close: (): void => {
      clearTimeout(changeTimer);
      closing.abort(new CallError('connection', `The connection to ${client.title} was closed.`));
    },
  };
};
