import type {ServerResponse} from 'node:http';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {setNewest} from '#base/bounds.ts';
import type {ServedWindow} from '#service/backend/backend.ts';
import {formatBranchlogField} from '../answers/log-headers.ts';
import {type Coding, joinGzip, packSegment, type Segment} from './encode-body.ts';
import {
  makePacked,
  makePackedRuns,
  makePlain,
  makePlainRuns,
  noRuns,
  type RunSlice,
  type SlicedRuns,
  sliceRuns,
  sliceWindow,
  type WindowSlice,
} from './window-slices.ts';

/**
 * Bytes of bodies in memory, kept or waiting to be sent. The largest body, a window of 24 MB as plain JSON, fits, with
 * some room for older ones on their way to slow readers.
 */
const bodyBytesMaxDefault = 56 * 1024 * 1024;

/** Lines of fewer characters are sent as they are: packing them costs more than it saves. */
const smallCharactersMax = 2_048;
/** Short answers that are kept, 10 kB each. */
const smallBodiesMax = 256;

/** Clients ask at least every half a minute. A body, and the lines it was made of, outlive the last one this long. */
const keptMs = 60_000;
/** Slices that are formatted and then packed together: 10 ms of work on the event loop's thread. */
const packedAtOnce = 8;
/** Formatting gives way to other work after this time. More often, and reading a burst would starve it. */
const turnMsMax = 10;

/** A formatted window, shared by all its readers. */
export type WindowBody = {
  readonly pieces: readonly Buffer[];
  readonly sizeBytes: number;
  /** Left out: as asked for. */
  readonly coding?: Coding;
};

/** The parts that are left out for a reader. */
export type BodyReader = {
  /** It gets what arrived after its place. */
  readonly hasPlace: boolean;
  /** It has the pods. */
  readonly hasPods: boolean;
};

type KeptBody = {
  readonly window: ServedWindow;
  readonly hasPods: boolean;
  readonly slices: readonly WindowSlice[];
  readonly runs: SlicedRuns;
  made?: Promise<WindowBody>;
  body?: WindowBody;
  /** Forgets it once nobody has asked for a while. */
  timer?: NodeJS.Timeout;
};

type Use = {isKept: boolean; readonly responses: Set<ServerResponse>};

const isSmall = (lines: readonly string[]): boolean => {
  let characters = 0;
  return lines.every(line => {
    characters += line.length;
    return characters <= smallCharactersMax;
  });
};

const isSameFrame = (one: ServedWindow, other: ServedWindow): boolean =>
  one.pods === other.pods && one.numbering === other.numbering && one.unreadable === other.unreadable;

/** Returns the bodies of short answers: one for all readers at a place, until the window changes. */
const createSmallBodies = (sessionId: string) => {
  const kept = new Map<string, {readonly window: ServedWindow; readonly body: WindowBody}>();
  return (branchKey: string, window: ServedWindow, hasPods: boolean): WindowBody => {
    const key = `${hasPods} ${window.numbering?.first} ${branchKey}`;
    const known = kept.get(key);
    if (known && isSameFrame(known.window, window)) {
      return known.body;
    }
    const {front, middle, end} = frameBody(window, sessionId, hasPods, sliceRuns(window.numbering, noRuns));
    const parts = sliceWindow(window.lines, []).map(makePlain);
    const data = parts.map(part => part.data);
    const events = parts.map(part => part.events);
    const pieces = [Buffer.concat([front, ...data, middle, ...events, ...end.map(plainPart)])];
    const body: WindowBody = {...joinBody(pieces), coding: 'identity'};
    setNewest(kept, key, {window, body}, smallBodiesMax);
    return body;
  };
};

/** Packs parts, some at once. */
const packAll = async <Part, Packed>(
  parts: readonly Part[],
  pack: (part: Part) => Promise<Packed>,
): Promise<readonly Packed[]> => {
  const packed: Packed[] = [];
  for (let start = 0; start < parts.length; start += packedAtOnce) {
    packed.push(...(await Promise.all(parts.slice(start, start + packedAtOnce).map(pack))));
  }
  return packed;
};

