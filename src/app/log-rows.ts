import {changeWords} from '../log/change-words.ts';
import {cutToCells} from '../log/cut.ts';
import {type Entry, type LineEntry, type Marker, textOf} from '../log/entry.ts';
import {isErrorText} from '../log/error-lines.ts';
import {formatClock} from '../log/instant.ts';
import {sanitise, sanitiseWord} from '../log/sanitise.ts';
import {cellWidth} from '../log/width.ts';
import type {BranchLabel} from './branch-labels.ts';
import {fitRow, rowWidth} from './fit-row.ts';
import {span, type Tone, type ViewRow} from './view-row.ts';

const podNameCharsMax = 80;
const changeCharsMax = 200;
const clockColumns = '14:02:11.031'.length;

/**
 * An entry of the buffer as a row of the pane: a line, or a rule with words that cannot be mistaken for one. Where several branches are
 * shown the label tells whose it is.
 */
export const formatEntry = (entry: Entry, columns: number, label?: BranchLabel): ViewRow =>
  entry.kind === 'line' ? formatLine(entry, columns, label) : formatMarker(entry, columns, label);

/** The line's own text stands as it is, made safe and cut at the edge; only its timestamp is shown shorter. */
const formatLine = (line: LineEntry, columns: number, label: BranchLabel | undefined): ViewRow => {
  const clock = line.textIndex === 0 ? ' '.repeat(clockColumns) : formatClock(line.at, true);
  const late = line.late ? 'late ' : '';
  const text = textOf(line);
  const whose = label === undefined ? [] : [span(`${label.short} `, label.tone)];
  const left = columns - clockColumns - 2 - rowWidth(whose) - late.length;
  return fitRow(
    [
      span(` ${clock} `, 'dim'),
      ...whose,
      span(late, 'busy'),
      span(cutToCells(sanitise(text), Math.max(0, left)), isErrorText(text) ? 'bad' : 'plain'),
    ],
    columns,
  );
};

const formatMarker = (marker: Marker, columns: number, label: BranchLabel | undefined): ViewRow => {
  const {words, tone} = markerWords(marker);
  const whose = label === undefined ? '' : `${label.name}: `;
  const rule = `── ${whose}${words} `;
  return fitRow([span(' '), span(`${rule}${'─'.repeat(Math.max(0, columns - cellWidth(rule) - 2))}`, tone)], columns);
};

const markerWords = (marker: Marker): {readonly words: string; readonly tone: Tone} => {
  switch (marker.kind) {
    case 'gap':
      return {
        words: `possible gap, ${formatClock(marker.after, true)} to ${formatClock(marker.before, true)}: the window moved on`,
        tone: 'busy',
      };
    case 'pod': {
      const name = sanitiseWord(marker.name, podNameCharsMax);
      if (marker.change === 'appeared') {
        return {words: `pod ${name} came`, tone: 'accent'};
      }
      const since = marker.since === undefined ? '' : ` since ${formatClock(marker.since)}`;
      return {words: `pod ${name} went; lines${since} may be missing`, tone: 'accent'};
    }
    case 'quiet':
      return {words: `quiet since ${formatClock(marker.since)}: the service held no lines in between`, tone: 'accent'};
    case 'change': {
      const clock = marker.happenedAt === undefined ? '' : `${formatClock(marker.happenedAt)}  `;
      return {words: `${clock}${sanitiseWord(changeWords(marker.change), changeCharsMax)}`, tone: 'accent'};
    }
    case 'horizon':
      return {words: `the service held nothing older than ${formatClock(marker.at)}`, tone: 'dim'};
    default:
      return marker satisfies never;
  }
};
