import type {Tone} from '#app/rows/tones.ts';
import {type FieldName, fieldsOf} from '#log/reading/find-fields.ts';
import type {Reading} from '#log/reading/reading.ts';
import type {Layer} from './layers.ts';

/** Quiet by default: only the part of a line that says what is wrong stands out. */
const tones: Readonly<Partial<Record<FieldName, Tone>>> = {time: 'faint', key: 'faint', method: 'field', path: 'field'};

/** Returns the tones of a line's fields, over its safe text; fields without a tone of their own are left out. */
export const fieldLayer = (reading: Reading): Layer =>
  fieldsOf(reading).flatMap(({start, end, field, severity}) => {
    const tone = severity === 'plain' ? tones[field] : severity;
    return tone === undefined ? [] : [{start, end, tone}];
  });