const joinBody = (pieces: readonly Buffer[]): WindowBody => ({
  pieces,
  sizeBytes: pieces.reduce((sum, piece) => sum + piece.length, 0),
});

/** Counts the bytes of all bodies in use, each piece once, however many bodies share it. */
const createByteCount = () => {
  const uses = new Map<Buffer, number>();
  let total = 0;
  return {
    total: () => total,
    add: ({pieces}: WindowBody) => {
      for (const piece of pieces) {
        const count = uses.get(piece) ?? 0;
        total += count === 0 ? piece.length : 0;
        uses.set(piece, count + 1);
      }
    },
    remove: ({pieces}: WindowBody) => {
      for (const piece of pieces) {
        const count = uses.get(piece) ?? 0;
        total -= count === 1 ? piece.length : 0;
        if (count > 1) {
          uses.set(piece, count - 1);
        } else {
          uses.delete(piece);
        }
      }
    },
  };
};

/** The text around the lines of a body. */
const frameBody = (
  {pods, numbering, unreadable}: ServedWindow,
  sessionId: string,
  hasPods: boolean,
  runs: SlicedRuns,
) => ({
  front: Buffer.from(hasPods ? '{"data":[' : `{"podNamesList":${JSON.stringify(pods)},"data":[`),
  middle: Buffer.from('],"events":['),
  end: joinTexts([
    '],',
    ...(numbering ? ['"branchlog":', ...formatBranchlogField(numbering, {pods, unreadable}, runs), ','] : []),
    `"sessionId":${JSON.stringify(sessionId)}}`,
  ]),
});

/** Joins texts that follow each other: each part is packed on its own. */
const joinTexts = (parts: readonly (string | RunSlice)[]): readonly (string | RunSlice)[] => {
  const joined: (string | RunSlice)[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') {
      joined[joined.length - 1] = last + part;
    } else {
      joined.push(part);
    }
  }
  return joined;
};

const plainPart = (part: string | RunSlice): Buffer =>
  typeof part === 'string' ? Buffer.from(part) : makePlainRuns(part);

const packedPart = (part: string | RunSlice): Promise<Segment> =>
  typeof part === 'string' ? packSegment(Buffer.from(part)) : makePackedRuns(part);

/**
 * Creates the bodies of log answers, interface specification section 2.5: each is made when it is first asked for, and
 * again after new lines. `sessionId` is a part of each.
 */
