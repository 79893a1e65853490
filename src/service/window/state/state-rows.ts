import type {SQLOutputValue} from 'node:sqlite';
import type {SourceName} from '#log/line/entry.ts';
import {StateError} from '#service/backend/errors.ts';
import {textEntries} from '#service/link/object-fields.ts';
import type {HeldPieces} from '../container-line.ts';
import type {KeptLine} from '../line-window.ts';
import type {StoredBranch, StoredFile, StreamStamps} from '../stored-state.ts';
import type {KeptLoss} from '../window-losses.ts';

/** Checked access to SQLite's loosely typed rows: a value of an unexpected type means that the state is damaged. */
type Row = Readonly<Record<string, SQLOutputValue>>;

const refuse = (column: string): never => {
  throw new StateError('damaged', `its column ${column} is damaged`);
};

const readBigint = (row: Row, column: string): bigint => {
  const value = row[column];
  return typeof value === 'bigint' ? value : typeof value === 'number' ? BigInt(value) : refuse(column);
};

export const readNumber = (row: Row, column: string): number => Number(readBigint(row, column));

const readText = (row: Row, column: string): string => {
  const value = row[column];
  return typeof value === 'string' ? value : refuse(column);
};

const readBytes = (row: Row, column: string): Buffer => {
  const value = row[column];
  return value instanceof Uint8Array ? Buffer.from(value) : refuse(column);
};

const readHeld = (row: Row): HeldPieces => {
  const parsed: unknown = JSON.parse(readText(row, 'held'));
  const held: Partial<Record<'stdout' | 'stderr', {stamp: bigint; text: string}>> = {};
  for (const stream of ['stdout', 'stderr'] as const) {
    const piece: unknown = Object.entries(parsed ?? {}).find(([name]) => name === stream)?.[1];
    if (piece && typeof piece === 'object' && 'stamp' in piece && 'text' in piece) {
      held[stream] = {stamp: BigInt(String(piece.stamp)), text: String(piece.text)};
    }
  }
  return held;
};

const readStamps = (row: Row): StreamStamps => {
  const format = readText(row, 'format');
  return {
    format: format === 'container' || format === 'plain' ? format : undefined,
    last: row.last_stamp === null ? undefined : readBigint(row, 'last_stamp'),
    isBacklog: readNumber(row, 'is_backlog') === 1,
  };
};

/** Sources by their JSON, so that all lines of one have the same object. */
export type KnownSources = Map<string, SourceName>;

const readSource = (row: Row, known: KnownSources): SourceName => {
  const text = readText(row, 'source');
  const source = known.get(text) ?? textEntries(JSON.parse(text));
  known.set(text, source);
  return source;
};

/** Instants are decimal text: they don't fit JSON's numbers. */
export const formatLosses = (losses: readonly KeptLoss[]): string =>
  JSON.stringify(losses, (_name, value) => (typeof value === 'bigint' ? String(value) : value));

const readLosses = (row: Row): readonly KeptLoss[] => {
  const parsed: unknown = JSON.parse(readText(row, 'losses'));
  return (Array.isArray(parsed) ? parsed : refuse('losses')).map((loss: Readonly<Record<string, unknown>>) => {
    const numberOf = (key: string): number | undefined => (loss[key] === undefined ? undefined : Number(loss[key]));
    const instantOf = (key: string): bigint | undefined =>
      loss[key] === undefined ? undefined : BigInt(String(loss[key]));
    return {
      source: loss.source === undefined ? undefined : textEntries(loss.source),
      podKey: numberOf('podKey'),
      after: instantOf('after'),
      before: instantOf('before'),
      lines: numberOf('lines'),
      why: String(loss.why),
      number: numberOf('number') ?? 0,
      count: numberOf('count') ?? 1,
    };
  });
};

export const readBranchRow = (row: Row): StoredBranch => ({
  key: readNumber(row, 'key'),
  createdAtMs: readNumber(row, 'created_ms'),
  updatedAtMs: readNumber(row, 'updated_ms'),
  clock: {last: readBigint(row, 'last_stamp'), highest: readBigint(row, 'highest_stamp')},
  series: readText(row, 'series'),
  lastSequence: readNumber(row, 'last_sequence'),
  dropped: readNumber(row, 'dropped'),
  lossCount: readNumber(row, 'loss_count'),
  losses: readLosses(row),
});

export const readLineRow = (row: Row, known: KnownSources): KeptLine => ({
  sequence: readNumber(row, 'sequence'),
  podKey: readNumber(row, 'pod'),
  source: readSource(row, known),
  stamp: readBigint(row, 'stamp'),
  line: readText(row, 'line'),
});

export const readFileRow = (row: Row): StoredFile => ({
  key: readNumber(row, 'key'),
  podKey: readNumber(row, 'pod'),
  path: readText(row, 'path'),
  device: BigInt(readText(row, 'device')),
  inode: BigInt(readText(row, 'inode')),
  print: {
    position: readNumber(row, 'position'),
    head: readBytes(row, 'head'),
    tail: readBytes(row, 'tail'),
  },
  held: readHeld(row),
  stamps: readStamps(row),
  isFollowed: readNumber(row, 'is_followed') === 1,
});
