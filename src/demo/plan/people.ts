import {makeId} from '../seed/make-id.ts';
import {createRandom} from '../seed/random.ts';
import type {BranchSetting} from './plans.ts';

/** The organisation that owns all of the demo's sites. */
export const organisationId = makeId('organisation');

const usersMax = 6;

/** Returns the user who did `idSeed` on a branch: one of a few. */
export const userIdOf = ({branchId}: Pick<BranchSetting, 'branchId'>, idSeed: string): string =>
  makeId('user', createRandom(branchId, idSeed).integer(1, usersMax));
