import {readUpTo} from '../../log/numbered/numbered.ts';
import type {Effect} from '../state/effect.ts';
import type {LogSource} from '../state/state.ts';

/** Requests what a branch's log does not have yet. */
export const fetchWindow = ({branch, tail}: LogSource, siteId: string, generation: number): Effect => {
  const after = readUpTo(tail.log.numbered);
  return {kind: 'fetchWindow', siteId, branchId: branch._id, generation, ...(after && {after})};
};
