import {ApiError, type ApiErrorKind, apiErrorKinds} from '#api/client/api-error.ts';
import type {Random} from '../../log/simulation/random.ts';

/** Every kind that ends a poll; `cancelled` ends none and is sent beside them, and after `ended`, the end of a recording, none is due. */
const [firstKind, ...otherKinds] = apiErrorKinds.filter(kind => kind !== 'cancelled' && kind !== 'ended');
const kinds: readonly [ApiErrorKind, ...ApiErrorKind[]] = [firstKind ?? 'network', ...otherKinds];

/** The client clamps what the service asks for to these, milliseconds. */
const retryAfterMsMin = 1000;
export const retryAfterMsMax = 600_000;

/** A poll may fail now and then, or for a while: mostly of one cause, as it is in an outage. */
export type FaultSchedule = {
  /** The fault of this poll; undefined where it is answered. */
  next(): ApiError | undefined;
  /** From now on all polls are answered. */
  end(): void;
};

/** Makes a schedule of faults: half of the scenarios have few, the others are half down. */
export const createFaultSchedule = (random: Random): FaultSchedule => {
  const outageShare = random.pick([0, 0.01, 0.03, 0.1]);
  let isOver = false;
  let pollsDown = 0;
  let cause = kinds[0];
  return {
    next: () => {
      if (!isOver && pollsDown === 0 && random.chance(outageShare)) {
        pollsDown = random.pick([1, 1, 2, 3, 8]);
        cause = random.pick(kinds);
      }
      if (isOver || pollsDown === 0) {
        return undefined;
      }
      pollsDown -= 1;
      return createFault(random.chance(0.8) ? cause : random.pick(kinds), random);
    },
    end: () => {
      isOver = true;
    },
  };
};

const createFault = (kind: ApiErrorKind, random: Random): ApiError => {
  const asksToWait = (kind === 'tooManyRequests' || kind === 'server') && random.chance(0.4);
  return new ApiError(kind, `api.example.com: a fault of the kind ${kind}`, {
    retryAfterMs: asksToWait ? random.integer(retryAfterMsMin, retryAfterMsMax) : undefined,
  });
};
