import type {Branch} from '#api/client/answer.ts';
import {keyFor} from '#app/keys/keymap.ts';
import {fitRow, rowWidth} from '#app/rows/fit-row.ts';
import {lightRow, type Span, span, type ViewRow} from '#app/rows/view-row.ts';
import type {BranchesState} from '#app/state/state.ts';
import {formatAgo} from '#app/words/format-time.ts';
import {Secret} from '#base/secret.ts';
import {cutToCells, padToCells, wrapRanges} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {shownGroups} from './details.ts';
import type {RecordField, RecordGroup} from './record-fields.ts';

const valueCharsMax = 300;
/** A value that is not highlighted has as much text as fills so many rows. */
const rowsOfValue = 3;
/** The highlighted value is shown in full. Longer ones can be copied. */
const focusedCharsMax = 4_000;
/** With less room beside a long label, the value goes below it. */
const valueColumnsMin = 12;
/** A time goes below it rather than apart. */
const timeColumns = '2026-11-21T14:11:00.000Z'.length;
/** The longest label of the interface's own fields, and two blanks. */
const labelColumnsMin = 'editor password'.length + 2;
/** Other fields may have longer names; their values get more than half of the row. */
const labelShareMax = 0.45;
const labelCharsMax = 40;
/** With fewer rows than this, every row shows a field. */
const rowsForMoreMin = 4;

/** The highlighted field of a record, and whether its secret is revealed. */
export type RecordFocus = {readonly fieldKey: string; readonly isRevealed: boolean};

/** Renders a branch's record, like `selectRecord`. */
export const selectBranchRecord = (
  branches: BranchesState,
  branch: Branch,
  nowMs: number,
  columns: number,
  rows: number,
  focus?: RecordFocus,
): readonly ViewRow[] => selectRecord(shownGroups(branches, branch), nowMs, columns, rows, focus);

/**
 * Renders a record in groups, as many rows as there is room for: from the top, or around the highlighted field, which
 * is shown in full. Secrets are masked, except the one that is revealed.
 */
export const selectRecord = (
  groups: readonly RecordGroup[],
  nowMs: number,
  columns: number,
  rows: number,
  focus?: RecordFocus,
): readonly ViewRow[] => {
  const labels = groups.flatMap(({fields}) => fields.map(field => cellWidth(labelOf(field)) + 2));
  const widest = labels.reduce((most, width) => Math.max(most, width), labelColumnsMin);
  const labelColumns = Math.max(labelColumnsMin, Math.min(widest, Math.floor(columns * labelShareMax)));
  const all = groups.flatMap(({title, fields}) => [
    {key: undefined, row: [span(title, 'strong')]},
    ...fields.flatMap(field =>
      fieldRows(field, nowMs, labelColumns, columns, focus).map(row => ({key: field.key, row})),
    ),
  ]);
  const focused = focus === undefined ? [] : all.flatMap(({key}, index) => (key === focus.fieldKey ? [index] : []));
  const tellsMore = all.length > rows && rows >= rowsForMoreMin;
  const room = tellsMore ? rows - 1 : rows;
  const above = Math.max(0, Math.floor((room - focused.length + 1) / 2));
  const top = Math.max(0, Math.min((focused[0] ?? 0) - above, all.length - room));
  const shown = all.slice(top, top + room).map(({key, row}) => {
    const fitted = fitRow(row, columns);
    return focus !== undefined && key === focus.fieldKey ? lightRow(fitted) : fitted;
  });
  const below = all.length - top - shown.length;
  const more: ViewRow =
    focus === undefined
      ? [span(`… ${below} more rows: ${keyFor('enterDetails', 'branches')} to scroll`, 'dim')]
      : [span(`… ${top} above, ${below} below`, 'dim')];
  return tellsMore ? [...shown, fitRow(more, columns)] : shown;
};

const labelOf = ({label}: RecordField): string => sanitiseWord(label, labelCharsMax);

const fieldRows = (
  field: RecordField,
  nowMs: number,
  labelColumns: number,
  columns: number,
  focus: RecordFocus | undefined,
): readonly ViewRow[] => {
  const isFocused = focus?.fieldKey === field.key;
  const label = padToCells(`${labelOf(field)}  `, labelColumns);
  const value = valueSpan(field, nowMs, isFocused ? focusedCharsMax : valueCharsMax, isFocused && focus.isRevealed);
  const head: ViewRow = [span(isFocused ? '▸ ' : '  ', 'accent'), span(label, isFocused ? 'strong' : 'dim')];
  const beside = columns - rowWidth(head);
  if (cellWidth(value.text) <= beside) {
    return [[...head, value]];
  }
  const isBelow = beside < (field.isTime ? timeColumns : valueColumnsMin);
  const indent = span(' '.repeat(isBelow ? 4 : rowWidth(head)));
  const room = columns - indent.text.length;
  const text = isFocused ? value.text : cutToCells(value.text, rowsOfValue * room);
  const pieces = (
    field.isTime && cellWidth(text) > room
      ? text.split(/(?<=, )/)
      : wrapRanges(text, room).map(({start, end}) => text.slice(start, end))
  ).map(piece => ({
    ...value,
    text: piece,
  }));
  return isBelow
    ? [head, ...pieces.map(piece => [indent, piece])]
    : pieces.map((piece, index) => (index === 0 ? [...head, piece] : [indent, piece]));
};

/** Renders a value. The only place where the text of a secret goes to a screen. */
const valueSpan = (
  {value, prefix = '', summary, isTime, isHost, tone}: RecordField,
  nowMs: number,
  charsMax: number,
  isRevealed: boolean,
): Span => {
  if (value instanceof Secret) {
    return span(
      sanitiseWord(`${prefix}${isRevealed ? value.reveal() : value.toString()}`, charsMax),
      isRevealed ? 'warn' : 'dim',
    );
  }
  const text = sanitiseWord(summary ?? (isTime ? when(value, nowMs) : value), charsMax);
  const link = isHost ? linkTo(value) : undefined;
  return link === undefined ? span(text, tone) : {text, tone: tone ?? 'plain', link};
};

/** The age comes first: it is what users look for, and it survives when the row is cut. */
const when = (timestamp: string, nowMs: number): string =>
  [formatAgo(timestamp, nowMs), timestamp].filter(word => word !== '').join(', ');

/** A host name as in RFC 1123, with dots. Anything else is untrusted text that must not become an address. */
const hostPattern = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,62}\.)+[a-z0-9-]{2,63}$/i;

const linkTo = (host: string): string | undefined => (hostPattern.test(host) ? `https://${host}/` : undefined);
