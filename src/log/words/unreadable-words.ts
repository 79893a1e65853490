import type {Unreadable} from '../line/unreadable.ts';
import {countOf} from './format-count.ts';

/** Says how many pods cannot be read, and why the first of them, such as `2 of 4 pods unreadable: No right to …`. */
export const unreadableWords = ({pods, of, why}: Unreadable): string =>
  `${pods} of ${countOf(of, 'pod')} unreadable: ${why}`;
