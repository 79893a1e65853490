import {earliestOf, type Instant, latestOf} from '#log/line/instant.ts';
import type {ReadDirection, UnreadFound, UnreadLog, UnreadRange, UnreadWish} from '#log/line/unread.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {ServedWindow} from '#service/backend/backend.ts';
import type {LineSink} from '#service/window/line-sink.ts';
import {findLineAt, type ReadTime, seekTime} from '../seek-time.ts';
import {createRangeReader, type FileRange, type HeldFile, type RangeReader} from './range-reader.ts';

/** Bytes that are read of all files together at first: the screen with a line in its middle, and some more. */
const firstBlocksBytes = 1024 * 1024;
/** Read of each file at least, in bytes. */
const blockBytesMin = 16 * 1024;
/** A time so near before what is held, in bytes, is read back to: what is between stays in sight. */
const nearBytesMax = 4 * 1024 * 1024;
/** Text that is kept for a reader who asks for all again, in bytes. */
const readBytesMax = 1024 * 1024;

/** A file as it was opened: its newest part is read from `from` on. */
export type NewestFile = Pick<FileRange, 'podKey' | 'path' | 'from' | 'head'> & {
  readonly name: string;
  /** It is open for reading under this number; left out if it was read from its beginning. */
  readonly descriptor?: number | undefined;
  /** Undefined if the file was read from its beginning, and its name has another one by now. */
  open(): Promise<HeldFile | undefined>;
};

export type FilePartsOptions = {
  readonly branchId: string;
  readonly files: () => readonly NewestFile[];
  /** When the newest part begins. */
  readonly newestFrom: () => Instant;
  readonly createSink: () => LineSink;
  readonly readTime: ReadTime;
  /** As `HeldFrom.arrivalsFrom`. */
  readonly arrivalsFrom: () => Instant | undefined;
};

type Part = {readonly id: string; readonly sink: LineSink; readonly reader: RangeReader};

/** Parts of files that are read around a place, instead of the newest lines: one at a time. */
export type FileParts = UnreadLog & {
  /** Returns the window of a part, but for its pods; undefined if it is not open. */
  readWindow(branchId: string, after: ReadUpTo | undefined): Promise<Omit<ServedWindow, 'pods'> | undefined>;
  close(): Promise<void>;
};

/** A file in which a time can't be sought, and why. */
type Unsorted = {readonly order: 'none' | 'broken'; readonly words: string};

type NearestWish = Extract<UnreadWish, {kind: 'nearest'}>;

/** Where the lines of a file around a place begin. */
type Start = NewestFile & {readonly offset: number};

