import {keyFor} from '#app/keys/keymap.ts';
import type {ScreenLogSettings} from '#app/parts/frame.ts';
import {type LogLook, rowForms, timeModes} from '#app/parts/log-parts.ts';
import {findPattern, type PatternUse} from '#app/search/patterns.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type Step, withLog} from '#app/state/step.ts';
import {formatLogTime} from '#app/words/format-time.ts';
import {countLinesFrom} from '#app/words/marker-words.ts';
import {columnsMax, promptCharsMax} from '#base/bounds.ts';
import {maskSecrets} from '#base/secret.ts';
import {indexAtOrAfter} from '#log/buffer/buffer.ts';
import {findingOf, type IncidentFinding} from '#log/incident/incident-finding.ts';
import {lineTestOf} from '#log/incident/recovery-watch.ts';
import type {Instant} from '#log/line/instant.ts';
import {countErrorsFrom} from '#log/overview/find-in-log.ts';
import type {LogKey, LogMemory} from '#log/overview/log-memory.ts';
import {cutToCells} from '#log/text/cut.ts';
import {countOf} from '#log/words/format-count.ts';
import type {TimeMode} from '#log/words/format-when.ts';
import {columnNames} from './columns-pane.ts';
import {addFilter, contextLinesMax, minimumLevels} from './filters.ts';
import {readFilter, toggleHighlight, writeFilter} from './highlights.ts';
import {beginWatch} from './incident/watch-finding.ts';
import {isFiltered} from './log-pane.ts';
import {placeMarks, rememberMarks} from './marking.ts';

/** A finding is named in so many cells. */
const nameCells = 40;

/**
 * Says in one line what is open since the last session: what came, what is watched, what the guard told, and marks;
 * nothing where that is nothing. Follows what comes until the next key, which takes it away. What was said before is
 * said after it.
 */
export const tellSince = (state: State): State => {
  const {log} = state;
  if (log?.sinceLast === undefined || log.recollection.kind !== 'recalled') {
    return state;
  }
  const {seenAt, guardTold, told} = log.sinceLast;
  const {findingWatch, marks, recollection} = log;
  const open = [
    ...(seenAt === undefined ? [] : cameWords(state, log, seenAt)),
    ...(findingWatch === undefined ? [] : [`watched: ${cutToCells(findingWatch.name, nameCells)}`]),
    ...(guardTold === 0 ? [] : [`the guard told ${guardTold === 1 ? 'once' : `${guardTold} times`}`]),
  ];
  const markCount = marks.length + recollection.unplacedMarks.length;
  const words = [...open, ...(open.length > 0 && markCount > 0 ? [countOf(markCount, 'mark')] : [])].join('; ');
  const rest = told !== undefined && state.notice === told.notice ? told.rest : state.notice;
  if (words === '') {
    return state;
  }
  const notice = rest === undefined ? words : `${words}; ${rest}`;
  return notice === told?.notice && notice === state.notice
    ? state
    : {...withLog(state, {...log, sinceLast: {...log.sinceLast, told: {notice, rest}}}), notice};
};

/** Counts what is later than the newest line of the last session: by the times of lines, so late ones are not in it. */
const cameWords = (state: State, {sources: [{tail}]}: LogState, seenAt: Instant): readonly string[] => {
  const {buffer} = tail.log;
  const from = indexAtOrAfter(buffer, seenAt + 1n);
  const lineCount = countLinesFrom(buffer, from);
  const errorCount = countErrorsFrom(buffer, from);
  const errors = errorCount === 0 ? '' : `, ${countOf(errorCount, 'error')}`;
  // What came before the first line that is held is not known.
  const least = from === 0 ? 'at least ' : '';
  return lineCount === 0
    ? []
    : [`since ${formatLogTime(state, seenAt)}: ${least}${countOf(lineCount, 'line')}${errors}`];
};

/**
 * Returns the key under which a log is remembered. A log of several branches has none: nothing is remembered of it,
 * unless it is one that somebody saved.
 */
export const memoryKey = ({context}: State, {siteId, sources}: LogState): LogKey | undefined =>
  sources.length === 1 || context.saved !== undefined
    ? {contextName: context.name, siteId, branchId: sources[0].branch._id}
    : undefined;

/** How a setting of the view is remembered. */
type Remembered = {
  /** Changes with the setting, and costs nothing: every update asks for it. */
  readonly value: (log: LogState) => unknown;
  readonly keep: (log: LogState, settings: ScreenLogSettings) => Partial<LogMemory>;
  /** Ignores what is not, or no longer, valid. */
  readonly recall: (log: LogState, memory: LogMemory) => LogState;
};

