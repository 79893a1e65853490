import type {Tone} from './view-row.ts';

/** How a status is told: never by colour alone. */
export type StatusLook = {
  readonly glyph: string;
  readonly words: string;
  readonly tone: Tone;
  readonly isDeployed: boolean;
};

const isDeployed = false;

/**
 * The look of a branch's status (interface specification, section 3). Only null and DEPLOY_APPLICATION_SUCCESS are named there; of
 * the others nothing is known but their words, so they are read for signs of failure and of work in progress
 * and else shown as they are.
 */
export const describeStatus = (status: string | null): StatusLook => {
  if (status === null) {
    return {glyph: '○', words: 'not built out', tone: 'dim', isDeployed};
  }
  if (status === 'DEPLOY_APPLICATION_SUCCESS') {
    return {glyph: '●', words: 'deployed', tone: 'good', isDeployed: true};
  }
  if (/FAIL|ERROR/i.test(status)) {
    return {glyph: '✗', words: status, tone: 'bad', isDeployed};
  }
  if (/RUNNING|PROGRESS|PENDING|START|ING$|ING_/i.test(status) && !/SUCCESS|DONE|WAITING/i.test(status)) {
    return {glyph: '◐', words: status, tone: 'busy', isDeployed};
  }
  return {glyph: '?', words: status, tone: 'plain', isDeployed};
};
