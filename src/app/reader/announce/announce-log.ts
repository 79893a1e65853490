import {countPods, listPods} from '#app/log/list-pods.ts';
import {
  currentEntry,
  ownerOf,
  readCurrentEntry,
  readOpenedLog,
  readOverlay,
  readPollSums,
  sourceToSay,
} from '#app/log/read-log.ts';
import {readSummary} from '#app/log/select-summary.ts';
import {findValueTrace, valueTraceWords} from '#app/log/value-trace.ts';
import type {Frame} from '#app/parts/frame.ts';
import {messageCharsMax} from '#app/rows/fit-row.ts';
import {joinWords} from '#app/rows/read-entry.ts';
import type {LogSource, LogState, State} from '#app/state/state.ts';
import {partWord} from '#app/words/branch-labels.ts';
import {troubleWords} from '#app/words/describe-status.ts';
import {formatLength} from '#app/words/format-time.ts';
import {addedEntries} from '#log/buffer/added-entries.ts';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {formatClock} from '#log/line/instant.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {notLinesWords} from '#log/words/describe-marker.ts';
import {countOf} from '#log/words/format-count.ts';
import type {HeardEntry} from './line-queue.ts';

/** Number of entries read when a log is opened, over all its branches. */
const firstEntriesRead = 10;
/** At most this many troubles of pods are read in a log without lines. */
const troublesReadMax = 3;

export type LogChange = {readonly sentences: readonly string[]; readonly entries: readonly HeardEntry[]};

/**
 * Announces changes on the log screen. Only keys move the reader, although the entry at the reader's place may change
 * by itself.
 */
export const announceLog = (before: State, now: State, log: LogState, cause: 'key' | 'event'): LogChange => {
  const was = before.generation === now.generation ? before.log : undefined;
  if (was === undefined) {
    return {sentences: readOpenedLog(log), entries: []};
  }
  const changes = log.sources.map((source, index) => {
    const earlier = was.sources[index] ?? source;
    return earlier.tail === source.tail ? noChange : announceSource(now, log, earlier, source, ownerOf(log, index));
  });
  return {
    sentences: [
      ...announceSummary(was, log),
      ...announceTrail(now, was, log),
      ...(cause === 'key' ? [...announceViewport(now, was, log), ...announceOverlay(now, was, log)] : []),
      ...changes.flatMap(({sentences}) => sentences),
    ],
    entries: changes.flatMap(({entries}) => entries),
  };
};

const noChange: LogChange = {sentences: [], entries: []};

const announceSource = (
  frame: Frame,
  log: LogState,
  {tail: before}: LogSource,
  source: LogSource,
  whose: string | undefined,
): LogChange => {
  const {tail: now} = source;
  const {buffer} = now.log;
  const isFirst = before.log.before === undefined && now.log.before !== undefined;
  const readCount = Math.ceil(firstEntriesRead / log.sources.length);
  const entries = isFirst
    ? sliceEntries(buffer, Math.max(0, buffer.entryCount - readCount), readCount)
    : addedEntries(before.log.buffer, buffer);
  const tooLateCount = buffer.tooLateLines - before.log.buffer.tooLateLines;
  const sentences = [
    ...announceConnection(frame, before.connection, now.connection),
    ...(isFirst ? [firstWindowWords(source, entries.length)] : []),
    ...(before.notLineCount === 0 && now.notLineCount > 0 ? [`${notLinesWords(now.notLineCount)}.`] : []),
    ...(tooLateCount > 0 ? [`${countOf(tooLateCount, 'line')} came too late for what is held.`] : []),
    ...(before.log.buffer.evictedLines === 0 && buffer.evictedLines > 0
      ? ['From now on the oldest lines leave what is held.']
      : []),
  ];
  return {
    sentences: sentences.map(words => (whose === undefined ? words : `${whose}: ${words}`)),
    entries: entries.map((entry): HeardEntry => {
      const heardSource = sourceToSay(frame, log, entry);
      return {entry, whose, part: partWord(frame.context), ...(heardSource !== undefined && {source: heardSource})};
    }),
  };
};

