import type {FieldName, FieldSpan, Severity} from '../../../log/reading/field-span.ts';
import {fieldsOf} from '../../../log/reading/find-fields.ts';
import type {Reading} from '../../../log/reading/reading.ts';
import type {Tone} from '../../rows/tones.ts';
import type {Layer} from './line-spans.ts';

/** Quiet by default: only the part of a line that says what is wrong stands out. */
const tones: Readonly<Partial<Record<FieldName, Tone>>> = {time: 'faint', key: 'faint', method: 'field', path: 'field'};

const toneOf = (field: FieldName, severity: Severity): Tone | undefined =>
  severity === 'plain' ? tones[field] : severity;

/** Converts fields to tones; fields without a tone of their own are left out. */
export const toneFields = (spans: readonly FieldSpan[]): Layer =>
  spans.flatMap(({start, end, field, severity}) => {
    const tone = toneOf(field, severity);
    return tone === undefined ? [] : [{start, end, tone}];
  });

/** Returns the tones of a line's fields, over its safe text. */
export const fieldLayer = (reading: Reading): Layer => toneFields(fieldsOf(reading));
