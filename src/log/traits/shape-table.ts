import {type LineBuffer, timeAtIndex} from '#log/buffer/buffer.ts';
import {type Chunk, entriesAt} from '#log/buffer/chunk.ts';
import {textsOf} from '#log/buffer/chunk-text.ts';
import type {LineEntry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {isOfRequest} from '#log/reading/request.ts';
import {type Level, levelOfRank} from '#log/tokens/level-words.ts';
import type {Work} from '#log/work.ts';
import {copyOf} from './frequent-table.ts';
import {levelsOf, warningOffsetsOf} from './line-traits.ts';
import {type LineParts, readLineParts} from './read-parts.ts';
import {headlineAt} from './trace.ts';

/** Placeholders for the parts of an event that differ although it says the same. No filter is made of it. */
const [path, text] = ['‹path›', '‹text›'];

const access = /^(\S+) .* (\d{3})$/;
// The value of `key="…"` is what a logfmt line says, so it stays.
const quoted = /(=?)"[^"]*"/g;

/** The message of a logfmt line, and the fault that it names; other pairs are about this one event. */
const logfmtMessage = /(?:^|\s)(?:msg|message)=(?:"((?:\\.|[^"\\])+)"|([^\s"]+))/;
const logfmtFault = /\s(?:err|error)=(?:"((?:\\.|[^"\\])+)"|([^\s"]+))/;

const pairedText = (found: RegExpExecArray | null): string | undefined => found?.[1] ?? found?.[2];

/** Returns what a logfmt line says; undefined for any other line, and for one that says nothing. */
export const logfmtMessageOf = (text: string): string | undefined => pairedText(logfmtMessage.exec(text));

