import {type Command, keyFor} from '#app/keys/keymap.ts';
import type {OpenedLine} from '#app/panes/panes.ts';
import type {SourceValue} from '#app/parts/kept-views.ts';
import {originalLine} from '#app/parts/log-parts.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type ListHandler, type LogHandler, next, paneRows, type Step, withLog} from '#app/state/step.ts';
import {type Entry, type GapMarker, type LineEntry, textOf} from '#log/line/entry.ts';
import type {LineValue} from '#log/reading/find-values.ts';
import {filterFor} from '#log/summary/filter-for.ts';
import {parseWrittenTime} from '#log/tokens/written-time.ts';
import {readLineParts} from '#log/traits/read-parts.ts';
import {anchorOf, type LogView, type SourcedEntry} from '#log/view/log-view.ts';
import {gapWords} from '#log/words/describe-marker.ts';
import {countOf} from '#log/words/format-count.ts';
import {sourceWordsInFull} from '#log/words/source-words.ts';
import {addFilter} from './filters.ts';
import {goToTime} from './go-to-time.ts';
import {isAsWritten} from './line-sections.ts';
import {paneOf} from './log-pane.ts';
import {pickSources} from './log-sources-pane.ts';
import {isSameEntry} from './mark-rows.ts';
import {cursorIndex, goToIndex, startPicking} from './picking.ts';
import {openedValues} from './select-opened-line.ts';

/** Opens the line under the cursor; if no cursor is visible, starts picking a line. */
export const openLine: LogHandler = (state, log, command) => {
  if (command !== 'openLine') {
    return undefined;
  }
  const pane = paneOf(state, log);
  const index = cursorIndex(log, pane);
  if (index === undefined) {
    const picking = startPicking(log, pane);
    const notice =
      picking === log ? 'the log has no lines yet' : `choose a line; ${keyFor('openLine', 'log')} opens it`;
    return next({...withLog(state, picking), notice});
  }
  const [found] = pane.view.slice(index, 1);
  const opened = found && openedAt(found);
  return next(
    opened === undefined ? {...state, notice: markerNotice(found?.entry)} : withLog(state, {...log, overlay: opened}),
  );
};

/**
 * Returns the notice for an entry that is not a line. A gap explains why it is one, also in the service's own words: at
 * 80 columns its row has no room for that. Foreign text.
 */
const markerNotice = (entry: Entry | undefined): string =>
  entry?.kind === 'gap' ? gapNotice(entry) : 'this is a marker, not a line';

const gapNotice = (gap: GapMarker): string => {
  const whose = gap.source === undefined ? '' : ` in ${sourceWordsInFull(gap.source)}`;
  return `${gapWords(gap)}${whose}`;
};

const openedAt = ({source, entry}: SourcedEntry): OpenedLine | undefined =>
  entry.kind === 'line' ? {kind: 'line', source, line: entry, selectedKey: undefined, top: 0} : undefined;

/**
 * Handles the commands that only an opened line has. The log underneath stays where it is, except when moving to
 * another line, or when a value of the line filters the log or leads to a time.
 */
export const updateOpenedLine: ListHandler<OpenedLine> = (state, log, opened, command) => {
  const step = opened.chosen === undefined ? undefined : actOnValue(state, log, opened, command);
  if (step !== undefined) {
    return step;
  }
  switch (command) {
    case 'nextSection':
      return choose(state, log, opened, opened.chosen === undefined ? 0 : opened.chosen + 1);
    case 'copyLines':
      return next(state, {kind: 'copy', text: originalLine(opened.line, isAsWritten(state)), what: countOf(1, 'line')});
    case 'moveLeft':
    case 'moveRight':
      return openEvents(state, log, opened, command === 'moveRight' ? 1 : -1);
    default:
      return undefined;
  }
};

/** Chooses a value and scrolls it into view; after the last comes the first. */
const choose = (state: State, log: LogState, opened: OpenedLine, index: number): Step => {
  const values = openedValues(state, log, opened);
  const chosen = (index + values.length) % Math.max(1, values.length);
  const value = values[chosen];
  if (value === undefined) {
    return next({...state, notice: 'no fields recognised'});
  }
  const top = Math.max(Math.min(opened.top, value.rowIndex), value.rowIndex - paneRows(state) + 1);
  return next(withLog(state, {...log, overlay: {...opened, chosen, top}}));
};

