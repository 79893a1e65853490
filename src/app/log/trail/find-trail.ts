import type {Trail, TrailLine} from '#app/parts/kept-views.ts';
import {findPattern} from '#app/search/patterns.ts';
import {type SourceInMemory, sourcesInMemory} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {entriesAt} from '#log/buffer/chunk.ts';
import type {LineEntry} from '#log/line/entry.ts';
import type {Matches} from '#log/pattern/matches.ts';
import {escapePattern} from '#log/traits/fold-text.ts';

/** More lines than anybody reads one by one; what is more frequent needs a filter. */
export const trailLinesMax = 500;

const wordSign = /[\w-]/;

/** Returns the query for a whole value: `2678` is not found in `12678`, nor in `2678-a`. */
export const trailQuery = (text: string): string => {
  const before = wordSign.test(text.charAt(0)) ? String.raw`(?:^|[^\w-])` : '';
  const after = wordSign.test(text.slice(-1)) ? String.raw`(?:[^\w-]|$)` : '';
  return `re:${before}${escapePattern(text)}${after}`;
};

/** Returns the key of a trail's line. */
export const trailKey = ({branch}: Pick<SourceInMemory, 'branch'>, {id}: LineEntry): string => `${branch._id} ${id}`;

/** Returns the lines of the open trail: the newest 500 of all logs in memory. Free unless more became known. */
export const findTrail = (state: State, log: LogState): Trail => {
  const sources = sourcesInMemory(state, log);
  const pattern = findPattern(log.use, log.use.trailId);
  const parts = [pattern?.version, ...sources.map(({tail}) => tail.log.buffer)];
  return log.kept.trail.answer(parts, () => makeTrail(sources, pattern?.matches));
};

const makeTrail = (sources: readonly SourceInMemory[], matches: Matches | undefined): Trail => {
  const counts = sources.map(({tail}) =>
    tail.log.buffer.chunks.reduce((sum, chunk) => sum + (matches?.of(chunk)?.offsets.length ?? 0), 0),
  );
  const lines = sources
    .flatMap((source, index) => newestLines(source, index, matches))
    .toSorted((a, b) => (a.line.at < b.line.at ? -1 : a.line.at > b.line.at ? 1 : 0));
  return {
    lines: lines.slice(-trailLinesMax),
    lineCount: counts.reduce((sum, count) => sum + count, 0),
    logCount: counts.filter(count => count > 0).length,
    isComplete: sources.every(({tail}) => matches?.pendingIn(tail.log.buffer).length === 0),
  };
};

const newestLines = (source: SourceInMemory, index: number, matches: Matches | undefined): readonly TrailLine[] => {
  const pieces: (readonly TrailLine[])[] = [];
  let missing = trailLinesMax;
  for (const chunk of source.tail.log.buffer.chunks.toReversed()) {
    const offsets = matches?.of(chunk)?.offsets.slice(-missing);
    if (missing === 0 || offsets === undefined || offsets.length === 0) {
      continue;
    }
    const found = entriesAt(chunk, offsets);
    pieces.push(
      found.flatMap(entry =>
        entry.kind === 'line' ? [{key: trailKey(source, entry), source: index, line: entry}] : [],
      ),
    );
    missing -= offsets.length;
  }
  return pieces.reverse().flat();
};
