/**
 * What stands in a shape for a part that changes from line to line, and the pattern that finds such parts. The patterns keep to
 * what both V8's expressions and RE2's know.
 */
export const shapeMarks = {number: '‹n›', id: '‹id›', address: '‹ip›', time: '‹time›'} as const;

const number = String.raw`-?\d+(?:\.\d+)*`;
// Letters and digits both: a number alone has a mark of its own.
const id = String.raw`(?:[A-Za-z]+\d|\d+[A-Za-z-])[\w-]*`;
const address = String.raw`[\da-fA-F.:]+`;
const time = String.raw`(?:[\d:.,/+_ -]|[A-Z][a-z]{2}|T|Z|UTC|GMT|[AP]M){5,40}`;

const patternsOfMarks: ReadonlyMap<string, string> = new Map([
  [shapeMarks.number, number],
  [shapeMarks.id, id],
  [shapeMarks.address, address],
  [shapeMarks.time, time],
]);

const special = /[\\^$.*+?()[\]{}|]/g;
const mark = /(‹(?:n|id|ip|time)›)/;

/** The text as a pattern that finds it and nothing else. */
export const escapePattern = (text: string): string => text.replaceAll(special, sign => `\\${sign}`);

/** A text with shape marks as a pattern: each mark finds what it stands for, the rest finds itself. */
export const patternOfShape = (shape: string): string =>
  shape
    .split(mark)
    .map(piece => patternsOfMarks.get(piece) ?? escapePattern(piece))
    .join('');
