import type {Tone} from '../rows/tones.ts';

/** How a status is told: never by colour alone. */
export type StatusLook = {
  readonly glyph: string;
  readonly words: string;
  readonly tone: Tone;
  /** Where it comes in a list by status: the lowest first. */
  readonly rank: number;
  readonly isDeployed: boolean;
  /** Its words say that something failed. */
  readonly isFault: boolean;
};

const otherwise = {isDeployed: false, isFault: false};

/**
 * The look of a branch's status (interface specification, section 3). Only null and DEPLOY_APPLICATION_SUCCESS are named there; of
 * the others nothing is known but their words, so they are read for signs of failure and of work in progress
 * and else shown as they are.
 */
export const describeStatus = (status: string | null): StatusLook => {
  if (status === null) {
    return {glyph: '○', words: 'not built out', tone: 'dim', rank: 4, ...otherwise};
  }
  if (status === 'DEPLOY_APPLICATION_SUCCESS') {
    return {glyph: '●', words: 'deployed', tone: 'good', rank: 0, isDeployed: true, isFault: false};
  }
  if (/FAIL|ERROR/i.test(status)) {
    return {glyph: '✗', words: status, tone: 'bad', rank: 1, isDeployed: false, isFault: true};
  }
  if (/RUNNING|PROGRESS|PENDING|START|ING$|ING_/i.test(status) && !/SUCCESS|DONE|WAITING/i.test(status)) {
    return {glyph: '◐', words: status, tone: 'busy', rank: 2, ...otherwise};
  }
  return {glyph: '?', words: status, tone: 'plain', rank: 3, ...otherwise};
};
