import {writeHandOver} from '#api/recording/hand-over.ts';
import {type HandedPlace, handedFacts} from '#api/recording/hand-over-client.ts';
import type {HandOverRequest} from '#app/export/exporter.ts';
import type {ContextLabel} from '#app/parts/frame.ts';
import {batchesOf, type Scope} from '#app/parts/log-parts.ts';
import {maskSecrets} from '#base/secret.ts';
import {toStored} from '#cli/connection/log-memories.ts';
import {bytesPerMb} from '#cli/io/io.ts';
import {entryAt, indexOfEntry, type LineBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import type {Entry} from '#log/line/entry.ts';
import type {Anchor} from '#log/view/log-view.ts';
import {createSlices, writeAtomically} from './export/save-lines.ts';

export type HandOverInput = HandOverRequest & {
  readonly site: {readonly id: string; readonly name: string | undefined};
  readonly context: ContextLabel;
  readonly savedAtMs: number;
  readonly savedBy: string;
  readonly version: string;
  /** Only these entries are handed over; undefined: all that is held. */
  readonly picked: Scope | undefined;
  /** The verdict and the findings, as `incident --format json` prints them. */
  readonly records: readonly object[];
};

type SavingOptions = {readonly signal: AbortSignal; readonly progress: (share: number) => void};

/** Entries of a buffer that are taken at a time. */
const batchEntries = 512;

/**
 * Writes a hand-over to a file, which appears only when it is complete. What looks like a secret is masked in all that
 * it has. Rejects with the file system's error.
 */
export const writeHandOverFile = async (
  path: string,
  input: HandOverInput,
  {signal, progress}: SavingOptions,
): Promise<{readonly lines: number; readonly bytes: number}> => {
  const {context, site, savedAtMs, savedBy, version, logs, picked} = input;
  const {name, host, parts} = context;
  const buffers = logs.map(({tail}) => tail.log.buffer);
  const all =
    picked === undefined ? buffers.reduce((sum, {entryCount}) => sum + entryCount, 0) : picked.end - picked.first;
  let [done, lines] = [0, 0];
  const counted = function* (entries: Iterable<Entry>): Generator<Entry> {
    for (const entry of entries) {
      done += 1;
      lines += entry.kind === 'line' ? 1 : 0;
      yield entry;
    }
  };
  const pieces = writeHandOver(
    {
      head: masked({
        ...{savedAtMs, savedBy, branchlog: version, context: {name, host, parts}, site},
        bufferMb: Math.ceil(buffers.reduce((sum, {bytesMax}) => sum + bytesMax, 0) / bytesPerMb),
      }),
      view: masked({memory: toStored(input.memory), place: placeIn(input)}),
      findings: input.records.map(masked),
      logs: logs.map((log, source) => ({
        facts: masked(handedFacts({...log, log: log.tail.log, said: log.tail.said, pods: log.tail.log.pods})),
        entries: counted(picked === undefined ? entriesIn(log.tail.log.buffer) : entriesOf(picked, source)),
      })),
    },
    maskSecrets,
  );
  const share = createSlices();
  return writeAtomically(path, signal, async file => {
    for (const piece of pieces) {
      signal.throwIfAborted();
      await file.write(piece);
      progress(done / Math.max(1, all));
      await share();
    }
    return {lines, bytes: file.bytes()};
  });
};

/** Returns JSON in which each text is masked where it looks like a secret, and instants are text. */
const masked = (value: object): object => JSON.parse(JSON.stringify(value, maskedField));

const maskedField = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? maskSecrets(value) : typeof value === 'bigint' ? String(value) : value;

function* entriesIn(buffer: LineBuffer): Generator<Entry> {
  for (let index = 0; index < buffer.entryCount; index += batchEntries) {
    yield* sliceEntries(buffer, index, batchEntries);
  }
}

function* entriesOf(scope: Scope, source: number): Generator<Entry> {
  for (const batch of batchesOf(scope)) {
    for (const each of batch) {
      if (each.source === source) {
        yield each.entry;
      }
    }
  }
}

/** Returns the place by the numbers that entries get: they count over all logs. What was picked opens at its end. */
const placeIn = ({place, logs, picked}: HandOverInput): HandedPlace => {
  const numberOf = (anchor: Anchor | undefined): Anchor | undefined => {
    const buffer = anchor && logs[anchor.source]?.tail.log.buffer;
    if (anchor === undefined || buffer === undefined) {
      return undefined;
    }
    const index = indexOfEntry(buffer, anchor);
    const before = logs.slice(0, anchor.source).reduce((sum, {tail}) => sum + tail.log.buffer.entryCount, 0);
    return entryAt(buffer, index)?.id === anchor.id ? {...anchor, id: before + index + 1} : undefined;
  };
  const anchor = numberOf(place.held?.anchor);
  return picked === undefined
    ? {
        top: numberOf(place.top),
        cursor: numberOf(place.cursor),
        held: anchor && {anchor, row: place.held?.row ?? 0},
      }
    : {};
};
