import type {LineSections} from '#app/parts/kept-views.ts';
import {type LogLook, originalLine, plainLook} from '#app/parts/log-parts.ts';
import {span, type Tone, type ViewRow} from '#app/rows/view-row.ts';
import type {PatternUse} from '#app/search/patterns.ts';
import type {State} from '#app/state/state.ts';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import {type LineEntry, type SourceName, textOf} from '#log/line/entry.ts';
import {severityOfLevel} from '#log/reading/find-fields.ts';
import {findValues, type LineValue} from '#log/reading/find-values.ts';
import {statesOf} from '#log/reading/progress.ts';
import {readingOf} from '#log/reading/reading.ts';
import {cutMiddle, padToCells, wrapRanges} from '#log/text/cut.ts';
import {formatJsonPretty} from '#log/text/format-pretty.ts';
import {sanitise, sanitiseWord, showRaw} from '#log/text/sanitise.ts';
import {shownCharsMax} from '#log/text/scan-foreign.ts';
import {cellWidth} from '#log/text/width.ts';
import {readTrace, traceLinesMax} from '#log/traits/trace.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {formatEntry, type RowStyle} from './pane/entry-rows.ts';

/** Whether the log was opened by its name: then the time before each line is ours, and no part of it. */
export const isAsWritten = ({context}: Pick<State, 'context'>): boolean => context.parts === 'none';

/** Inputs for the sections of a line. */
type SectionContext = {
  readonly line: LineEntry;
  /** The buffer that holds the line, or held it; its trace is read there. */
  readonly buffer: LineBuffer | undefined;
  readonly columns: number;
  readonly use: PatternUse;
  readonly keepsColour: boolean;
  /** The line is shown as it was written, without the time before it. */
  readonly asWritten: boolean;
  /** The style of the log's pane, derived from `use` and `keepsColour`. */
  readonly style: RowStyle;
};

type Section = {
  readonly title: string;
  readonly detail?: string;
  readonly rows: readonly ViewRow[];
  /** The values in the section and the indices of their rows. */
  readonly values?: LineSections['values'];
};

/**
 * Maximum characters of a trace line. Longer ones hold more than a trace; opened by itself, such a line is shown whole.
 */
const traceCharsMax = 1000;

const indent = span('   ');
const indentColumns = 3;

/**
 * Returns everything known of a line, each part under its title with a blank row above. Parts that the line does not
 * have are left out.
 */
export const lineSections = (context: SectionContext): LineSections => {
  const rows: ViewRow[] = [];
  const values: LineSections['values'][number][] = [];
  for (const section of [
    ...fieldsSection(context),
    ...statesSection(context),
    ...textSections(context),
    ...traceSection(context),
    ...escapedSection(context),
  ]) {
    const {title, detail} = section;
    rows.push([], [span(' '), span(title, 'strong'), ...(detail === undefined ? [] : [span(`  ${detail}`, 'dim')])]);
    values.push(...(section.values ?? []).map(value => ({...value, rowIndex: rows.length + value.rowIndex})));
    rows.push(...section.rows.map((row): ViewRow => [indent, ...row]));
  }
  return {rows, values};
};

const widthOf = ({columns}: SectionContext): number => Math.max(1, columns - indentColumns - 1);

/** Wraps a safe text in one tone. */
const wrap = (text: string, columns: number, tone: Tone = 'plain'): readonly ViewRow[] =>
  wrapRanges(text, columns).map(({start, end}) => [span(text.slice(start, end), tone)]);