/** The log itself, what is under way, where the reader is, and what is for one look at a log. */
type Passing =
  | ('siteId' | 'sources' | 'sourceNames' | 'newest' | 'kept')
  | (
      | 'watch'
      | 'filtering'
      | 'soughtPod'
      | 'saving'
      | 'recollection'
      | 'call'
      | 'scan'
      | 'goToAt'
      | 'goToSaved'
      | 'readBack'
    )
  | ('patterns' | 'nextPatternId' | 'search' | 'trailId')
  | ('viewport' | 'cellsLeft' | 'overlay' | 'cursor' | 'sinceLast' | 'away' | 'cameFrom')
  | ('stripBucket' | 'areFiltersOff' | 'range');

/** Everything else is a setting, and is remembered: a new one that a key switches cannot be forgotten. */
type Setting = Exclude<keyof (Omit<LogState, 'look' | 'use'> & LogLook & PatternUse), Passing>;

const withLook = (log: LogState, look: Partial<LogLook>): LogState => ({...log, look: {...log.look, ...look}});

const namesOf = (log: LogState): string => columnNames(log).join('\n');

/** Returns which kinds of lines are folded. Repeated lines that were opened again are not remembered. */
const keepFolds = ({look, repeats}: LogState): Partial<LogMemory> => {
  const folds = [...(look.foldsTraces ? ['traces'] : []), ...(repeats === undefined ? [] : ['repeats'])];
  return {folds: folds.length === 0 ? undefined : folds};
};

const recallFilters = (log: LogState, memory: LogMemory): LogState => {
  let recalled = log;
  for (const written of memory.filters) {
    const {kind, query} = readFilter(written);
    recalled = unlessFault(recalled, addFilter(recalled, kind, query));
  }
  const filters = recalled.use.filters.map(filter =>
    memory.filtersOff?.includes(writeFilter(recalled.use, filter)) ? {...filter, isOff: true} : filter,
  );
  return {...recalled, use: {...recalled.use, filters}};
};

const unlessFault = (log: LogState, changed: LogState | {readonly error: string}): LogState =>
  'error' in changed ? log : changed;

const settings: Readonly<Record<Setting, Remembered>> = {
  filters: {
    value: ({use}) => use.filters,
    keep: ({use}) => ({
      filters: use.filters.map(filter => writeFilter(use, filter)),
      filtersOff: use.filters.filter(({isOff}) => isOff).map(filter => writeFilter(use, filter)),
    }),
    recall: recallFilters,
  },
  highlights: {
    value: ({use}) => use.highlights,
    keep: ({use}) => ({highlights: use.highlights.map(id => findPattern(use, id)?.pattern.query ?? '')}),
    recall: (log, {highlights}) =>
      highlights.reduce((before, query) => unlessFault(before, toggleHighlight(before, query)), log),
  },
  contextLines: {
    value: ({contextLines}) => contextLines,
    keep: ({contextLines}) => ({contextLines}),
    recall: (log, memory) => ({...log, contextLines: Math.max(0, Math.min(contextLinesMax, memory.contextLines))}),
  },
  minimumLevel: {
    value: ({minimumLevel}) => minimumLevel,
    keep: ({minimumLevel}) => ({minimumLevel: minimumLevel === 'none' ? undefined : minimumLevel}),
    recall: (log, memory) => ({
      ...log,
      minimumLevel: minimumLevels.find(level => level === memory.minimumLevel) ?? log.minimumLevel,
    }),
  },
  sourcePick: {
    value: ({sourcePick}) => sourcePick,
    keep: ({sourcePick}) => ({sourcePick}),
    recall: (log, {sourcePick}) => ({...log, sourcePick}),
  },
  repeats: {
    value: ({repeats}) => repeats === undefined,
    keep: keepFolds,
    recall: (log, {folds}) => ({...log, repeats: folds?.includes('repeats') ? [] : log.repeats}),
  },
  marks: {
    value: ({marks}) => marks,
    keep: log => ({marks: rememberMarks(log)}),
    recall: (log, {marks}) => placeMarks({...log, recollection: {kind: 'recalled', unplacedMarks: marks}}),
  },
  wraps: {
    value: ({look}) => look.wraps,
    keep: ({look: {wraps}}) => ({wraps}),
    recall: (log, {wraps}) => withLook(log, {wraps}),
  },
  time: {
    value: ({look}) => look.time,
    keep: ({look}) => ({timeMode: look.time}),
    recall: (log, {timeMode}) => withLook(log, {time: findTimeMode(timeMode) ?? log.look.time}),
  },
  rows: {
    value: ({look}) => look.rows,
    keep: ({look}, {rows}) => ({rows: look.rows === rows ? undefined : look.rows}),
    recall: (log, {rows}) => withLook(log, {rows: rowForms.find(form => form === rows) ?? log.look.rows}),
  },
  columns: {
    value: namesOf,
    // Their widths are not remembered.
    keep: (log, {columns = []}) => ({columns: namesOf(log) === columns.join('\n') ? undefined : columnNames(log)}),
    recall: (log, {columns}) =>
      withLook(log, {columns: columns?.slice(0, columnsMax).map(name => ({name})) ?? log.look.columns}),
  },
  foldsTraces: {
    value: ({look}) => look.foldsTraces,
    keep: keepFolds,
    recall: (log, {folds}) => withLook(log, {foldsTraces: folds?.includes('traces') ?? log.look.foldsTraces}),
  },
  findingWatch: {
    value: ({findingWatch}) => findingWatch?.finding,
    keep: ({findingWatch}) => ({watched: findingWatch && keepWatched(findingWatch.finding)}),
    recall: (log, {watched}) => {
      const finding = watched && findingOf(watched);
      const test = finding && lineTestOf(finding);
      return finding && test ? {...log, findingWatch: beginWatch(log, finding, test)} : log;
    },
  },
  seen: {
    // Not with each key.
    value: ({seen}) => Math.floor(seen.atMs / seenEveryMs),
    keep: ({seen, sinceLast}) => ({lastSeenAt: seen.newest[0]?.at ?? sinceLast?.seenAt}),
    recall: (log, {lastSeenAt}) =>
      log.sinceLast === undefined ? log : {...log, sinceLast: {...log.sinceLast, seenAt: lastSeenAt}},
  },
};

