import type {Entry} from '../log/entry.ts';
import {stringifySafe} from '../log/escape-json.ts';
import {formatInstant} from '../log/instant.ts';
import {splitLine} from './split-line.ts';

/** The record of an entry in NDJSON, without its newline; undefined for kinds that have none. */
export const formatEntryJson = (entry: Entry): string | undefined => {
  switch (entry.kind) {
    case 'line': {
      const {timestamp, text} = splitLine(entry.raw);
      return stringifySafe({kind: 'line', timestamp, text, ...(entry.late ? {late: true} : {})});
    }
    case 'gap':
      return stringifySafe({kind: 'gap', after: formatInstant(entry.after), before: formatInstant(entry.before)});
    case 'pod':
      return stringifySafe({kind: 'pod', change: entry.change, name: entry.name});
    case 'quiet':
      return undefined;
    default:
      return entry satisfies never;
  }
};
