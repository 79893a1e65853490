import type {Frame} from '#app/parts/frame.ts';
import {type Span, span, type ViewRow} from '#app/rows/view-row.ts';
import type {LogState} from '#app/state/state.ts';
import {serviceNowMs} from '#app/words/format-time.ts';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {severityOfLevel} from '#log/reading/find-fields.ts';
import {readingOf} from '#log/reading/reading.ts';
import {isInTrace} from '#log/traits/trace.ts';
import {anchorOf, type LogView, type SourcedEntry} from '#log/view/log-view.ts';
import {dayOf, formatDay} from '#log/words/format-when.ts';

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

const none: readonly ViewRow[] = [];

/**
 * Returns the rule above the first entry of each day, in the zone of the time column; undefined if all that is held is
 * of today. The rule above the first entry of all is left out if that is of today.
 */
export const dayRules = (
  frame: Frame,
  {look}: LogState,
  view: LogView,
): ((entry: SourcedEntry) => readonly ViewRow[]) | undefined => {
  const nowAt = instantFromMs(serviceNowMs(frame));
  const offsetMinutesAt = look.time === 'local' ? frame.offsetMinutesAt : () => 0;
  const today = dayOf(nowAt, offsetMinutesAt);
  const dayAt = (index: number): number => {
    const at = view.timeAt(index);
    return at === undefined ? today : dayOf(at, offsetMinutesAt);
  };
  if (dayAt(0) === today && dayAt(view.entryCount - 1) === today) {
    return undefined;
  }
  return sourced => {
    const {at} = sourced.entry;
    const index = view.indexOf(anchorOf(sourced));
    if (dayOf(at, offsetMinutesAt) === (index === 0 ? today : dayAt(index - 1))) {
      return none;
    }
    const rule = `── ${formatDay(at, nowAt, offsetMinutesAt)} `.slice(0, frame.columns - 1);
    return [[span(`${rule}${'─'.repeat(Math.max(0, frame.columns - rule.length - 2))}`, 'accent')]];
  };
};
