import {readTraits} from '../../log/traits/line-traits.ts';
import type {LogSource, LogState} from '../state/state.ts';
import type {Tail} from '../tail/tail.ts';
import {applyFilters} from './search/apply-filters.ts';

/**
 * Replaces one branch's tail, and updates what depends on its lines: carries known matches over to the new chunks and
 * applies the filters. The only place where a tail changes.
 */
export const takeTail = (log: LogState, branchId: string, tail: Tail): LogState => {
  const before = log.sources.find(({branch}) => branch._id === branchId)?.tail;
  const change = (source: LogSource): LogSource => (source.branch._id === branchId ? {...source, tail} : source);
  const [first, ...others] = log.sources;
  const changed: LogState = {...log, sources: [change(first), ...others.map(change)]};
  if (before === undefined || before.log.buffer === tail.log.buffer) {
    return changed;
  }
  readTraits(tail.log.buffer);
  return applyFilters(carryMatches(changed, before, tail));
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
