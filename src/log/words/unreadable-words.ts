import type {Unreadable} from '#log/line/unreadable.ts';
import {countOf} from './format-count.ts';

/**
 * Says how many pods cannot be read, and why the first of them, such as `2 of 4 pods unreadable: No right to …`, or
 * which of the two still works: `new pods unseen, 4 of 4 logs still come: …`. `part` is what a log consists of; files
 * are not counted, because one of them may be a folder.
 */
export const unreadableWords = ({pods, of, why, isBlind}: Unreadable, part = 'pod'): string =>
  part === 'file'
    ? `${why}${pods > 1 ? `, and ${pods - 1} more` : ''}`
    : isBlind
      ? `new pods unseen, ${of - pods} of ${countOf(of, 'log')} still ${of === 1 ? 'comes' : 'come'}: ${why}`
      : `${pods} of ${countOf(of, part)} unreadable: ${why}`;
