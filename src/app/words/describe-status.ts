import type {Branch} from '#api/client/answer.ts';
import type {BranchTrouble} from '#api/client/branch-fields.ts';
import type {Tone} from '#app/rows/view-row.ts';
import {countOf} from '#log/words/format-count.ts';

/** How a status is shown: never by colour alone. */
export type StatusStyle = {
  readonly glyph: string;
  /** In short: `deploy failed` for DEPLOY_APPLICATION_FAILED. */
  readonly words: string;
  readonly tone: Tone;
  /** The rank in a list of what needs the user first: the lowest comes first. */
  readonly rank: number;
  readonly isDeployed: boolean;
  /** The status says that something failed. */
  readonly isFault: boolean;
};

/** The word for a field that is not as the interface describes. */
export const notAsDescribed = 'not as described';

/** What needs the user first. */
export const statusRanks = {failed: 0, rising: 1, busy: 2, unknown: 3, deployed: 4, ended: 5} as const;

const otherwise = {isDeployed: false, isFault: false};

/** States of containers, as their engine says them. */
const engineStates: Readonly<Record<string, StatusStyle>> = {
  running: {glyph: '●', words: 'running', tone: 'good', rank: statusRanks.deployed, isDeployed: true, isFault: false},
  paused: {glyph: '◐', words: 'paused', tone: 'busy', rank: statusRanks.busy, ...otherwise},
  exited: {glyph: '○', words: 'exited', tone: 'dim', rank: statusRanks.ended, ...otherwise},
};

/**
 * Returns the look of a branch's status (interface specification, section 3). The specification names only null and
 * DEPLOY_APPLICATION_SUCCESS. Other statuses are searched for words of failure and of work in progress, and made
 * readable. Undefined is one that is malformed.
 */
export const describeStatus = (status: string | null | undefined): StatusStyle => {
  if (status === undefined) {
    return {glyph: '?', words: `status ${notAsDescribed}`, tone: 'busy', rank: statusRanks.unknown, ...otherwise};
  }
  if (status === null) {
    return {glyph: '○', words: 'not built out', tone: 'dim', rank: statusRanks.ended, ...otherwise};
  }
  if (status === 'DEPLOY_APPLICATION_SUCCESS') {
    return {glyph: '●', words: 'deployed', tone: 'good', rank: statusRanks.deployed, isDeployed: true, isFault: false};
  }
  const engineState = Object.hasOwn(engineStates, status) ? engineStates[status] : undefined;
  if (engineState) {
    return engineState;
  }
  if (/FAIL|ERROR/i.test(status)) {
    return {
      glyph: '✗',
      words: shortWords(status),
      tone: 'bad',
      rank: statusRanks.failed,
      isDeployed: false,
      isFault: true,
    };
  }
  if (/RUNNING|PROGRESS|PENDING|START|ING$|ING_/i.test(status) && !/SUCCESS|DONE|WAITING/i.test(status)) {
    return {glyph: '◐', words: shortWords(status), tone: 'busy', rank: statusRanks.busy, ...otherwise};
  }
  return {glyph: '?', words: shortWords(status), tone: 'plain', rank: statusRanks.unknown, ...otherwise};
};

/**
 * `BUILD_APPLICATION_RUNNING` → `build running`, `WAITING_FOR_QUOTA` → `waiting for quota`; any other status stays as
 * it is.
 */
const shortWords = (status: string): string =>
  /^[A-Z]{2,}(?:_[A-Z0-9]+)*$/.test(status)
    ? status
        .replace(/_APPLICATION(?=_)/, '')
        .replaceAll('_', ' ')
        .toLowerCase()
    : status;

/** Checks whether something of a branch does not work, whatever its status says. */
export const isTroubled = ({troubles}: Pick<Branch, 'troubles'>): boolean =>
  troubles.some(({state}) => state === 'now');

/** Returns a branch's worst trouble: `CrashLoopBackOff ×7, OOMKilled exit 137 (3 pods)`; empty for none. Untrusted. */
export const worstTroubleWords = ({troubles}: Pick<Branch, 'troubles'>): string => {
  const [worst] = troubles;
  if (worst === undefined) {
    return '';
  }
  const pods = new Set(troubles.filter(({state}) => state === worst.state).map(({pod}) => pod));
  return pods.size > 1 ? `${countOf(pods.size, 'pod')}: ${worst.reason}` : worst.reason;
};

/** `web-1/php: ImagePullBackOff: manifest unknown`. Untrusted. */
export const troubleWords = ({pod, container, reason, message}: BranchTrouble): string => {
  const who = [pod, container].filter(name => name !== undefined).join('/');
  return [who, reason, message].filter(words => words !== undefined && words !== '').join(': ');
};
