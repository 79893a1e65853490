import {branchName} from '#app/choices/branch-choices.ts';
import {selectedRow} from '#app/choices/list-pane.ts';
import {keyWordFirst} from '#app/help/read-help.ts';
import {keyFor} from '#app/keys/keymap.ts';
import type {Inspector, Overlay, PodsPane, ValueTracePane} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import {fieldInFocus} from '#app/record/open-record.ts';
import {messageCharsMax} from '#app/rows/fit-row.ts';
import {joinNames, joinWords, placeInList, readEntry, readRow} from '#app/rows/read-entry.ts';
import {sourcesInMemory, viewLog} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {sumPolls} from '#app/tail/polls.ts';
import {labelName, partWord} from '#app/words/branch-labels.ts';
import {formatMoment} from '#app/words/format-time.ts';
import {promptCharsMax} from '#base/bounds.ts';
import type {Entry} from '#log/line/entry.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import type {SourcedEntry} from '#log/view/log-view.ts';
import {countOf} from '#log/words/format-count.ts';
import {readColumnRow} from './columns-pane.ts';
import {readFilterRow} from './filters-pane.ts';
import {heldLines} from './held-logs.ts';
import {listPods, openedPod, podWords} from './list-pods.ts';
import {paneOf} from './log-pane.ts';
import {sourceName, tagsOf} from './log-sources-pane.ts';
import {awayCounts, isSameEntry, markOn} from './mark-rows.ts';
import {podRecord} from './pod-fields.ts';
import {inspectorTop, listPolls, listProofWords, pollColumns} from './poll-columns.ts';
import {readIncidentRow} from './select-incident.ts';
import {selectLogHeader} from './select-log-header.ts';
import {selectLogState} from './select-log-state.ts';
import {openedRowIndex, openedRows} from './select-opened-line.ts';
import {readSource} from './select-sources.ts';
import {readSummary} from './select-summary.ts';
import {findValueTrace, selectedValueTraceLine, valueTraceWords} from './value-trace.ts';

/** Returns the name of a branch if the log has several. */
export const ownerOf = ({sources}: LogState, source: number): string | undefined => {
  const {branch} = sources[source] ?? {};
  return sources.length === 1 || branch === undefined ? undefined : labelName(branch);
};

/** Names the source of a line if the log has several; undefined if the service does not say it. */
export const sourceToSay = (frame: Frame, log: LogState, entry: Entry): string | undefined => {
  const {columns, wordsOf} = tagsOf(frame, log);
  return entry.kind !== 'line' || entry.source === undefined || columns === 0 ? undefined : wordsOf(entry.source);
};

/** Returns the entry at the reader's place: the newest one while following. */
export const currentEntry = (log: LogState): SourcedEntry | undefined => {
  const view = viewLog(log);
  const {viewport} = log;
  const last = view.entryCount - 1;
  const [entry] = view.slice(viewport.kind === 'following' ? last : Math.min(last, view.indexOf(viewport.top)), 1);
  return last < 0 ? undefined : entry;
};

/**
 * Returns the current entry in full, or the row below it that the reader has moved to. `saidSource`: the source that
 * was said last, which need not be said again.
 */
export const readCurrentEntry = (frame: Frame, log: LogState, saidSource?: string): string | undefined => {
  const current = currentEntry(log);
  if (current === undefined) {
    return undefined;
  }
  const below = readBelow(frame, log, current);
  const belowIndex = rowsAbove(log) - ((paneOf(frame, log).rowsOf?.(current) ?? 1) - below.length);
  const source = sourceToSay(frame, log, current.entry);
  const marked = markOn(log, current) === undefined ? '' : 'marked, ';
  return (
    below[belowIndex] ??
    `${marked}${readEntry(current.entry, joinNames(ownerOf(log, current.source), source === saidSource ? undefined : source), false, partWord(frame.context))}`
  );
};

const rowsAbove = ({viewport}: LogState): number => (viewport.kind === 'following' ? 0 : viewport.rowsAbove);

export const readOpenedLog = (log: LogState): readonly string[] => {
  const {sources} = log;
  const heldCount = heldLines(log).count;
  const names = sources.map(({branch}) => branchName(branch)).join(', ');
  return sources.every(({branch}) => branch.status === null)
    ? [
        `${names} is not built out: it has no log yet. ${keyWordFirst(keyFor('back', 'log'))} goes back to the branches.`,
      ]
    : heldCount === 0
      ? [`Log of ${names}. Asking for it.`]
      : [`Log of ${names}, ${countOf(heldCount, 'line')} held. Asking for what came since.`];
};