/** Finds colours in a shape: they are no part of what a line says. */
const foldedSgr = /\x1b\[[‹n›\d;]*m/g;

/**
 * Returns the shape of an event, coarser than that of a line, so that one fault has one shape: a request of an access
 * log loses its path, since a fault after it shows on many, and other text what it quotes. A record that reports a
 * status has another shape for each, and so has one that names an exception.
 */
export const eventShapeOf = ({shape, status, reading}: Omit<LineParts, 'path' | 'client'>): string => {
  const {source} = shape;
  const value = shape.value.replace(foldedSgr, '');
  if (isOfRequest(source)) {
    return value.replace(access, `$1 ${path} $2`);
  }
  const message = value.startsWith('{') ? undefined : logfmtMessageOf(value);
  if (message !== undefined) {
    return [message, pairedText(logfmtFault.exec(value)), status?.value].filter(each => each !== undefined).join(' ');
  }
  // Without its quoted pieces, a record that has no message would be nothing.
  const words = value.startsWith('{')
    ? value
    : value.replace(quoted, (whole, equals) => (equals === '' ? `"${text}"` : whole));
  // The message of another line has the exception in it.
  const {name = ''} = (reading.record && reading.exception) ?? {};
  const details = [words.includes(name) ? '' : name, status?.value ?? ''].filter(each => each !== '');
  return [words, ...details].join(' ');
};

/** A shape of events of level warn or worse, and the events that had it since the log was opened. */
export type KnownShape = {
  readonly shape: string;
  readonly count: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** The id of its first line. */
  readonly firstId: number;
};

/** A shape of one of several branches, by its index. */
export type SourcedShape = KnownShape & {readonly source: number};

/** The shapes that a branch's log has shown. Immutable. */
export type ShapeTable = {
  readonly shapes: ReadonlyMap<string, KnownShape>;
  /** Whatever was first shown by then is usual; undefined until there are lines. */
  readonly learnedUntil: Instant | undefined;
  /** The ids of the lines that showed a new shape first. */
  readonly newIds: ReadonlySet<number>;
};

/** A log with more shapes of warnings says nothing by another one: it is not taken. About a megabyte. */
const shapesMax = 1000;

const minute = 60_000_000_000n;

/** In a first window that spans less, nothing can be told apart: the log is watched for a while instead. */
const spanMin = 3n * minute;
const watchedFor = 5n * minute;

export const noShapes: ShapeTable = {shapes: new Map(), learnedUntil: undefined, newIds: new Set()};

/**
 * Adds what a buffer holds and an earlier value of it did not: its events of level warn or worse. The traits of its
 * chunks must be known, else they are read here.
 *
 * A shape is new if its first event is later than `learnedUntil`: a third into the time that the first window spans,
 * or if that is less than three minutes, five minutes after its newest line. A shape that is older by a late line is
 * no longer new. Shapes are remembered after their lines have left the buffer.
 */
export function* takeShapes(table: ShapeTable, before: LineBuffer, now: LineBuffer): Work<ShapeTable> {
  const learnedUntil = table.learnedUntil ?? findLearnedUntil(now);
  const known = new Set(before.chunks);
  const shapes = new Map(table.shapes);
  let hasEvents = false;
  for (const chunk of now.chunks) {
    const events = known.has(chunk) ? [] : eventsOf(chunk, before.nextId);
    for (const event of events) {
      addEvent(shapes, event);
    }
    if (events.length > 0) {
      hasEvents = true;
      yield;
    }
  }
  if (learnedUntil === undefined || !hasEvents) {
    return learnedUntil === table.learnedUntil ? table : {...table, learnedUntil};
  }
  const fresh = [...shapes.values()].filter(({firstAt}) => firstAt > learnedUntil);
  return {shapes, learnedUntil, newIds: new Set(fresh.map(({firstId}) => firstId))};
}

/** Returns the shapes of one or several branches that are new, in order of their first events. */
export const newShapesOf = (tables: readonly ShapeTable[]): readonly SourcedShape[] =>
  tables
    .flatMap(({shapes, newIds}, source) =>
      [...shapes.values()].filter(({firstId}) => newIds.has(firstId)).map(shape => ({...shape, source})),
    )
    .toSorted((a, b) => (a.firstAt < b.firstAt ? -1 : a.firstAt > b.firstAt ? 1 : 0));

const findLearnedUntil = (buffer: LineBuffer): Instant | undefined => {
  const to = buffer.newestLine?.at;
  // A few lines may have stamps of another age.
  const from = timeAtIndex(buffer, Math.floor(buffer.entryCount / 100));
  return to === undefined || from === undefined
    ? undefined
    : to - from < spanMin
      ? to + watchedFor
      : from + (to - from) / 3n;
};

/** An event, and the text that says what it is about. */
type Event = Pick<LineEntry, 'id' | 'at'> & {readonly text: string; readonly level: Level};

/** Returns the events of a chunk; none for a trace of which the chunk has only the beginning. */
const eventsOf = (chunk: Chunk, fromId: number): readonly Event[] => {
  const offsets = warningOffsetsOf(chunk);
  const texts = offsets.length === 0 ? [] : textsOf(chunk);
  const levels = levelsOf(chunk);
  return (offsets.length === 0 ? [] : entriesAt(chunk, offsets)).flatMap(({kind, id, at}, index) => {
    const offset = offsets[index] ?? 0;
    const text = kind === 'line' && id >= fromId ? headlineAt(chunk, offset, texts) : undefined;
    return text === undefined ? [] : [{id, at, text, level: levelOfRank(levels[offset] ?? 0)}];
  });
};

const addEvent = (shapes: Map<string, KnownShape>, {at, id, text, level}: Event): void => {
  const shape = eventShapeOf(readLineParts(text, level));
  const known = shapes.get(shape);
  if (known !== undefined) {
    const isFirst = at < known.firstAt;
    shapes.set(shape, {
      ...known,
      count: known.count + 1,
      firstAt: isFirst ? at : known.firstAt,
      lastAt: at > known.lastAt ? at : known.lastAt,
      firstId: isFirst ? id : known.firstId,
    });
  } else if (shapes.size < shapesMax) {
    const copy = copyOf(shape);
    shapes.set(copy, {shape: copy, count: 1, firstAt: at, lastAt: at, firstId: id});
  }
};

const time = /^(?:[[(]?‹time›[\])]?[ :|-]*)+/;
const pairs = /^(?:(?:time|ts|timestamp|t|level|lvl|severity)=(?:"[^"]*"|\S+) )+/;
/** Prefixes that nginx and PHP-FPM put before every message. */
const wrapping = /^(?:\[[a-z]{3,7}\] ‹n›#‹n›: (?:\*‹n› )?|NOTICE: PHP message: )/;

/**
 * Returns a shape as a person reads it: without colours, and without what every line begins with: the time, the time
 * and level of logfmt, the words of nginx and PHP-FPM. What is left tells shapes apart where room is short. No filter
 * is made of it.
 */
export const shapeWords = (shape: string): string => {
  const bare = shape.replace(foldedSgr, '');
  const words = bare.replace(time, '').replace(pairs, '').replace(wrapping, '');
  return words === '' ? bare : words;
};
