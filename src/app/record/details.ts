import type {Branch} from '#api/client/answer.ts';
import {listBranches, selectedPlace} from '#app/choices/branch-choices.ts';
import {isFilterOpen} from '#app/keys/input-focus.ts';
import type {Command} from '#app/keys/keymap.ts';
import type {BranchesState, State} from '#app/state/state.ts';
import {next, paneRows, type Step} from '#app/state/step.ts';
import type {KnownPulse} from '#app/tail/known-pulse.ts';
import {describeStatus} from '#app/words/describe-status.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {type Pulse, pulseMinuteMs, pulseTrendOf} from '#log/overview/pulse.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {fieldInFocus, type OpenRecord, pressInRecord, stillRevealed} from './open-record.ts';
import {field, groupRecord, type RecordField, type RecordGroup} from './record-fields.ts';

/** Returns what is known of the errors in a branch's log, as a part of its record; none if nobody looks at logs. */
export const pulseGroups = ({pulses, probes}: BranchesState, branch: Branch): readonly RecordGroup[] => {
  const known = pulses.get(branch._id);
  return probes === undefined || (known === undefined && !describeStatus(branch.status).isDeployed)
    ? []
    : [{title: 'Errors', fields: fieldsOf(known)}];
};

/** No age beside it: it would be old with the next second. */
const isoTime = (ms: number): string => new Date(ms).toISOString();

const fieldsOf = ({pulse, failure}: Partial<KnownPulse> = {}): readonly RecordField[] => [
  ...field('pulse.failure', 'check failed', failure?.message, {tone: 'busy'}),
  ...(pulse === undefined
    ? field('pulse.errors', 'errors', failure === undefined ? 'not checked' : undefined, {tone: 'dim'})
    : [
        ...field('pulse.errors', 'errors', rateInWords(pulse), pulse.errors > 0 ? {tone: 'bad'} : {}),
        ...field('pulse.seen', 'seen until', isoTime(pulse.toMs)),
        ...field('pulse.line', 'last line at', pulse.lastLineMs === undefined ? undefined : isoTime(pulse.lastLineMs)),
        ...field('pulse.last', 'last error', pulse.lastError?.text),
        ...field('pulse.lastAt', 'last error at', pulse.lastError && isoTime(pulse.lastError.atMs)),
      ]),
];

const trendWords = {new: ', none in the minutes before', rising: ', rising'} as const;

/** `196 in the last minute, of 412 lines, rising`, `none in the last 10 s, which is all that was seen, of 9 lines` */
const rateInWords = (pulse: Pulse): string => {
  const {errors, spanMs, lines} = pulse;
  if (spanMs === 0) {
    return lines === 0 ? 'no lines' : 'no line has a time that can be read';
  }
  const seconds = Math.max(1, Math.floor(spanMs / 1000));
  const span = spanMs >= pulseMinuteMs ? 'the last minute' : `the last ${seconds} s, which is all that was seen`;
  const trend = pulseTrendOf(pulse);
  return `${errors === 0 ? 'none' : formatCount(errors)} in ${span}, of ${countOf(lines, 'line')}${trend ? trendWords[trend] : ''}`;
};

/** Below this width there is no room for list and record side by side. */
export const detailsColumnsMin = 100;

/** With fewer rows, list and record would both be too short one above the other. */
const rowsForBothMin = 30;

/** Where the record is shown: beside the list, below it, instead of it, or not at all. */
type DetailsPlace = 'beside' | 'below' | 'instead' | 'nowhere';

type Sized = Pick<State, 'columns' | 'rows' | 'showsDetails'>;

/** By default it is shown on a wide terminal, until the user chooses. */
export const areDetailsShown = ({columns, showsDetails}: Sized): boolean =>
  showsDetails ?? columns >= detailsColumnsMin;

export const detailsPlace = (state: Sized): DetailsPlace => {
  if (!areDetailsShown(state)) {
    return 'nowhere';
  }
  if (state.columns >= detailsColumnsMin) {
    return 'beside';
  }
  return paneRows(state) >= rowsForBothMin ? 'below' : 'instead';
};

/** Returns the rows of a list of this many branches. The record below gets the rest, except a blank row. */
export const listRows = (state: Sized, count: number): number => {
  const rows = paneRows(state);
  return detailsPlace(state) === 'below' ? Math.max(3, Math.min(count, Math.floor(rows * 0.4))) : rows;
};