export const createWindowBodies = (sessionId: string, bodyBytesMax = bodyBytesMaxDefault) => {
  /** By coding and branch. */
  const kept = new Map<string, KeptBody>();
  /** Bodies in use, oldest first. */
  const inUse = new Map<WindowBody, Use>();
  const count = createByteCount();
  const getSmall = createSmallBodies(sessionId);

  const makeBody = async ({window, slices, runs, hasPods}: KeptBody, coding: Coding): Promise<WindowBody> => {
    const {front, middle, end} = frameBody(window, sessionId, hasPods, runs);
    if (coding === 'gzip') {
      const parts = await packAll(slices, makePacked);
      const [data, events] = [parts.map(part => part.data), parts.map(part => part.events)];
      const [first, between] = await Promise.all([packSegment(front), packSegment(middle)]);
      return joinBody(joinGzip([first, ...data, between, ...events, ...(await packAll(end, packedPart))]));
    }
    const parts = [];
    let startedMs = performance.now();
    for (const slice of slices) {
      if (performance.now() - startedMs > turnMsMax) {
        await nextTurn();
        startedMs = performance.now();
      }
      parts.push(makePlain(slice));
    }
    const [data, events] = [parts.map(part => part.data), parts.map(part => part.events)];
    return joinBody([front, ...data, middle, ...events, ...end.map(plainPart)]);
  };

  const hold = (body: WindowBody): Use => {
    const known = inUse.get(body);
    if (known) {
      return known;
    }
    const added = {isKept: false, responses: new Set<ServerResponse>()};
    inUse.set(body, added);
    count.add(body);
    return added;
  };

  const release = (body: WindowBody): void => {
    const use = inUse.get(body);
    if (use && !use.isKept && use.responses.size === 0) {
      inUse.delete(body);
      count.remove(body);
    }
  };

  const unkeep = (body: WindowBody): void => {
    const use = inUse.get(body);
    if (use) {
      use.isKept = false;
      release(body);
    }
  };

  const forget = (key: string, entry: KeptBody): void => {
    clearTimeout(entry.timer);
    if (kept.get(key) === entry) {
      kept.delete(key);
    }
    if (entry.body) {
      unkeep(entry.body);
    }
  };

  const drop = (body: WindowBody, {responses}: Use): void => {
    for (const response of responses) {
      response.destroy();
    }
    responses.clear();
    for (const [key, entry] of kept) {
      if (entry.body === body) {
        forget(key, entry);
      }
    }
    unkeep(body);
  };

  /** Makes room: drops bodies that nobody reads, then replaced ones, then others; the oldest of each first. */
  const limitBytes = (newest: WindowBody): void => {
    while (count.total() > bodyBytesMax) {
      const others = [...inUse].filter(([body]) => body !== newest);
      const [body, use] =
        others.find(([, {responses}]) => responses.size === 0) ??
        others.find(([, {isKept}]) => !isKept) ??
        others[0] ??
        [];
      if (!body || !use) {
        return;
      }
      drop(body, use);
    }
  };

  const make = async (key: string, entry: KeptBody, coding: Coding, before: KeptBody | undefined) => {
    // One after the other: each shares the pieces of the one before.
    await before?.made?.catch(() => undefined);
    try {
      const body = await makeBody(entry, coding);
      entry.body = body;
      hold(body).isKept = true;
      return body;
    } catch (error) {
      forget(key, entry);
      throw error;
    } finally {
      if (before) {
        forget(key, before);
      }
      if (entry.body) {
        limitBytes(entry.body);
      }
    }
  };

  return {
    /** Returns the body of a branch's window. `branchKey` names the branch. */
    get: (
      branchKey: string,
      window: ServedWindow,
      coding: Coding,
      {hasPlace, hasPods}: BodyReader = {hasPlace: false, hasPods: false},
    ): Promise<WindowBody> => {
      if (hasPlace && isSmall(window.lines)) {
        return Promise.resolve(getSmall(branchKey, window, hasPods));
      }
      // Answers to readers at different places have most of their slices in common.
      const key = `${coding} ${hasPlace ? 'after' : 'whole'} ${branchKey}`;
      const before = kept.get(key);
      const isSame =
        before?.window.lines === window.lines && isSameFrame(before.window, window) && before.hasPods === hasPods;
      const entry: KeptBody = isSame
        ? before
        : {
            window,
            hasPods,
            slices: sliceWindow(window.lines, before?.slices ?? []),
            runs: sliceRuns(window.numbering, before?.runs ?? noRuns),
          };
      clearTimeout(before?.timer);
      entry.timer = setTimeout(() => forget(key, entry), keptMs).unref();
      kept.set(key, entry);
      entry.made ??= make(key, entry, coding, before);
      return entry.made;
    },
    /** Sends a body, after the response's headers. Cuts the readers of the oldest bodies if too many bytes wait. */
    send: (body: WindowBody, response: ServerResponse): void => {
      // The reader may have left while the body was made: no close follows, which would release it.
      if (response.closed) {
        return;
      }
      hold(body).responses.add(response);
      response.once('close', () => {
        inUse.get(body)?.responses.delete(response);
        release(body);
      });
      response.cork();
      for (const piece of body.pieces) {
        response.write(piece);
      }
      response.end();
      response.uncork();
    },
  };
};
