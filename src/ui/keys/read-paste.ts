/** Pasted text as one row of an input line: what ends a row, and every other control character, is a blank. */
export const readPaste = (pasted: string): string => pasted.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
