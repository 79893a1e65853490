/**
 * Wraps a sentence at spaces to a maximum number of columns. A longer word gets a row of its own. For our own texts
 * only: it counts one cell per character.
 */
export const wrapWords = (sentence: string, columns: number): readonly string[] => {
  const rows: string[] = [];
  let row = '';
  for (const word of sentence.split(' ')) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (longer.length > columns && row !== '') {
      rows.push(row);
      row = word;
    } else {
      row = longer;
    }
  }
  return [...rows, row];
};
