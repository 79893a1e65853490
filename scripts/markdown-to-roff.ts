/** Markdown as our documents use it, to roff with the man macros. */

const special: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** Signs that a terminal without UTF-8 cannot show. */
const words: Readonly<Record<string, string>> = {'…': '...', '↑': 'Up', '↓': 'Down', '←': 'Left', '→': 'Right'};
const toAscii = (text: string): string => text.replace(/[…↑↓←→]/g, sign => words[sign] ?? sign);

const escapeText = (text: string): string => toAscii(text).replaceAll('\\', '\\e');

/** Escapes text of which every character matters: a flag, a path, a line of a config file. */
const escapeCode = (text: string): string => toAscii(text).replace(/[\\\-'`^~]/g, sign => special[sign] ?? sign);

/** A row must not begin like a request. */
const guardStart = (row: string): string => (/^[.']/.test(row) ? `\\&${row}` : row);

const inlineParts = /`([^`]+)`|\*\*(.+?)\*\*|!?\[([^\]]*)\]\(([^)\s]+)\)/g;

/** Converts code, bold and links of a paragraph. A link to another document becomes its text. */
export const inlineRoff = (markdown: string): string => {
  let roff = '';
  let end = 0;
  for (const {0: whole, 1: code, 2: bold, 3: label = '', 4: target = '', index} of markdown.matchAll(inlineParts)) {
    roff += escapeText(markdown.slice(end, index));
    end = index + whole.length;
    if (code !== undefined) {
      roff += `\\fB${escapeCode(code)}\\fR`;
    } else if (bold !== undefined) {
      roff += `\\fB${inlineRoff(bold)}\\fR`;
    } else {
      roff += /^https?:/.test(target) ? `${inlineRoff(label)} <${target}>` : inlineRoff(label);
    }
  }
  return guardStart(roff + escapeText(markdown.slice(end)));
};

/** Formats a term and what it means. */
export const roffTerm = (term: string, meaning: string): string => `.TP\n${inlineRoff(term)}\n${inlineRoff(meaning)}`;

/** Formats lines that must stay as they are. */
export const roffExample = (lines: readonly string[]): string =>
  ['.PP', '.RS 4', '.nf', ...lines.map(line => guardStart(escapeCode(line))), '.fi', '.RE'].join('\n');

const cellsOf = (row: string): readonly string[] =>
  row
    .replace(/^\| ?| ?\|$/g, '')
    .split(' | ')
    .map(cell => cell.trim());

/** A table as a list of terms; from the third column on, each cell is named by its head. */
const tableRoff = ([head = '', , ...rows]: readonly string[]): string => {
  const names = cellsOf(head);
  return rows
    .map(row => {
      const [term = '', meaning = '', ...more] = cellsOf(row);
      const rest = more.map((cell, index) => (cell === '' ? '' : ` ${names[index + 2]}: ${cell}.`));
      return roffTerm(term, `${meaning}${rest.some(Boolean) && !meaning.endsWith('.') ? '.' : ''}${rest.join('')}`);
    })
    .join('\n');
};

/** Blocks are apart by an empty line; a list or a table may follow its paragraph at once. */
const blockPattern =
  /```\w*\n[\s\S]*?\n```|<!--.*?-->|^#+ .*$|(?:^\|.*\n?)+|^- .*(?:\n(?!- |\n|#).+)*|^(?!#|\||- |```).+(?:\n(?!- |\||#|```).+)*/gm;

/** Converts a document or a part of one. Leaves out its title and pictures. */
export const markdownToRoff = (markdown: string): string =>
  [...markdown.matchAll(blockPattern)]
    .map(([block]) => {
      const lines = block.trimEnd().split('\n');
      const [first = ''] = lines;
      if (first.startsWith('```')) {
        return roffExample(lines.slice(1, -1));
      }
      if (first.startsWith('## ')) {
        return `.SH ${inlineRoff(first.slice(3))}`;
      }
      if (first.startsWith('### ')) {
        return `.SS ${inlineRoff(first.slice(4))}`;
      }
      if (/^(?:# |<!--|!\[)/.test(first)) {
        return '';
      }
      if (first.startsWith('|')) {
        return tableRoff(lines);
      }
      const text = lines.map(line => line.trim()).join(' ');
      return first.startsWith('- ') ? `.IP \\(bu 2\n${inlineRoff(text.slice(2))}` : `.PP\n${inlineRoff(text)}`;
    })
    .filter(Boolean)
    .join('\n');