/** Returns the text once: a record over several rows, other text with its colours and hits, or as it was received. */
const textSections = (context: SectionContext): readonly Section[] => {
  const {line, asWritten} = context;
  const original = originalLine(line, asWritten);
  const safe = sanitise(original);
  const bytes = countOf(Buffer.byteLength(original), 'byte');
  const received: Section = {
    title: asWritten ? 'As written' : 'As received',
    detail: safe === original ? bytes : `${bytes}; what could harm a terminal is replaced`,
    rows: wrap(safe, widthOf(context)),
  };
  const detail = asWritten ? bytes : `${bytes} as received`;
  const text = textOf(line);
  const pretty = formatJsonPretty(text)?.flatMap(row => wrap(row, widthOf(context)));
  const json: readonly Section[] = pretty === undefined ? [] : [{title: 'JSON', detail, rows: pretty}];
  if (safe !== original || text.length > shownCharsMax) {
    return [...json, received];
  }
  const look: LogLook = {...plainLook, wraps: true, rows: 'received'};
  const style = {...context.style, look, textColumns: widthOf(context)};
  return pretty !== undefined && /^\s*[[{]/.test(text)
    ? json
    : [...json, {title: 'Text', detail, rows: formatEntry({...line, late: false}, style, undefined)}];
};

/** Of a line that was overwritten the log shows the last state; all of them follow as received. */
const statesSection = (context: SectionContext): readonly Section[] => {
  const states = statesOf(textOf(context.line));
  const detail = `after ${countOf(states.length - 1, 'earlier one')}`;
  return states.slice(-1).map(last => ({title: 'Last state', detail, rows: wrap(sanitise(last), widthOf(context))}));
};

/** Characters other than printable ASCII can be invisible, or look like something else. */
const escapedSection = (context: SectionContext): readonly Section[] => {
  const original = originalLine(context.line, context.asWritten);
  const escaped = showRaw(original);
  return escaped === original ? [] : [{title: 'Escaped', rows: wrap(escaped, widthOf(context))}];
};

const traceSection = (context: SectionContext): readonly Section[] => {
  const {line, buffer} = context;
  const trace = buffer === undefined ? undefined : readTrace(buffer, line);
  if (trace === undefined || trace.lines.length === 0) {
    return [];
  }
  const rest = `… more than ${formatCount(traceLinesMax)} lines: see the log for the rest`;
  const rows = trace.lines.flatMap(each => wrap(sanitiseWord(textOf(each), traceCharsMax), widthOf(context)));
  return [
    {
      title: 'Trace',
      detail: trace.hasMore ? `${formatCount(traceLinesMax)}+ lines` : countOf(trace.lines.length, 'line'),
      rows: trace.hasMore ? [...rows, ...wrap(rest, widthOf(context), 'dim')] : rows,
    },
  ];
};

const nameColumns = 'address  '.length;
const nameColumnsOfSource = 'container  '.length;
/** Longer names of fields are cut, so that values have room. */
const labelCellsMax = 16;
const sourceFields = ['pod', 'container', 'stream'] as const satisfies readonly (keyof SourceName)[];
/** Names of Kubernetes are not longer. */
const sourceCharsMax = 253;

const fieldsSection = (context: SectionContext): readonly Section[] => {
  const reading = readingOf(context.line);
  const {source} = context.line;
  const found = findValues(reading);
  const nameCells = Math.max(
    source === undefined ? nameColumns : nameColumnsOfSource,
    ...found.map(({label}) => Math.min(labelCellsMax, cellWidth(label)) + 2),
  );
  const rows: ViewRow[] = [];
  const values: LineSections['values'][number][] = [];
  const list = (name: string, value: string, tone: Tone, link?: string): void => {
    const room = Math.max(1, widthOf(context) - nameCells);
    for (const [index, {start, end}] of wrapRanges(value, room).entries()) {
      const piece = span(value.slice(start, end), tone);
      rows.push([
        span(padToCells(index === 0 ? cutMiddle(name, labelCellsMax) : '', nameCells), 'dim'),
        link === undefined ? piece : {...piece, link},
      ]);
    }
  };
  const listValue = (value: LineValue): void => {
    values.push({...value, rowIndex: rows.length});
    list(value.label, value.text, value.severity, value.name === 'url' ? value.text : undefined);
  };
  // Others are followed by them, so they are looked for first.
  found.filter(({name}) => name === 'id').forEach(listValue);
  for (const name of sourceFields) {
    const value = sanitiseWord(source?.[name] ?? '', sourceCharsMax);
    if (value !== '') {
      const label = name === 'pod' && context.asWritten ? 'file' : name;
      values.push({name, label, text: value, rowIndex: rows.length});
      list(label, value, 'plain');
    }
  }
  if (reading.level !== 'none') {
    list('level', reading.level, severityOfLevel(reading.level));
  }
  // The many files of a trace say less than what stands behind them.
  const isFile = ({name}: LineValue): boolean => name === 'file';
  found.filter(value => value.name !== 'id' && !isFile(value)).forEach(listValue);
  found.filter(isFile).forEach(listValue);
  return rows.length === 0 ? [] : [{title: 'Fields', rows, values}];
};