export const createFileParts = (options: FilePartsOptions): FileParts => {
  const {branchId: newestId, files, newestFrom, createSink, readTime, arrivalsFrom} = options;
  let part: Part | undefined;
  let partCount = 0;

  const close = async (): Promise<void> => {
    const closed = part;
    part = undefined;
    await closed?.reader.close();
  };

  const partOf = (branchId: string): Part | undefined => (part?.id === branchId ? part : undefined);

  const openPart = async (starts: readonly Start[], at: Instant): Promise<UnreadFound> => {
    const sink = createSink();
    const blockBytes = Math.max(blockBytesMin, Math.floor(firstBlocksBytes / 2 / starts.length));
    const reader = createRangeReader(sink, blockBytes);
    for (const {podKey, path, head, offset, from, open} of starts) {
      const file = await open();
      if (file !== undefined) {
        const until = from > 0 ? from : (await file.handle.stat()).size;
        await reader.add({podKey, path, file, head, from: offset, to: offset, until, firstAt: at, lastAt: at - 1n});
      }
    }
    for (const direction of ['earlier', 'later'] as const) {
      for (let count = 0; count < starts.length && reader.hasMore(direction); count += 1) {
        await reader.readBlock(direction);
      }
    }
    if (sink.window.lines().length === 0) {
      const isThere = reader.hasMore('earlier') || reader.hasMore('later');
      await reader.close();
      const gone = 'the file was changed: what was not read of it is gone';
      return {kind: 'none', why: isThere ? 'there are no lines there, only NUL bytes: search for others' : gone};
    }
    sink.window.endGathering();
    await close();
    partCount += 1;
    part = {id: `${newestId}@${partCount}`, sink, reader};
    return {kind: 'part', branchId: part.id, at};
  };

  /** Returns where each file has the lines since a time, but those without times in order. */
  const seek = async (
    at: Instant,
  ): Promise<{readonly starts: readonly Start[]; readonly unsorted: readonly Unsorted[]}> => {
    const starts: Start[] = [];
    const unsorted: Unsorted[] = [];
    for (const file of files()) {
      const held = await file.open();
      try {
        const sought = held && (await seekTime(held.handle, (await held.handle.stat()).size, at, readTime));
        if (sought?.order === 'kept') {
          starts.push({...file, offset: file.from > 0 ? Math.min(sought.offset, file.from) : sought.offset});
        } else if (sought) {
          const what = sought.order === 'none' ? 'no times' : 'times that are out of order';
          unsorted.push({order: sought.order, words: `${file.name} has ${what}`});
        }
      } finally {
        await held?.close();
      }
    }
    return {starts, unsorted};
  };

  const openTime = async (at: Instant): Promise<UnreadFound> => {
    const {starts, unsorted} = await seek(at);
    const [why = 'there is no file to read'] = unsorted.map(({words}) => words);
    if (starts.length === 0) {
      return unsorted.some(({order}) => order === 'broken')
        ? {kind: 'near', why}
        : {kind: 'none', why: `${why}: scroll up to read on, or search`};
    }
    const distance = starts.reduce((sum, {offset, from}) => sum + Math.max(0, from - offset), 0);
    return starts.every(({offset, from}) => offset >= from)
      ? {kind: 'newest'}
      : distance < nearBytesMax
        ? {kind: 'near'}
        : openPart(starts, at);
  };

  const openNearest = async ({places, direction}: Omit<NearestWish, 'kind'>): Promise<UnreadFound> => {
    const known = files();
    const found: {readonly start: Start; readonly at: Instant; readonly isTimed: boolean}[] = [];
    for (const place of places) {
      const file = known[place.file];
      const held = await file?.open();
      if (file === undefined || held === undefined) {
        continue;
      }
      try {
        const {offset, at} = await findLineAt(held.handle, place.offset, readTime);
        // A line has at least a byte, so lines without times have room between one place and the other.
        const stamp = at ?? newestFrom() - BigInt(Math.max(0, file.from - offset));
        found.push({start: {...file, offset}, at: stamp, isTimed: at !== undefined});
      } finally {
        await held.close();
      }
    }
    const at = direction === 'earlier' ? latestOf(found.map(each => each.at)) : earliestOf(found.map(each => each.at));
    const nearest = found.find(each => each.at === at);
    if (nearest === undefined || at === undefined) {
      return {kind: 'newest'};
    }
    const others = known.length > 1 && nearest.isTimed ? (await seek(at)).starts : [];
    return openPart([nearest.start, ...others.filter(({path}) => path !== nearest.start.path)], at);
  };

  const openStart = async (): Promise<UnreadFound> => {
    const known = files();
    return known.reduce((sum, {from}) => sum + from, 0) < nearBytesMax
      ? {kind: 'near'}
      : openNearest({places: known.map((_, file) => ({file, offset: 0})), direction: 'later'});
  };

  const openEdge = async (branchId: string, direction: ReadDirection): Promise<UnreadFound> => {
    const own = partOf(branchId)?.reader;
    const isEarlier = direction === 'earlier';
    const at = (isEarlier ? own?.readFrom() : own?.readTo())?.at ?? newestFrom();
    const [only, ...others] = files();
    const range = own?.ranges()[0];
    return only === undefined || others.length > 0
      ? openTime(at)
      : openPart([{...only, offset: (isEarlier ? range?.from : range?.to) ?? only.from}], at);
  };

  return {
    ranges: (branchId, direction) => {
      const own = partOf(branchId);
      return files().flatMap(({path, name, from, descriptor}, file): readonly UnreadRange[] => {
        const range = own?.reader.ranges().find(each => each.path === path);
        const [begin, end] =
          direction === 'earlier' ? [0, range?.from ?? from] : [range?.to ?? from, range?.until ?? from];
        const open = range?.file.handle.fd ?? descriptor;
        return begin < end && open !== undefined ? [{file, name, descriptor: open, from: begin, to: end}] : [];
      });
    },
    open: (branchId, wish) => {
      switch (wish.kind) {
        case 'time':
          return openTime(wish.at);
        case 'start':
          return openStart();
        case 'nearest':
          return openNearest(wish);
        case 'edge':
          return openEdge(branchId, wish.direction);
        default:
          return wish satisfies never;
      }
    },
    readWindow: async (branchId, after) => {
      const open = partOf(branchId);
      if (open === undefined) {
        return undefined;
      }
      const {sink, reader} = open;
      if (after !== undefined && after.last === sink.window.last()) {
        sink.window.shrink(readBytesMax);
      }
      if (after?.wants !== undefined) {
        await reader.readBlock(after.wants);
      }
      return {
        cut: 'branch',
        ...sink.show(after),
        heldFrom: {
          ...(reader.readFrom() ?? {at: sink.window.lines()[0]?.stamp ?? 0n, why: 'start'}),
          arrivalsFrom: arrivalsFrom(),
        },
        heldTo: reader.readTo(),
        areEarlier: after !== undefined && reader.hasEarlierAfter(after.last),
        next: after?.wants === undefined ? undefined : 'there',
      };
    },
    close,
  };
};
