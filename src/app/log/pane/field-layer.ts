import type {FieldName, FieldSpan, Severity} from '../../../log/fields/field-span.ts';
import {findFields} from '../../../log/fields/find-fields.ts';
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

/** Returns the tones of the fields in a line's safe text. */
export const fieldLayer = (safeText: string): Layer => toneFields(findFields(safeText));
