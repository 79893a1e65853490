import {sliceEntries} from '../../../log/buffer/buffer.ts';
import {countFields, type FieldCounts} from '../../../log/layout/count-fields.ts';
import {readingOf} from '../../../log/reading/reading.ts';
import type {LogState} from '../../state/state.ts';

/** Enough to see fields that one line in a hundred has, and few enough to read between two keys. */
const entriesMax = 2000;

/** Counts the fields of the newest lines that are held, of all branches alike. */
export const countNewest = ({sources}: LogState): FieldCounts => {
  const share = Math.floor(entriesMax / sources.length);
  const lines = sources.flatMap(({tail}) => {
    const {buffer} = tail.log;
    return sliceEntries(buffer, Math.max(0, buffer.entryCount - share), share)
      .toReversed()
      .flatMap(entry => (entry.kind === 'line' ? [readingOf(entry)] : []));
  });
  return countFields(lines);
};
