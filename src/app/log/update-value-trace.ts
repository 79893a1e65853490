import {keyFor} from '#app/keys/keymap.ts';
import type {OpenedLine, ValueTracePane} from '#app/panes/panes.ts';
import {originalLine} from '#app/parts/log-parts.ts';
import {dropUnused, takeUpPattern} from '#app/search/patterns.ts';
import {sourcesInMemory} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type ListHandler, next, type Step, withLog} from '#app/state/step.ts';
import {countOf} from '#log/words/format-count.ts';
import {holdLog} from './held-logs.ts';
import {isAsWritten} from './line-sections.ts';
import {goToEntry} from './picking.ts';
import {openedValues} from './select-opened-line.ts';
import {openLog} from './update-polls.ts';
import {findValueTrace, selectedValueTraceLine, valueTraceKey, valueTraceQuery} from './value-trace.ts';

/** Returns the notice for someone who has not chosen a field yet. */
export const valueTraceAdvice = (): string =>
  `${keyFor('openLine', 'log')} opens a line, ${keyFor('nextSection', 'log')} chooses a field: then ${keyFor('showTrail', 'log')} shows its trail`;

/** Opens the trail of the chosen value of an opened line, else of its first id; without one, says what comes first. */
export const openValueTrace: ListHandler<OpenedLine> = (state, log, opened, command) => {
  if (command !== 'showTrail') {
    return undefined;
  }
  const values = openedValues(state, log, opened);
  const value = values[opened.chosen ?? -1] ?? values.find(({name}) => name === 'id');
  if (value === undefined) {
    return next({...state, notice: `${keyFor('nextSection', 'log')} chooses a field first`});
  }
  const {name, label, text} = value;
  if (name === 'pod' || name === 'container' || name === 'stream') {
    return next({...state, notice: `${keyFor('filterIn', 'log')} shows only the lines of this ${name}`});
  }
  const used = takeUpPattern(log.use, valueTraceQuery(text));
  if ('error' in used) {
    return next({...state, notice: used.error});
  }
  const [source] = log.sources.slice(opened.source);
  const overlay: ValueTracePane = {
    kind: 'trail',
    name: label,
    text,
    from: opened,
    selectedKey: source && valueTraceKey(source, opened.line),
    top: 0,
  };
  return next(withLog(state, {...log, overlay, use: {...used.use, trailId: used.id}}));
};

/** Handles the commands that only a trail has. */
export const updateValueTrace: ListHandler<ValueTracePane> = (state, log, pane, command) => {
  switch (command) {
    case 'back':
    case 'showTrail':
      return next(withLog(state, withoutTrail(log, pane.from)));
    case 'openLine':
      return goToLine(state, log, pane);
    case 'copyLines': {
      const {lines} = findValueTrace(state, log);
      const text = lines.map(({line}) => originalLine(line, isAsWritten(state))).join('\n');
      return next(state, {kind: 'copy', text, what: countOf(lines.length, 'line')});
    }
    default:
      return undefined;
  }
};

const withoutTrail = (log: LogState, overlay: OpenedLine | undefined): LogState => ({
  ...log,
  overlay,
  use: dropUnused({...log.use, trailId: undefined}),
});

/** Goes to the line in its log; one that was left is opened again, and the log on the screen is held. */
const goToLine = (state: State, log: LogState, pane: ValueTracePane): Step => {
  const found = selectedValueTraceLine(findValueTrace(state, log).lines, pane);
  const source = found && sourcesInMemory(state, log)[found.source];
  if (found === undefined || source === undefined) {
    return next({...state, notice: 'no line to jump to'});
  }
  const {branch, held} = source;
  const closed = withoutTrail(log, undefined);
  if (held === undefined) {
    return next(goToEntry(state, {...closed, cameFrom: pane}, {...found.line, source: found.source}));
  }
  const [first, ...others] = held.log.sources;
  const opened = openLog(state, log.siteId, [first.branch, ...others.map(each => each.branch)]);
  const nextState = {...opened.state, held: holdLog({...opened.state, generation: state.generation}, closed)};
  const index = held.log.sources.findIndex(each => each.branch._id === branch._id);
  return {...opened, state: goToEntry(nextState, nextState.log ?? held.log, {...found.line, source: index})};
};
