import {keyFor} from '#app/keys/keymap.ts';
import {type LogKey, type LogMemory, rowForms, timeModes} from '#app/parts/log-parts.ts';
import {findPattern} from '#app/search/patterns.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type Step, withLog} from '#app/state/step.ts';
import {columnsMax} from '#base/bounds.ts';
import type {Level} from '#log/tokens/level-words.ts';
import {countOf} from '#log/words/format-count.ts';
import type {TimeMode} from '#log/words/format-when.ts';
import {columnNames} from './columns-pane.ts';
import {addFilter, contextLinesMax, minimumLevels} from './filters.ts';
import {readFilter, toggleHighlight, writeFilter} from './highlights.ts';
import {placeMarks, rememberMarks} from './marking.ts';
import {isFiltered} from './pane/is-filtered.ts';

/** Returns the key under which a log is remembered. A log of several branches has none: nothing is remembered of it. */
export const memoryKey = ({context}: State, {siteId, sources}: LogState): LogKey | undefined =>
  sources.length === 1 ? {contextName: context.name, siteId, branchId: sources[0].branch._id} : undefined;

/** What is folded, if anything is. Repeated lines that were opened again are not remembered. */
const foldsOf = ({look, repeats}: LogState): readonly string[] | undefined => {
  const folds = [...(look.foldsTraces ? ['traces'] : []), ...(repeats === undefined ? [] : ['repeats'])];
  return folds.length === 0 ? undefined : folds;
};

/** Returns what is remembered of a log. */
export const toMemory = ({logSettings}: State, log: LogState): LogMemory => {
  const queryOf = (id: number): string => findPattern(log.use, id)?.pattern.query ?? '';
  // Their widths are not remembered.
  const columns = columnNames(log);
  return {
    filters: log.use.filters.map(filter => writeFilter(log.use, filter)),
    filtersOff: log.use.filters.filter(({isOff}) => isOff).map(filter => writeFilter(log.use, filter)),
    contextLines: log.contextLines,
    minimumLevel: log.minimumLevel === 'none' ? undefined : log.minimumLevel,
    sourcePick: log.sourcePick,
    wraps: log.look.wraps,
    timeMode: log.look.time,
    rows: log.look.rows === logSettings.rows ? undefined : log.look.rows,
    columns: columns.join('\n') === (logSettings.columns ?? []).join('\n') ? undefined : columns,
    folds: foldsOf(log),
    highlights: log.use.highlights.map(queryOf),
    marks: rememberMarks(log),
  };
};

/** Applies a memory to a log; ignores parts that are not (or no longer) valid. */
export const recallLog = (state: State, log: LogState, memory: LogMemory | undefined): State => {
  if (memory === undefined) {
    return withLog(state, {...log, recollection: {kind: 'recalled', unplacedMarks: []}});
  }
  const look = {
    ...log.look,
    wraps: memory.wraps,
    time: findTimeMode(memory.timeMode) ?? log.look.time,
    rows: rowForms.find(form => form === memory.rows) ?? log.look.rows,
    foldsTraces: memory.folds?.includes('traces') ?? log.look.foldsTraces,
    columns: memory.columns?.slice(0, columnsMax).map(name => ({name})) ?? log.look.columns,
  };
  const contextLines = Math.max(0, Math.min(contextLinesMax, memory.contextLines));
  const minimumLevel = findLevel(memory.minimumLevel) ?? log.minimumLevel;
  let recalled: LogState = {
    ...log,
    look,
    repeats: memory.folds?.includes('repeats') ? [] : log.repeats,
    contextLines,
    minimumLevel,
    sourcePick: memory.sourcePick,
    recollection: {kind: 'recalled', unplacedMarks: memory.marks},
  };
  const take = (changed: LogState | {readonly error: string}): void => {
    recalled = 'error' in changed ? recalled : changed;
  };
  for (const written of memory.filters) {
    const {kind, query} = readFilter(written);
    take(addFilter(recalled, kind, query));
  }
  const filters = recalled.use.filters.map(filter =>
    memory.filtersOff?.includes(writeFilter(recalled.use, filter)) ? {...filter, isOff: true} : filter,
  );
  recalled = {...recalled, use: {...recalled.use, filters}};
  for (const query of memory.highlights) {
    take(toggleHighlight(recalled, query));
  }
  return tellFilters(withLog(state, placeMarks(recalled)), recalled);
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
        notice: `as you left it: ${words.join(' and ')} active; ${keyFor('removeFilters', 'log')} shows all lines`,
      }
    : state;
};

/** A distance from a line or a mark is for one look at a log: the day after it would be taken for a time. */
const findTimeMode = (word: string | undefined): TimeMode | undefined =>
  timeModes.find(mode => mode === word && mode !== 'sinceLine' && mode !== 'sinceMark');
const findLevel = (word: string | undefined): Level | undefined => minimumLevels.find(level => level === word);

/** Runs after every update: saves what is remembered of the log if it changed. */
export const keepRemembered = (before: State, step: Step): Step => {
  const {state, effects} = step;
  const {log} = state;
  const was = before.log;
  const isRecalled = log?.recollection.kind === 'recalled' && was?.recollection.kind === 'recalled';
  if (state.generation !== before.generation || log === was || !isRecalled) {
    return step;
  }
  const key = memoryKey(state, log);
  return key === undefined || isSame(was, log)
    ? step
    : {state, effects: [...effects, {kind: 'rememberLog', key, memory: toMemory(state, log)}]};
};

const isSame = (was: LogState, log: LogState): boolean =>
  was.use.filters === log.use.filters &&
  was.use.highlights === log.use.highlights &&
  was.contextLines === log.contextLines &&
  was.minimumLevel === log.minimumLevel &&
  was.sourcePick === log.sourcePick &&
  was.look.wraps === log.look.wraps &&
  was.look.time === log.look.time &&
  was.look.rows === log.look.rows &&
  columnNames(was).join('\n') === columnNames(log).join('\n') &&
  was.look.foldsTraces === log.look.foldsTraces &&
  (was.repeats === undefined) === (log.repeats === undefined) &&
  was.marks === log.marks;
