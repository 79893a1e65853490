import {decodeJsonString, findRecordStart} from './json-record.ts';
import {sanitise} from './sanitise.ts';
import {walkJson} from './walk-json.ts';

/** The detail view is for reading; a record with more rows is better opened in an editor. */
const prettyRowsMax = 2000;

/** A longer line would take longer to lay out than a key press may. */
const prettyCharsMax = 256 * 1024;

const indentBlanks = 2;
const unicodeEscape = /\\(u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)/g;

/** Unescapes characters that were escaped only to stay within ASCII; ASCII and undrawable characters stay escaped. */
const showEscapes = (token: string): string =>
  token.replace(unicodeEscape, (escaped: string, what: string) => {
    if (what.length === 1 || Number.parseInt(what.slice(1, 5), 16) < 0xa0) {
      return escaped;
    }
    const shown = decodeJsonString(`"${escaped}"`);
    return sanitise(shown) === shown ? shown : escaped;
  });

/** Splits a string after each escaped line end, so that a trace in a string is readable. */
const splitAtLineEnds = (token: string): readonly string[] => {
  const pieces: string[] = [];
  let start = 0;
  for (let index = token.indexOf('\\'); index !== -1; index = token.indexOf('\\', index + 2)) {
    // The closing quote alone would be a row of its own.
    if (token[index + 1] === 'n' && index + 3 < token.length) {
      pieces.push(token.slice(start, index + 2));
      start = index + 2;
    }
  }
  return [...pieces, token.slice(start)];
};

/** Collects rows up to a bound, and keeps counting after it. */
class PrettyRows {
  readonly rows: string[] = [];
  #count = 0;
  #open: string | undefined;

  /** Begins a row; `append` adds to it until the next begins. */
  begin(indent: number, text: string): void {
    this.#flush();
    this.#count += 1;
    this.#open = this.rows.length < prettyRowsMax ? `${' '.repeat(indent)}${text}` : undefined;
  }

  append(text: string): void {
    if (this.#open !== undefined) {
      this.#open += text;
    }
  }

  finish(): readonly string[] {
    this.#flush();
    const left = this.#count - this.rows.length;
    return left > 0 ? [...this.rows, `… ${left} more rows`] : this.rows;
  }

  #flush(): void {
    if (this.#open !== undefined) {
      this.rows.push(sanitise(this.#open));
    }
  }
}

/**
 * Formats a line with a JSON record as several rows, indented by two spaces per level: every name, duplicate, order and
 * number as written. A string breaks after its escaped line ends. Text before or after the record has rows of its own.
 * At most 2,000 rows, and one that says how many are left. Returns undefined if the line holds no record or is longer
 * than 256 KB. Takes the text as received; the rows are safe.
 */
export const formatJsonPretty = (text: string): readonly string[] | undefined => {
  const start = text.length > prettyCharsMax ? -1 : findRecordStart(text);
  if (start === -1) {
    return undefined;
  }
  const rows = new PrettyRows();
  const prefix = text.slice(0, start).trimEnd();
  if (prefix !== '') {
    rows.begin(0, prefix);
  }
  let depth = 0;
  let isFirst = true;
  let isValue = false;
  let isClosedAtOnce = false;
  const beginItem = (item: string): void => {
    if (isValue) {
      rows.append(item);
    } else {
      if (!isFirst) {
        rows.append(',');
      }
      rows.begin(depth * indentBlanks, item);
    }
    isValue = false;
    isFirst = false;
  };
  const end = walkJson(text, start, {
    onOpen(isObject, _at, isEmpty) {
      beginItem(isObject ? '{' : '[');
      depth += 1;
      isFirst = true;
      isClosedAtOnce = isEmpty;
    },
    onClose(isObject) {
      depth -= 1;
      const sign = isObject ? '}' : ']';
      if (isClosedAtOnce) {
        rows.append(sign);
      } else {
        rows.begin(depth * indentBlanks, sign);
      }
      isClosedAtOnce = false;
      isFirst = false;
    },
    onKey(from, to) {
      beginItem(`${showEscapes(text.slice(from, to))}: `);
      isValue = true;
    },
    onScalar(from, to) {
      const [head = '', ...more] = splitAtLineEnds(text.slice(from, to));
      beginItem(showEscapes(head));
      for (const piece of more) {
        rows.begin((depth + 1) * indentBlanks, showEscapes(piece));
      }
    },
  });
  if (end < 0) {
    return undefined;
  }
  const rest = text.slice(end).trim();
  if (rest !== '') {
    rows.begin(0, rest);
  }
  return rows.finish();
};
