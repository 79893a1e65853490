import type {HandOverRequest, SaveRequest} from '#app/export/exporter.ts';
import {defaultPath} from '#app/export/manifest.ts';
import {promptOf} from '#app/keys/input-focus.ts';
import {keyFor} from '#app/keys/keymap.ts';
import type {Frame} from '#app/parts/frame.ts';
import type {SaveTarget} from '#app/parts/log-parts.ts';
import type {StampedEvent} from '#app/state/event.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {askFor, type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import {maskSecrets} from '#base/secret.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import type {IncidentSource} from '#log/incident/verdict.ts';
import type {RememberedMark} from '#log/overview/log-memory.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {handOverSuffix} from '#log/words/deep-link.ts';
import {isAllHidden} from './apply-filters.ts';
import {exportScope, gatherFacts} from './export-scope.ts';
import {incidentSources} from './find-in-slices.ts';
import {findingWatchWords} from './incident/incident-items.ts';
import {rowToHold} from './keep-matching.ts';
import {placeOf} from './mark-rows.ts';
import {hashLine} from './marking.ts';
import {toMemory} from './memory.ts';
import {askedOf} from './update-incident.ts';

/** Gathers what a hand-over has besides its lines: what the reader made of the log, and where they are in it. */
const gatherHandOver = (state: State, log: LogState): HandOverRequest => ({
  logs: log.sources.map(({branch, tail, shapes}) => ({branch, tail, learnedUntil: shapes.learnedUntil})),
  memory: {...toMemory(state, log), marks: maskedMarks(log)},
  place: {
    top: log.viewport.kind === 'paused' ? log.viewport.top : undefined,
    cursor: log.cursor?.anchor,
    held: rowToHold(state, log),
  },
});

/** A line is masked before it is written, and a mark knows it by what it says then. */
const maskedMarks = (log: LogState): readonly RememberedMark[] => {
  const view = viewAll(log);
  return log.marks.map(({anchor, at, note}) => {
    const index = placeOf(view, anchor);
    const [{entry} = {}] = index === undefined ? [] : view.slice(index, 1);
    const lineHash = entry?.kind === 'line' ? hashLine(maskSecrets(entry.raw).slice(entry.textIndex)) : undefined;
    return {at, lineHash, note};
  });
};

type What = SaveTarget['what'];

const pathCharsMax = 300;

/** Saves lines, an incident note or a timeline; while a file is being saved, cancels it. */
export const saveKeys: LogHandler = (state, log, command) => {
  switch (command) {
    case 'saveLines':
      return askForPath(state, log, 'lines');
    case 'saveIncident':
      return askForPath(state, log, 'incident');
    case 'saveTimeline':
      return askForPath(state, log, 'timeline');
    case 'back':
      return log.saving.kind === 'writing' ? cancel(state, log, log.saving) : undefined;
    default:
      return undefined;
  }
};

const promptFor = {lines: 'saveLines', incident: 'saveIncident', timeline: 'saveTimeline'} as const;

const idle = {kind: 'idle'} as const;

const cancel = (state: State, log: LogState, {path}: SaveTarget): Step =>
  next(
    {...withLog(state, {...log, saving: idle}), notice: `cancelled: ${shortPath(path)} was not saved`},
    {kind: 'cancelSave'},
  );

const shortPath = (path: string): string => sanitiseWord(path, pathCharsMax);

const askForPath = (state: State, log: LogState, what: What): Step => {
  if (log.saving.kind === 'writing') {
    const words = `${shortPath(log.saving.path)} is still being saved: ${keyFor('back', 'log')} cancels`;
    return next({...state, notice: words});
  }
  if (viewAll(log).entryCount === 0) {
    return next({...state, notice: 'there are no lines to save yet'});
  }
  const notice =
    what === 'lines' && isAllHidden(log)
      ? `this saves 0 lines, as filters hide them all: leave it, and ${keyFor('removeFilters', 'log')} shows them`
      : undefined;
  const path = defaultPath(gatherFacts(state, log), what);
  return askFor({...state, notice}, promptFor[what], path);
};

/** Takes a typed path. */
export const takePath = (state: State, log: LogState, what: What, text: string): Step =>
  beginSave(state, log, {what, path: text.trim(), replaces: false});

/** Takes the path of a file that already exists: unchanged, the file is replaced; changed, another file is written. */
export const takeReplacedPath = (state: State, log: LogState, text: string): Step => {
  const {saving} = log;
  const path = text.trim();
  return saving.kind === 'exists'
    ? beginSave(state, {...log, saving: idle}, {what: saving.what, path, replaces: path === saving.path})
    : next(state);
};

const beginSave = (
  state: State,
  log: LogState,
  {what, path, replaces}: Pick<SaveRequest, 'what' | 'path' | 'replaces'>,
): Step => {
  if (path === '') {
    return next({...withLog(state, log), notice: 'not saved: no path was given'});
  }
  const isHandOver = what === 'lines' && path.endsWith(handOverSuffix);
  const request: SaveRequest = {
    what,
    path,
    replaces,
    scope: exportScope(state, log),
    facts: gatherFacts(state, log),
    marks: what === 'lines' ? [] : log.marks,
    all: viewAll(log),
    ...((what === 'incident' || isHandOver) && {incident: incidentOf(state, log)}),
    ...(what === 'incident' && {watched: watchedWords(state, log)}),
    ...(what === 'timeline' && {timeline: {sources: incidentSources(state, log), asked: askedOf(state, log)}}),
    ...(isHandOver && {handOver: gatherHandOver(state, log)}),
  };
  return next(withLog(state, {...log, saving: {kind: 'writing', what, path, share: 0}}), {kind: 'saveFile', request});
};

const watchedWords = (frame: Frame, log: LogState): string | undefined => {
  const found = findingWatchWords(frame, log);
  return found && `${log.findingWatch?.name}: ${found.words}`;
};

/** Returns the incident on the screen, else what to read that of now from. */
const incidentOf = (state: State, log: LogState): IncidentReport | readonly IncidentSource[] =>
  log.overlay?.kind === 'incident' && log.overlay.incident?.isComplete === true
    ? log.overlay.incident
    : incidentSources(state, log);

/** Takes the progress or outcome of a save. */
export const takeSaveNews = (
  state: State,
  log: LogState,
  event: Extract<StampedEvent, {readonly kind: 'saveProgressed' | 'saveEnded'}>,
): Step => {
  if (log.saving.kind !== 'writing') {
    return next(state);
  }
  const {what, path} = log.saving;
  if (event.kind === 'saveProgressed') {
    return next(withLog(state, {...log, saving: {kind: 'writing', what, path, share: event.share}}));
  }
  const ended = withLog(state, {...log, saving: idle});
  const {outcome} = event;
  switch (outcome.kind) {
    case 'saved':
    case 'failed':
      return next({...ended, notice: outcome.sentence});
    case 'exists':
      // Do not interrupt a user who is typing something else by now.
      return promptOf(state) === undefined
        ? askFor(withLog(state, {...log, saving: {kind: 'exists', what, path}}), 'replaceFile', path)
        : next({...ended, notice: `${shortPath(path)} already exists, so nothing was saved`});
    default:
      return outcome satisfies never;
  }
};
