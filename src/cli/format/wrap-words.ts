/** Breaks a sentence into rows of at most so many columns, at blanks; a longer word has a row of its own. Our own words only: a letter is a cell. */
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