/** While keys are pressed, what was seen last is remembered this often, milliseconds. */
const seenEveryMs = 60_000;

/** What it is about is text of the log: not stored if it is long, or holds a secret. */
const keepWatched = ({what, of, subject, since, before, now}: IncidentFinding): LogMemory['watched'] =>
  subject.length > promptCharsMax || maskSecrets(subject) !== subject
    ? undefined
    : {
        ...{what, of, subject, since},
        before: typeof before === 'number' ? before : undefined,
        now: typeof now === 'number' ? now : undefined,
      };

const remembered = Object.values(settings);

/** Returns what is remembered of a log. */
export const toMemory = ({logSettings}: State, log: LogState): LogMemory => {
  let memory = nothing;
  for (const {keep} of remembered) {
    memory = {...memory, ...keep(log, logSettings)};
  }
  return memory;
};

const nothing: LogMemory = {
  filters: [],
  contextLines: 0,
  minimumLevel: undefined,
  wraps: false,
  timeMode: undefined,
  rows: undefined,
  highlights: [],
  marks: [],
};

/** Applies a memory to a log; ignores parts that are not (or no longer) valid. */
export const recallLog = (state: State, log: LogState, memory: LogMemory | undefined): State => {
  if (memory === undefined) {
    return tellSince(withLog(state, {...log, recollection: {kind: 'recalled', unplacedMarks: []}}));
  }
  const recalled = remembered.reduce((before, {recall}) => recall(before, memory), log);
  return tellSince(tellFilters(withLog(state, recalled), recalled));
};

/** Tells the user about recalled filters, so that hidden lines are no surprise. */
const tellFilters = (state: State, log: LogState): State => {
  const words = [
    ...(log.use.filters.length === 0 ? [] : [countOf(log.use.filters.length, 'filter')]),
    ...(log.minimumLevel === 'none' ? [] : [`minimum level ${log.minimumLevel}`]),
    ...(log.sourcePick === undefined ? [] : ['choice of sources']),
  ];
  return isFiltered(log)
    ? {
        ...state,
        notice: `${state.context.saved ? 'as it was handed over' : 'as you left it'}: ${words.join(' and ')} active; ${keyFor('removeFilters', 'log')} shows all lines`,
      }
    : state;
};

/** A distance from a line or a mark is for one look at a log: the day after it would be taken for a time. */
const findTimeMode = (word: string | undefined): TimeMode | undefined =>
  timeModes.find(mode => mode === word && mode !== 'sinceLine' && mode !== 'sinceMark');

/** Runs after every update: saves what is remembered of the log if it changed. */
export const keepRemembered = (before: State, step: Step): Step => {
  const {state, effects} = step;
  const {log} = state;
  const was = before.log;
  const isRecalled = log?.recollection.kind === 'recalled' && was?.recollection.kind === 'recalled';
  if (was !== undefined && isLeft(before, step)) {
    return keepLeft(before, was, step);
  }
  if (state.generation !== before.generation || log === was || !isRecalled) {
    return step;
  }
  const key = memoryKey(state, log);
  return key === undefined || isSame(was, log)
    ? step
    : {state, effects: [...effects, {kind: 'rememberLog', key, memory: toMemory(state, log)}]};
};

const isLeft = ({generation}: State, {state, effects}: Step): boolean =>
  state.log === undefined || state.generation !== generation || effects.some(({kind}) => kind === 'exit');

/** What was seen last is known only once a log is left. */
const keepLeft = (before: State, log: LogState, {state, effects}: Step): Step => {
  const key = memoryKey(before, log);
  const isWanted = before.remembersLogs === true && before.context.saved === undefined;
  return key === undefined || !isWanted || log.recollection.kind !== 'recalled' || log.seen.newest[0] === undefined
    ? {state, effects}
    : {state, effects: [{kind: 'rememberLog', key, memory: toMemory(before, log)}, ...effects]};
};

const isSame = (was: LogState, log: LogState): boolean => remembered.every(({value}) => value(was) === value(log));
