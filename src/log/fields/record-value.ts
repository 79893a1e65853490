import {levelOfValue} from '../level/level-words.ts';
import type {FieldCollector, FieldName} from './field-span.ts';
import {severityOfLevel, severityOfStatus} from './field-span.ts';

const status = /^[1-5]\d\d$/;

/**
 * Adds the value of a known key of a record, from `start` to `end` of the text. A level or status gets its severity; an
 * invalid one adds nothing.
 */
export const addRecordValue = (
  fields: FieldCollector,
  field: FieldName,
  text: string,
  start: number,
  end: number,
): void => {
  if (field === 'level') {
    const level = levelOfValue(text.slice(start, end));
    if (level !== undefined) {
      fields.add(field, start, end, severityOfLevel(level));
    }
  } else if (field === 'status') {
    const value = text.slice(start, end);
    if (status.test(value)) {
      fields.add(field, start, end, severityOfStatus(Number(value)));
    }
  } else {
    fields.add(field, start, end);
  }
};
