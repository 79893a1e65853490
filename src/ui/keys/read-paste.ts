/** Returns pasted text as one row for an input line: line breaks and all other control characters become blanks. */
export const readPaste = (pasted: string): string => pasted.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
