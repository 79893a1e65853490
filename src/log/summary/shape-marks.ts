/**
 * The marks that replace the changing parts of a line in a shape, and the patterns that find such parts. The patterns
 * use only what both V8 and RE2 support.
 */
export const shapeMarks = {number: '‹n›', id: '‹id›', address: '‹ip›', name: '‹name›', time: '‹time›'} as const;

const number = String.raw`-?\d+(?:\.\d+)*`;
// Both letters and digits: a number alone has a mark of its own.
const id = String.raw`(?:[A-Za-z]+\d|\d+[A-Za-z-])[\w-]*`;
const address = String.raw`[\da-fA-F.:]+`;
const name = String.raw`[^\s,;()[\]"]+`;
const time = String.raw`(?:[\d:.,/+_ -]|[A-Z][a-z]{2}|T|Z|UTC|GMT|[AP]M){5,40}`;

const patternsOfMarks: ReadonlyMap<string, string> = new Map([
  [shapeMarks.number, number],
  [shapeMarks.id, id],
  [shapeMarks.address, address],
  [shapeMarks.name, name],
  [shapeMarks.time, time],
]);

const special = /[\\^$.*+?()[\]{}|]/g;
const mark = /(‹(?:n|id|ip|name|time)›)/;

/** Escapes a text to a pattern that finds exactly it. */
export const escapePattern = (text: string): string => text.replaceAll(special, sign => `\\${sign}`);

/** Converts a text with shape marks to a pattern: each mark finds what it replaces, the rest finds itself. */
export const patternOfShape = (shape: string): string =>
  shape
    .split(mark)
    .map(piece => patternsOfMarks.get(piece) ?? escapePattern(piece))
    .join('');
