import type {LogSource, LogState} from '#app/state/state.ts';
import type {Tail} from '#app/tail/tail.ts';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import {readTraits} from '#log/traits/line-traits.ts';
import {type ShapeTable, takeShapes} from '#log/traits/shape-table.ts';
import {learnSources} from '#log/view/sources.ts';
import {sourceKey, unsaidSource} from '#log/words/source-words.ts';
import {finishWork, type Work} from '#log/work.ts';
import {applyFilters} from '../apply-filters.ts';

/** Reads the lines that a buffer has and an earlier one had not: their traits, and the shapes of new events. */
export function* readNewLines(known: ShapeTable, before: LineBuffer, now: LineBuffer): Work<ShapeTable> {
  if (before === now) {
    return known;
  }
  yield* readTraits(now);
  return yield* takeShapes(known, before, now);
}

/**
 * Replaces one branch's tail, and updates what depends on its lines: learns who wrote them, and the shapes of new
 * events if they were not read before; carries known matches over to the new chunks and applies the filters. The only
 * place where a tail changes.
 */
export const takeTail = (log: LogState, branchId: string, tail: Tail, shapesRead?: ShapeTable): LogState => {
  const source = log.sources.find(({branch}) => branch._id === branchId);
  if (source === undefined) {
    return log;
  }
  const [before, now] = [source.tail.log.buffer, tail.log.buffer];
  if (before === now) {
    return withSource(log, {...source, tail});
  }
  const shapes = shapesRead ?? finishWork(readNewLines(source.shapes, before, now));
  const sourceNames = learnSources(log.sourceNames, before, now);
  const known = {...withSource(log, {...source, tail, shapes}), sourceNames};
  const settled = before.lineCount === 0 ? withoutGonePick(known) : known;
  return applyFilters(carryMatches(settled, source.tail, tail));
};

/** Drops a choice that was remembered, if none of its sources writes any more: pods go with every rollout. */
const withoutGonePick = (log: LogState): LogState => {
  const keys = new Set([unsaidSource, ...log.sourceNames].map(sourceKey));
  return log.sourceNames.length === 0 || log.sourcePick?.names.some(name => keys.has(sourceKey(name))) !== false
    ? log
    : {...log, sourcePick: undefined};
};

const withSource = (log: LogState, changed: LogSource): LogState => {
  const change = (source: LogSource): LogSource => (source.branch._id === changed.branch._id ? changed : source);
  const [first, ...others] = log.sources;
  return {...log, sources: [change(first), ...others.map(change)]};
};

const carryMatches = (log: LogState, before: Tail, after: Tail): LogState => {
  for (const {matches} of log.use.patterns) {
    matches.carry(before.log.buffer, after.log.buffer);
  }
  const patterns = log.use.patterns.map(pattern =>
    pattern.version === pattern.matches.version() ? pattern : {...pattern, version: pattern.matches.version()},
  );
  return patterns.every((pattern, index) => pattern === log.use.patterns[index])
    ? log
    : {...log, use: {...log.use, patterns}};
};
