import {partOfName} from '../reading/vocabulary.ts';
import {sanitise} from '../text/sanitise.ts';
import {createLaidRow, type LaidLine} from './laid-row.ts';
import {type ChosenColumn, fieldCellsMax, type LayoutContext} from './layout-context.ts';
import {readLineFields} from './read-fields.ts';

const gap = 2;

const isMessage = ({name}: ChosenColumn): boolean => partOfName(name) === 'message';

/**
 * Lays out the chosen fields of a line as columns. The message is last and whole; so is what the line says before its
 * fields, which is its message if it has no other. Returns undefined for a line that has none of the fields.
 */
export const layOutColumns = (context: LayoutContext): LaidLine | undefined => {
  const {reading, chosen = []} = context;
  const found = chosen.length === 0 ? undefined : readLineFields(reading);
  const values = new Map(found?.fields.toReversed().map(({key, value}) => [key.text, value]));
  if (found === undefined || !chosen.some(({name}) => values.has(name))) {
    return undefined;
  }
  const {lead} = found;
  const hasLead = lead.end > lead.start;
  const row = createLaidRow(reading.text);
  const messages = chosen.filter(each => isMessage(each) && (!hasLead || values.has(each.name)));
  const columns = [...chosen.filter(each => !isMessage(each)), ...messages];
  let place = 0;
  for (const [index, column] of columns.entries()) {
    const value = values.get(column.name);
    const isWhole = isMessage(column) || (index === columns.length - 1 && !hasLead);
    row.padTo(place, gap);
    if (value === undefined || value.text === '') {
      // A row that is still empty would not be padded.
      row.add(value === undefined ? '-' : '""');
    } else if (isWhole) {
      row.show(value);
    } else {
      row.showWithin(value, column.columns ?? fieldCellsMax);
    }
    place += isWhole ? 0 : (column.columns ?? fieldCellsMax) + gap;
  }
  if (hasLead) {
    row.padTo(place, gap);
    row.show(lead);
  }
  const laid = row.line();
  return sanitise(laid.text) === laid.text ? laid : undefined;
};