/** Returns the header and the state row of the log screen as words. */
export const readLogPlace = (state: State, log: LogState): readonly string[] =>
  [readRow(selectLogHeader(state, log)), readRow(selectLogState(state, log))].filter(words => words !== '');

/** Returns the poll at the top of the inspector: `when 14:12:09, status 200, ms 20 …`. */
const readPoll = (frame: Frame, log: LogState, inspector: Inspector): string => {
  const polls = listPolls(log);
  const poll = polls[Math.min(polls.length - 1, inspectorTop(inspector, polls))];
  if (poll === undefined) {
    return 'No poll has ended yet.';
  }
  const columns = pollColumns({
    formatMoment: ms => formatMoment(frame, ms),
    branchNames: log.sources.map(({branch}) => branchName(branch)),
  });
  return columns
    .map(({title, text}) => ({title, words: text(poll)}))
    .filter(({words}) => /[\p{L}\p{N}]/u.test(words))
    .map(({title, words}) => `${title} ${words}`)
    .join(', ');
};

/**
 * Returns the current item of an overlay: a poll, a row of the opened line, of the summary or of the incident, a pod or
 * its field, a source, a filter, a column, or a line of a trail.
 */
export const readOverlay = (state: State, log: LogState, overlay: Overlay): string => {
  switch (overlay.kind) {
    case 'inspector':
      return readPoll(state, log, overlay);
    case 'line':
      return readRow(openedRows(state, log, overlay)[openedRowIndex(state, log, overlay)] ?? []);
    case 'summary':
      return readSummary(overlay);
    case 'pods':
      return readPods(state, log, overlay);
    case 'sources':
      return readSource(log, overlay);
    case 'filters':
      return readFilterRow(state, log, overlay);
    case 'columns':
      return readColumnRow(log, overlay);
    case 'incident':
      return readIncidentRow(state, log, overlay);
    case 'trail':
      return readTrail(state, log, overlay);
    default:
      return overlay satisfies never;
  }
};

export const readPollSums = (frame: Frame, log: LogState): string => {
  const sums = sumPolls(log.sources.map(({tail}) => tail.polls.sums));
  const proof = listProofWords(frame, log);
  const proofs = proof.map(words => ` ${proof.length === 1 ? `The log is ${words}` : words}.`);
  return `${joinWords([
    countOf(sums.polls, 'poll'),
    `${sums.failed} failed`,
    countOf(sums.newLines, 'new line'),
    countOf(sums.gaps, 'gap'),
  ])}.${proofs.join('')} The last ones, newest first:`;
};

/** Returns the rows below an entry as sentences, in the same order. */
const readBelow = (frame: Frame, log: LogState, entry: SourcedEntry): readonly string[] => {
  const {away} = log;
  const note = markOn(log, entry)?.note ?? '';
  return [
    ...(note === '' ? [] : [`Your note: ${sanitiseWord(note, promptCharsMax)}`]),
    ...(away?.anchor !== undefined && isSameEntry(away.anchor, entry)
      ? [`You looked away at ${formatMoment(frame, away.sinceMs)}; since then ${awayCounts(away)}.`]
      : []),
  ];
};

/** Returns the highlighted pod, or the highlighted field of the open one. */
const readPods = (frame: Frame, log: LogState, pane: PodsPane): string => {
  const pods = listPods(log);
  const opened = openedPod(pods, pane);
  const field = opened && fieldInFocus(podRecord(frame, opened, pane));
  if (field !== undefined) {
    const {label, prefix = '', summary, value} = field;
    return sanitiseWord(`${label.trim()}: ${prefix}${summary ?? value}`, messageCharsMax);
  }
  const pod = selectedRow(pods, pane);
  if (pod === undefined) {
    return 'No pods are listed.';
  }
  const {name, age, when, owner, image} = podWords(frame, pod);
  return `${joinWords([name, age, when, owner, image])}; ${placeInList(pods.indexOf(pod), pods.length)}`;
};

/** Returns the highlighted line of a trail, or how the search for them stands. */
const readTrail = (state: State, log: LogState, pane: ValueTracePane): string => {
  const trail = findValueTrace(state, log);
  const found = selectedValueTraceLine(trail.lines, pane);
  const branch = found && sourcesInMemory(state, log)[found.source]?.branch;
  return found === undefined || branch === undefined
    ? `${joinWords(valueTraceWords(state, log, trail))}.`
    : readEntry(found.line, joinNames(labelName(branch), found.line.source && sourceName(found.line.source)), false);
};
