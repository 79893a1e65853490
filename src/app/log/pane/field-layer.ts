import type {FieldName, FieldSpan, Severity} from '../../../log/fields/field-span.ts';
import {findFields} from '../../../log/fields/find-fields.ts';
import type {Tone} from '../../rows/tones.ts';
import type {Layer} from './line-spans.ts';

/** Quiet by default: of a line only the part that says what is wrong may shout. */
const tones: Readonly<Partial<Record<FieldName, Tone>>> = {time: 'faint', key: 'faint', method: 'field', path: 'field'};

const toneOf = (field: FieldName, severity: Severity): Tone | undefined =>
  severity === 'plain' ? tones[field] : severity;

/** Fields as their tones; those of the ground's own are left out. */
export const toneFields = (spans: readonly FieldSpan[]): Layer =>
  spans.flatMap(({start, end, field, severity}) => {
    const tone = toneOf(field, severity);
    return tone === undefined ? [] : [{start, end, tone}];
  });

/** What a line's safe text is made of, as its tones. */
export const fieldLayer = (safeText: string): Layer => toneFields(findFields(safeText));