/** Returns the rows of the record. */
export const detailsRows = (state: Sized, count: number): number => {
  const rows = paneRows(state);
  return detailsPlace(state) === 'below' ? rows - listRows(state, count) - 1 : rows;
};

/** Returns a branch's record in groups; the same array for the same record. */
const recordGroups: (branch: Branch) => readonly RecordGroup[] = once(createWeakCache(), groupRecord);

/** The pulse comes first: it is the only part that changes while the user watches. */
export const shownGroups = (branches: BranchesState, branch: Branch): readonly RecordGroup[] => [
  ...pulseGroups(branches, branch),
  ...recordGroups(branch),
];

const recordFields = (branches: BranchesState, branch: Branch): readonly RecordField[] =>
  shownGroups(branches, branch).flatMap(({fields}) => fields);

/** Returns the highlighted branch; undefined if the list is empty. */
export const selectedBranch = (branches: BranchesState): Branch | undefined =>
  listBranches(branches)[selectedPlace(branches)];

/** Returns the record of the highlighted branch; undefined if the list is empty. */
const openRecordOf = (branches: BranchesState): OpenRecord | undefined => {
  const branch = selectedBranch(branches);
  return (
    branch && {ownerId: branch._id, ownerName: branch.name, fields: recordFields(branches, branch), place: branches}
  );
};

/** Returns the highlighted field; undefined while the highlight is in the list. */
export const focusedField = (branches: BranchesState): RecordField | undefined => {
  const record = branches.details && openRecordOf(branches);
  return record && fieldInFocus(record);
};

/** Masks every secret: that of a branch's record, and that of a pod. */
export const withoutRevealed = (state: State): State => {
  const {branches, log} = state;
  const pane = log?.overlay;
  return {
    ...state,
    branches: branches?.revealed === undefined ? branches : {...branches, revealed: undefined},
    log:
      pane?.kind !== 'pods' || pane.revealed === undefined
        ? log
        : log && {...log, overlay: {...pane, revealed: undefined}},
  };
};

/**
 * Keeps the highlight in the record only while the record is on the screen, and a secret revealed only while it is the
 * highlighted field and nothing is open over it.
 */
export const settleDetails = (state: State): State => {
  const {branches} = state;
  if (branches === undefined || (branches.details === undefined && branches.revealed === undefined)) {
    return state;
  }
  const record = openRecordOf(branches);
  const isShown =
    record !== undefined && state.screen === 'branches' && !isFilterOpen(state) && detailsPlace(state) !== 'nowhere';
  const details = isShown ? branches.details : undefined;
  const revealed = isShown ? stillRevealed(state, record) : undefined;
  return details === branches.details && revealed === branches.revealed
    ? state
    : {...state, branches: {...branches, details, revealed}};
};

/** Shows or hides the record. If it replaces the list, the highlight goes into it. */
export const toggleDetails = (state: State, branches: BranchesState): Step => {
  const toggled = {...state, showsDetails: !areDetailsShown(state)};
  return detailsPlace(toggled) === 'instead' ? enterDetails(toggled, branches) : next(toggled);
};

/** Moves the highlight into the record, and shows the record if it is hidden. */
export const enterDetails = (state: State, branches: BranchesState): Step =>
  selectedBranch(branches) === undefined
    ? next(state)
    : next({
        ...state,
        showsDetails: areDetailsShown(state) ? state.showsDetails : true,
        branches: {...branches, details: {fieldKey: undefined}},
      });

/** Handles a command while the highlight is in the record; undefined if it means the same as in the list. */
export const updateDetails = (state: State, branches: BranchesState, command: Command): Step | undefined => {
  const record = branches.details && openRecordOf(branches);
  if (record === undefined) {
    return undefined;
  }
  switch (command) {
    case 'enterDetails':
      return next(state);
    case 'back':
      return next({
        ...state,
        showsDetails: detailsPlace(state) === 'instead' ? false : state.showsDetails,
        branches: {...branches, details: undefined},
      });
    default:
      return pressInRecord(state, record, command, {
        screen: 'branches',
        reveal: 'open',
        copy: 'copyField',
        pageRows: detailsRows(state, listBranches(branches).length),
        withPlace: place => ({...state, branches: {...branches, details: place.details, revealed: place.revealed}}),
      });
  }
};