const firstWindowWords = ({branch, tail}: LogSource, readCount: number): string => {
  const {buffer, horizon} = tail.log;
  if (buffer.lineCount === 0 || horizon === undefined) {
    const why = branch.troubles
      .slice(0, troublesReadMax)
      .map(each => `${sanitiseWord(troubleWords(each), messageCharsMax)}.`);
    return ['The log has no lines yet. They are read as they come.', ...why].join(' ');
  }
  const held = `${countOf(buffer.lineCount, 'line')} since ${formatClock(horizon)}`;
  return readCount < buffer.entryCount ? `${held}, the last ${readCount}:` : `${held}:`;
};

type Connection = LogSource['tail']['connection'];

const announceConnection = (frame: Frame, before: Connection, now: Connection): readonly string[] => {
  switch (now.kind) {
    case 'failing':
      return before.kind === 'failing' && before.message === now.message
        ? []
        : [retryWords(now.message, now.retryAtMs - frame.nowMs)];
    case 'live':
      return before.kind === 'failing' ? ['The log is read again.'] : [];
    case 'ended':
      return before.kind === 'ended' || frame.context.saved ? [] : ['This is the end of the recording.'];
    case 'connecting':
      return [];
    default:
      return now satisfies never;
  }
};

/** `Retrying in 4 s: api.example.com:443 refused.` */
export const retryWords = (message: string, delayMs: number): string =>
  `Retrying in ${formatLength(Math.max(1000, delayMs))}: ${sanitiseWord(message, messageCharsMax)}.`;

const announceViewport = (frame: Frame, was: LogState, log: LogState): readonly string[] => {
  const before = was.viewport;
  const now = log.viewport;
  if (now === before) {
    return [];
  }
  if (now.kind === 'following') {
    return ['Following again.'];
  }
  const current = currentEntry(log);
  const newest = currentEntry(was);
  const whole = readCurrentEntry(frame, log, newest && sourceToSay(frame, log, newest.entry));
  if (current === undefined || whole === undefined) {
    return [];
  }
  if (before.kind === 'following') {
    // The newest line was read when it came.
    return current.entry === newest?.entry ? [`Paused at ${formatClock(current.entry.at)}.`] : ['Paused.', whole];
  }
  const isSameRow =
    before.top.id === now.top.id && before.top.source === now.top.source && before.rowsAbove === now.rowsAbove;
  return isSameRow ? [] : [whole];
};

/** Announces a summary once it is complete; its progress is not read. */
const announceSummary = ({overlay: before}: LogState, {overlay}: LogState): readonly string[] => {
  const isMade =
    overlay?.kind === 'summary' &&
    before?.kind === 'summary' &&
    overlay.readCount === overlay.order.entryCount &&
    before.readCount < before.order.entryCount;
  return isMade ? [`Summary of ${countOf(overlay.result?.lineCount ?? 0, 'line')} ready.`, readSummary(overlay)] : [];
};

/** Announces a trail once all logs have been searched. */
const announceTrail = (state: State, was: LogState, log: LogState): readonly string[] => {
  const {overlay} = log;
  const isNews = overlay?.kind === 'trail' && was.overlay?.kind === 'trail' && log.use !== was.use;
  const trail = isNews ? findValueTrace(state, log) : undefined;
  return trail?.isComplete && isNews
    ? [`${joinWords(valueTraceWords(state, log, trail))}.`, readOverlay(state, log, overlay)]
    : [];
};

const announceOverlay = (state: State, was: LogState, log: LogState): readonly string[] => {
  const {overlay} = log;
  if (overlay === was.overlay) {
    return [];
  }
  if (overlay === undefined) {
    return ['Back to the log.'];
  }
  const words = readOverlay(state, log, overlay);
  if (was.overlay !== undefined) {
    return [words];
  }
  return overlay.kind === 'inspector'
    ? [readPollSums(state, log), words]
    : overlay.kind === 'pods'
      ? [`${countPods(listPods(log), partWord(state.context))}.`, words]
      : [words];
};
