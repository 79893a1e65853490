import {keyFor} from '#app/keys/keymap.ts';
import type {IncidentPane} from '#app/panes/panes.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type LogHandler, next, withLog} from '#app/state/step.ts';
import type {IncidentOrder} from '#app/tail/incident-reading.ts';
import {canReadBackTo, canReadOn, type Tail} from '#app/tail/tail.ts';
import {formatLogTime} from '#app/words/format-time.ts';
import {timeAtIndex} from '#log/buffer/buffer.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import {isTrouble} from '#log/incident/incident-finding.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import type {HeldFrom} from '#log/line/unread.ts';

/** Says how older lines can be had: by a key, by other flags, or not at all. */
export const olderWords = ({sources}: Pick<LogState, 'sources'>): string =>
  sources.some(({tail}) => canReadOn(tail, 'earlier'))
    ? `${keyFor('readOlder', 'log')} reads older lines`
    : whyNoOlder(sources.map(({tail}) => tail));

const whyNoOlder = (tails: readonly Tail[]): string => {
  if (tails.some(({log}) => log.buffer.evictedLines > 0 || log.heldFrom?.why === 'unread')) {
    return 'older lines do not fit: buffer_mb in [log] makes room';
  }
  const whys = tails.map(({log}) => log.heldFrom?.why);
  return whyWords(whys.find(why => why === 'asked') ?? whys[0]);
};

const whyWords = (why: HeldFrom['why'] | undefined): string => {
  switch (why) {
    case 'asked':
      return 'older lines were not asked for: --since reads them';
    case 'file':
      return 'the files of its pods reach no further back';
    case 'start':
      return 'the log begins there';
    case 'memory':
      return 'older lines did not fit into memory';
    case 'unread':
    case undefined:
      return 'the service holds nothing older';
    default:
      return why satisfies never;
  }
};

/** A baseline is looked for in so much more log at least, in milliseconds. */
const olderMsMin = 15 * 60_000;

/** Nobody waits longer for lines that nobody asked for, milliseconds. */
const ownReadMsMax = 5000;
/** As many as are read in that time, which takes little memory. */
const ownReadEntriesMax = 200_000;

/** Reads lines from before the first ones: as much again as is held. Where none can be read, says what would help. */
export const readOlder: LogHandler = (state, log, command) => {
  if (command !== 'readOlder') {
    return undefined;
  }
  const to = timeToReadBackTo(log);
  return to === undefined
    ? next({...state, notice: olderWords(log)})
    : next({
        ...withLog(state, {...log, readBack: {to, isBounded: false}}),
        notice: `reading back to ${formatLogTime(state, to)}`,
      });
};

const timeToReadBackTo = (log: LogState): Instant | undefined => {
  const view = viewAll(log);
  const [oldest, newest] = [view.timeAt(0), view.timeAt(view.entryCount - 1)];
  if (oldest === undefined || newest === undefined || !log.sources.some(({tail}) => canReadOn(tail, 'earlier'))) {
    return undefined;
  }
  const least = instantFromMs(olderMsMin);
  return oldest - (newest - oldest > least ? newest - oldest : least);
};

/** Once a log was read: reads on by itself if that may bring what is missing for a verdict. */
export const readOnByItself = (state: State, log: LogState, pane: IncidentPane, report: IncidentReport): State => {
  const {basis, findings, isComplete} = report;
  const isWanted =
    basis.comparedWith === undefined ||
    basis.uncovered.some(({why}) => why === 'unread') ||
    findings.some(finding => isTrouble(finding) && finding.mayBeOlder);
  const to = timeToReadBackTo(log);
  if (!isComplete || !isWanted || to === undefined || log.readBack !== undefined || isTooMuch(state, log, pane)) {
    return state;
  }
  return withLog(state, {...log, readBack: {to, isBounded: true}});
};

const isTooMuch = ({nowMs}: State, log: LogState, {openedAtMs}: IncidentPane): boolean =>
  nowMs - openedAtMs > ownReadMsMax || viewAll(log).entryCount > ownReadEntriesMax;

/** Whether older lines are being read. */
export const isReadingBack = ({readBack, sources}: LogState): boolean =>
  readBack !== undefined || sources.some(({tail}) => tail.isReadingBack);

/** Whether older lines came after this order, and no more come now. */
export const isOlderRead = (log: LogState, {sources}: IncidentOrder): boolean =>
  !isReadingBack(log) &&
  log.sources.some(({tail}, index) => {
    const [now, before] = [tail.log.buffer, sources[index]?.buffer].map(buffer => buffer && timeAtIndex(buffer, 0));
    return now !== undefined && (before === undefined || now < before);
  });

/** Whether older lines were read as far as they were wanted; of those that nobody asked for, as far as is right. */
export const isReadBack = (state: State, log: LogState): boolean => {
  const {readBack, overlay, sources} = log;
  return (
    readBack !== undefined &&
    (!sources.some(({tail}) => canReadBackTo(tail, readBack.to)) ||
      (readBack.isBounded && (overlay?.kind !== 'incident' || isTooMuch(state, log, overlay))))
  );
};
