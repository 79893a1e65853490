import {splitLine} from '#cli/format/split-line.ts';
import type {Entry, LineEntry} from '#log/line/entry.ts';
import {formatInstant} from '#log/line/instant.ts';
import {stringifySafe} from '#log/text/escape-json.ts';

/** What is known of a printed entry besides itself. */
export type EntryContext = {
  /** The branch's name if several are printed. */
  readonly branch?: string | undefined;
  /** The line is near one that was asked for. */
  readonly isContext?: boolean;
  /** Lines say no times of their own: theirs are those of their arrival. */
  readonly isArrival?: boolean;
};

/** Returns the NDJSON record of an entry, without its newline; undefined for kinds without one. */
export const formatEntryJson = (
  entry: Entry,
  {branch, isContext = false, isArrival = false}: EntryContext = {},
): string | undefined => {
  const {kind} = entry;
  const head = branch === undefined ? {kind} : {kind, branch};
  switch (entry.kind) {
    case 'line': {
      const {timestamp, text} = splitLine(entry.raw);
      return stringifySafe({
        ...head,
        timestamp,
        text,
        ...sourceOf(entry),
        ...(entry.late ? {late: true} : {}),
        ...(entry.grown ? {grown: true} : {}),
        ...(isContext ? {context: true} : {}),
        ...(isArrival ? {arrival: true} : {}),
      });
    }
    case 'gap':
      return stringifySafe({
        ...head,
        after: formatInstant(entry.after),
        before: formatInstant(entry.before),
        reason: entry.reason,
        proof: entry.proof,
        newLines: entry.newLines,
        ...sourceOf(entry),
        missing: entry.missingLines,
        why: entry.why,
        ...(entry.grows ? {grows: true} : {}),
      });
    case 'pod':
      return stringifySafe({
        ...head,
        change: entry.change,
        name: entry.name,
        ending: entry.change === 'gone' ? entry.ending : undefined,
      });
    case 'quiet':
      return stringifySafe({...head, after: formatInstant(entry.since), before: formatInstant(entry.at)});
    case 'change':
    case 'horizon':
      return undefined;
    default:
      return entry satisfies never;
  }
};

const sourceOf = ({source}: Pick<LineEntry, 'source'>) =>
  source && {pod: source.pod, container: source.container, stream: source.stream};
