import type {ClusterLine} from './simulated-cluster.ts';
import {type Precision, writeStamp} from './write-stamp.ts';

/** How an answer writes lines. Replicas of one service may differ in that. */
export type Form = {
  readonly precision: Precision;
  /** The decimals of stamps follow a comma. */
  readonly hasCommas: boolean;
  /** The ends of lines: as they were written, without white space, or with a carriage return. */
  readonly ends: 'kept' | 'trimmed' | 'returned';
};

export const plainForm: Form = {precision: 'nanos', hasCommas: false, ends: 'kept'};

/** A line, or as much of it as is written, in a form. */
export const writeLine = ({at, isStamped}: ClusterLine, raw: string, {precision, hasCommas, ends}: Form): string => {
  const stamp = writeStamp(at, precision);
  const stamped = isStamped ? (hasCommas ? stamp.replace('.', ',') : stamp) + raw.slice(raw.indexOf(' ')) : raw;
  switch (ends) {
    case 'kept':
      return stamped;
    case 'trimmed':
      return stamped.trimEnd();
    case 'returned':
      return `${stamped}\r`;
    default:
      return ends satisfies never;
  }
};