/** Handles a command for the chosen value; undefined if the command has nothing to do with it. */
const actOnValue = (state: State, log: LogState, opened: OpenedLine, command: Command): Step | undefined => {
  const {chosen = 0} = opened;
  const value = openedValues(state, log, opened)[chosen];
  if (value === undefined) {
    return undefined;
  }
  switch (command) {
    case 'back':
      return next(withLog(state, {...log, overlay: {...opened, chosen: undefined}}));
    case 'moveUp':
    case 'moveDown':
      return choose(state, log, opened, chosen + (command === 'moveDown' ? 1 : -1));
    case 'openLine':
    case 'copyLines':
      return next(state, {kind: 'copy', text: value.text, what: `the ${value.label}`});
    case 'filterIn':
    case 'filterOut': {
      if (isOfSource(value)) {
        const picked = pickBySource(log, opened.line, value.name, command);
        return next(
          picked.sourcePick === undefined
            ? {...state, notice: `all lines are from this ${value.name}`}
            : withLog(state, {...picked, overlay: undefined}),
        );
      }
      const kind = command === 'filterIn' ? 'include' : 'exclude';
      const filtered = addFilter({...log, overlay: undefined}, kind, queryFor(opened.line, value));
      return next('error' in filtered ? {...state, notice: filtered.error} : withLog(state, filtered));
    }
    case 'goToTime': {
      const at = value.name === 'time' ? parseWrittenTime(value.text, {nowAt: opened.line.at}) : undefined;
      return at === undefined
        ? next({...state, notice: `the ${value.label} is not a time to jump to`})
        : goToTime(state, {...log, overlay: undefined}, at);
    }
    default:
      return undefined;
  }
};

type OpenedValue = LineValue | SourceValue;

const isOfSource = (value: OpenedValue): value is SourceValue =>
  value.name === 'pod' || value.name === 'container' || value.name === 'stream';

/** Shows only, or hides, the lines of all sources with the same pod, container or stream. */
const pickBySource = (
  log: LogState,
  {source}: LineEntry,
  field: SourceValue['name'],
  command: 'filterIn' | 'filterOut',
): LogState => {
  const names = log.sourceNames.filter(name => name[field] === source?.[field]);
  return pickSources(log, command === 'filterIn' ? 'only' : 'hide', names);
};

/** Returns the query that finds lines with a value: a status and a client only in their place, others anywhere. */
const queryFor = (line: LineEntry, {name, text}: LineValue): string => {
  const {status, client} = readLineParts(textOf(line));
  if (name === 'status' && status !== undefined) {
    return filterFor({table: 'statuses', key: String(status.value), sources: [status.source]}) ?? text;
  }
  return name === 'client' && client?.value === text
    ? (filterFor({table: 'clients', key: text, sources: [client.source]}) ?? text)
    : text;
};

/**
 * Opens the next or previous line of the view and puts the cursor on it, so that the log is there when the pane closes.
 */
const openEvents = (state: State, log: LogState, opened: OpenedLine, direction: 1 | -1): Step => {
  const pane = paneOf(state, log);
  const beside = findLineBeside(pane.view, opened, direction);
  return next(
    beside === undefined
      ? {...state, notice: `no more lines ${direction === 1 ? 'below' : 'above'}`}
      : withLog(state, {...goToIndex(log, pane, beside.index), overlay: beside.opened}),
  );
};

const findLineBeside = (
  view: LogView,
  {source, line}: OpenedLine,
  direction: 1 | -1,
): {readonly index: number; readonly opened: OpenedLine} | undefined => {
  const anchor = anchorOf({source, entry: line});
  const place = view.indexOf(anchor);
  // If the line is no longer in the view, the entry after it has taken its place.
  const isHere = view.slice(place, 1).some(entry => isSameEntry(anchor, entry));
  let index = direction === 1 && !isHere ? place : place + direction;
  for (; index >= 0 && index < view.entryCount; index += direction) {
    const [entry] = view.slice(index, 1);
    const opened = entry && openedAt(entry);
    if (opened !== undefined) {
      return {index, opened};
    }
  }
  return undefined;
};
