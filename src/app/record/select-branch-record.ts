import type {Branch} from '../../api/decode/branch.ts';
import {Secret} from '../../api/secret.ts';
import {padToCells} from '../../log/cells/cut.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {keyFor} from '../keys/keymap.ts';
import {fitRow} from '../rows/fit-row.ts';
import {type Span, span, type ViewRow} from '../rows/view-row.ts';
import {formatAgo} from '../words/format-time.ts';
import {recordGroups} from './details.ts';
import type {RecordField} from './record-fields.ts';

const valueCharsMax = 300;
/** The longest label, and two blanks. */
const labelColumns = 'editor password'.length + 2;
const labelCharsMax = 40;
/** With fewer rows than this, every row shows a field. */
const rowsForMoreMin = 4;

/** The highlighted field of a record, and whether its secret is revealed. */
export type RecordFocus = {readonly fieldKey: string; readonly isRevealed: boolean};

/**
 * Renders a branch's record in groups, as many rows as there is room for: from the top, or around the highlighted
 * field. Secrets are masked, except the one that is revealed.
 */
export const selectBranchRecord = (
  branch: Branch,
  nowMs: number,
  columns: number,
  rows: number,
  focus?: RecordFocus,
): readonly ViewRow[] => {
  const all = recordGroups(branch).flatMap(({title, fields}) => [
    {key: undefined, row: [span(title, 'strong')]},
    ...fields.map(field => ({key: field.key, row: fieldRow(field, nowMs, focus)})),
  ]);
  const focused =
    focus === undefined
      ? 0
      : Math.max(
          0,
          all.findIndex(({key}) => key === focus.fieldKey),
        );
  const tellsMore = all.length > rows && rows >= rowsForMoreMin;
  const room = tellsMore ? rows - 1 : rows;
  const top = Math.max(0, Math.min(focused - Math.floor(room / 2), all.length - room));
  const shown = all.slice(top, top + room).map(({row}) => row);
  const below = all.length - top - shown.length;
  const more: ViewRow =
    focus === undefined
      ? [span(`… ${below} more rows: ${keyFor('enterDetails', 'branches')} to scroll`, 'dim')]
      : [span(`… ${top} above, ${below} below`, 'dim')];
  return (tellsMore ? [...shown, more] : shown).map(row => fitRow(row, columns));
};

const fieldRow = (field: RecordField, nowMs: number, focus: RecordFocus | undefined): ViewRow => {
  const isFocused = focus?.fieldKey === field.key;
  // A field that the interface does not name may have a longer name.
  const label = padToCells(`${sanitiseWord(field.label, labelCharsMax)}  `, labelColumns);
  return [
    span(isFocused ? '▸ ' : '  ', 'accent'),
    span(label, isFocused ? 'strong' : 'dim'),
    valueSpan(field, nowMs, isFocused && focus.isRevealed),
  ];
};

/** Renders a value. The only place where the text of a secret goes to a screen. */
const valueSpan = (
  {value, prefix = '', summary, isTime, isHost, tone}: RecordField,
  nowMs: number,
  isRevealed: boolean,
): Span => {
  if (value instanceof Secret) {
    return span(
      sanitiseWord(`${prefix}${isRevealed ? value.reveal() : value.toString()}`, valueCharsMax),
      isRevealed ? 'warn' : 'dim',
    );
  }
  const text = sanitiseWord(summary ?? (isTime ? when(value, nowMs) : value), valueCharsMax);
  const link = isHost ? linkTo(value) : undefined;
  return link === undefined ? span(text, tone) : {text, tone: tone ?? 'plain', link};
};

/** The age comes first: it is what users look for, and it survives when the row is cut. */
const when = (timestamp: string, nowMs: number): string =>
  [formatAgo(timestamp, nowMs), timestamp].filter(word => word !== '').join(', ');

/** A host name as in RFC 1123, with dots. Anything else is untrusted text that must not become an address. */
const hostPattern = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,62}\.)+[a-z0-9-]{2,63}$/i;

const linkTo = (host: string): string | undefined => (hostPattern.test(host) ? `https://${host}/` : undefined);
