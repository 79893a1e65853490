import {type Span, span} from '#app/rows/view-row.ts';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {severityOfLevel} from '#log/reading/find-fields.ts';
import {readingOf} from '#log/reading/reading.ts';
import {isInTrace} from '#log/traits/trace.ts';

/** The width of the level in front of every line: a sign, and a blank. */
export const edgeColumns = 2;

const edges = {plain: span('  '), warn: span('! ', 'warn'), bad: span('✗ ', 'bad')};

/**
 * Returns the level at the left edge of a line, which no cut takes away: `✗` from error on, `!` for a warning. Further
 * lines of a trace have none, even the exception that ends it: as many signs as events are on the screen.
 */
export const edgeLevel = (line: LineEntry, buffer: LineBuffer | undefined): Span => {
  const severity = severityOfLevel(readingOf(line).level);
  const isFurther = severity !== 'plain' && buffer !== undefined && isInTrace(buffer, line);
  return edges[isFurther ? 'plain' : severity];
};
