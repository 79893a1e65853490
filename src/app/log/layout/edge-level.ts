import {createSideTable, once} from '../../../log/buffer/side-table.ts';
import {severityOfLevel} from '../../../log/fields/field-span.ts';
import {type Level, levelOf} from '../../../log/level/level.ts';
import {type LineEntry, textOf} from '../../../log/line/entry.ts';
import {type Span, span} from '../../rows/view-row.ts';

/** The width of the level in front of every line: a sign, and a blank. */
export const edgeColumns = 2;

/** Returns the level that a line states itself, see `levelOf`. */
export const levelOfLine: (line: LineEntry) => Level = once(createSideTable(), line => levelOf(textOf(line)));

const edges = {plain: span('  '), warn: span('! ', 'warn'), bad: span('✗ ', 'bad')};

/**
 * Returns the level at the left edge of a line, which no cut takes away: `✗` from error on, `!` for a warning. Further
 * lines of a trace state no level and have none.
 */
export const edgeLevel = (line: LineEntry): Span => edges[severityOfLevel(levelOfLine(line))];
