import type {BranchFacts, Facts} from '#app/export/exporter.ts';
import type {Frame} from '#app/parts/frame.ts';
import {isFolding, type Scope} from '#app/parts/log-parts.ts';
import {findPattern} from '#app/search/patterns.ts';
import {filteredOf, openedRepeats, viewAll} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import type {Tail} from '#app/tail/tail.ts';
import {partWord} from '#app/words/branch-labels.ts';
import {serviceNowMs} from '#app/words/format-time.ts';
import {listBuffer} from '#log/buffer/entry-list.ts';
import {formatInstant, type Instant} from '#log/line/instant.ts';
import {applyWhole} from '#log/view/line-filter.ts';
import {anchorOf, type LogView, mergeLists} from '#log/view/log-view.ts';
import {proofWords} from '#log/words/proof-words.ts';
import {makeFilter} from './keep-matching.ts';
import {isAsWritten} from './line-sections.ts';
import {isFiltered, type Pane, paneOf} from './log-pane.ts';
import {pickedRange} from './picking.ts';

type Range = NonNullable<ReturnType<typeof pickedRange>>;

/** Returns what to export: the picked lines, else all that the filters keep. */
export const exportScope = (frame: Frame, log: LogState): Scope => {
  const pane = paneOf(frame, log);
  const picked = log.cursor?.kind === 'picking' && !log.cursor.isCopied ? pickedRange(log, pane) : undefined;
  if (picked !== undefined) {
    return scopeOf(frame, log, pane, picked);
  }
  const view = unfoldedView(log);
  return {
    view,
    first: 0,
    end: view.entryCount,
    chosen: isFiltered(log) && log.areFiltersOff !== true ? 'filtered' : 'all',
    asWritten: isAsWritten(frame),
    part: partWord(frame.context),
  };
};

/** Returns the entries of a range of the pane, including the lines folded into them. */
export const scopeOf = (frame: Frame, log: LogState, {view: shown}: Pane, {first, last}: Range): Scope => {
  const view = isFolding(log.look) || openedRepeats(log) ? unfoldedView(log) : shown;
  const [begin] = shown.slice(first, 1);
  const [next] = shown.slice(last + 1, 1);
  return {
    view,
    first: begin === undefined ? 0 : view.indexOf(anchorOf(begin)),
    end: next === undefined ? view.entryCount : view.indexOf(anchorOf(next)),
    chosen: 'picked',
    asWritten: isAsWritten(frame),
    part: partWord(frame.context),
  };
};

/** Returns all that the filters keep, however long they take. Folded lines are part of the log too. */
const unfoldedView = (log: LogState): LogView => {
  if (!isFiltered(log)) {
    return viewAll(log);
  }
  const unfolded = {...log, repeats: undefined, look: {...log.look, foldsTraces: false}};
  const filters = isFolding(log.look)
    ? log.sources.map((_, index) => makeFilter(unfolded, index))
    : log.filtering?.map(({filter}) => filter);
  return mergeLists(
    log.sources.map(({tail}, index) => {
      const filter = filters?.[index];
      return filter === undefined ? listBuffer(tail.log.buffer) : applyWhole(filter, tail.log.buffer).unfolded;
    }),
  );
};

const heldFacts = ({context}: State, {log: {wholeSince: since, proof}, said}: Tail): BranchFacts['held'] =>
  since === undefined ? undefined : {since, proof, restsOn: proofWords(proof, {...said, saidBy: context.cutSaidBy})};

const timeText = (at: Instant | undefined): string | undefined => (at === undefined ? undefined : formatInstant(at));

/** Collects what is known of the log besides its lines. */
export const gatherFacts = (state: State, log: LogState): Facts => {
  const {use, contextLines} = log;
  const isOff = log.areFiltersOff === true;
  const {minimumLevel, sourcePick, range} = isOff ? {minimumLevel: 'none' as const} : log;
  const queriesOf = (kind: 'include' | 'exclude'): readonly string[] =>
    use.filters
      .filter(filter => filter.kind === kind && !isOff && filter.isOff !== true)
      .flatMap(({patternId}) => findPattern(use, patternId)?.pattern.query ?? []);
  return {
    context: state.context,
    site: {id: log.siteId, name: state.sites.find(({id}) => id === log.siteId)?.name},
    branches: log.sources.map(({branch, tail}) => ({
      id: branch._id,
      name: branch.name,
      horizon: tail.log.horizon,
      held: heldFacts(state, tail),
      gapCount: tail.log.gapCount,
      evictedLines: tail.log.buffer.evictedLines,
      tooLateLines: tail.log.buffer.tooLateLines,
      polls: tail.polls.sums,
    })),
    filters: {
      includes: queriesOf('include'),
      excludes: queriesOf('exclude'),
      minimumLevel,
      sources: sourcePick,
      range: range && {from: timeText(range.from), to: timeText(range.to)},
      contextLines,
      // Chunks that wait only for the filters do not count: the export applies the filters in full.
      isComplete: log.sources.every((_, index) => {
        const {pendingCount, waitingCount} = filteredOf(log, index) ?? {pendingCount: 0, waitingCount: 0};
        return pendingCount === waitingCount;
      }),
    },
    savedAtMs: Math.round(serviceNowMs(state)),
  };
};
