import type {Tone} from './tones.ts';

/** How a status is told: never by colour alone. */
export type StatusLook = {
  readonly glyph: string;
  readonly words: string;
  readonly tone: Tone;
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
    return {glyph: '○', words: 'not built out', tone: 'dim', ...otherwise};
  }
  if (status === 'DEPLOY_APPLICATION_SUCCESS') {
    return {glyph: '●', words: 'deployed', tone: 'good', isDeployed: true, isFault: false};
  }
  if (/FAIL|ERROR/i.test(status)) {
    return {glyph: '✗', words: status, tone: 'bad', isDeployed: false, isFault: true};
  }
  if (/RUNNING|PROGRESS|PENDING|START|ING$|ING_/i.test(status) && !/SUCCESS|DONE|WAITING/i.test(status)) {
    return {glyph: '◐', words: status, tone: 'busy', ...otherwise};
  }
  return {glyph: '?', words: status, tone: 'plain', ...otherwise};
};
