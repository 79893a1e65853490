import {beforeNames, findClosingQuote, moveToNextName} from '../record/next-name.ts';
import {fieldOfKey} from './field-keys.ts';
import {type FieldCollector, fieldSpansMax} from './field-span.ts';
import {addRecordValue} from './record-value.ts';

const scalar = /[\w.+-]{1,64}/y;

/**
 * Adds the names of the JSON record that begins at `start`, and the values of known names: strings and numbers. Works
 * on truncated records too.
 */
export const addJsonFields = (fields: FieldCollector, text: string, start: number): void => {
  const name = beforeNames(start);
  while (fields.spans.length < fieldSpansMax && moveToNextName(text, name)) {
    fields.add('key', name.start, name.end);
    const field = fieldOfKey(text.slice(name.start, name.end));
    const {valueStart} = name;
    scalar.lastIndex = valueStart;
    if (text[valueStart] === '"') {
      const close = findClosingQuote(text, valueStart);
      if (close !== -1 && field !== undefined) {
        addRecordValue(fields, field, text, valueStart + 1, close);
      }
      name.next = close === -1 ? text.length : close + 1;
    } else if (field !== undefined && scalar.test(text)) {
      addRecordValue(fields, field, text, valueStart, scalar.lastIndex);
    }
  }
};
