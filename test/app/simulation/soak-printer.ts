import {createTail, pollFailed, type Tail, windowArrived} from '#app/tail/tail.ts';
import {asEntries} from '#log/ingest/added.ts';
import {properties} from '../../log/simulation/properties.ts';
import {checkDelay} from './check-delay.ts';
import {openSoakBranch} from './open-soak-branch.ts';
import {assert} from './soak-branch.ts';
import {createFaultSchedule, retryAfterMsMax} from './soak-faults.ts';
import type {SoakPart, SoakPartOptions} from './soak-part.ts';

/** A log that is printed as it comes, without a screen: through the tail alone, in a time that only passes here. */
export const createSoakPrinter = ({random, clusterShare, checksEachStep}: SoakPartOptions): SoakPart => {
  const property = random.pick([printed, ...properties]);
  const branch = openSoakBranch({property, random, isLarge: random.chance(0.01), clusterShare, checksEachStep});
  const faults = createFaultSchedule(random);
  let tail: Tail = createTail({
    intervalMs: random.pick([250, 500, 2000, 10_000]),
    bufferBytesMax: property.allowed.bufferBytesMax ?? 1e9,
    keepsLateLines: property.keepsLateLines,
  });
  let nowMs = 0;
  let last = '';

  const poll = (): void => {
    const fault = faults.next();
    const moment = {nowMs, random: random.next()};
    if (fault !== undefined) {
      last = `a poll failed: ${fault.kind}`;
      const step = pollFailed(tail, fault, moment);
      assert(step.tail.log === tail.log && step.added.length === 0, () => 'a failed poll changed the log');
      checkDelay(step.nextPollInMs, fault, tail.pace.wantedMs);
      tail = step.tail;
      pass(step.nextPollInMs);
      return;
    }
    const {lineCount, isLagging, answer} = branch.answer();
    last = `a window of ${lineCount} lines${isLagging ? ', an older one' : ''}`;
    const step = windowArrived(tail, answer, moment);
    assert(step.tail.connection.kind === 'live', () => 'a good poll and the connection is not live');
    checkDelay(step.nextPollInMs, undefined, tail.pace.wantedMs);
    tail = step.tail;
    branch.taken(asEntries(step.added), tail.log);
    pass(step.nextPollInMs);
  };

  const pass = (ms: number): void => {
    nowMs += ms;
    branch.advance(ms);
  };

  return {
    step: () => {
      poll();
      return 1;
    },
    recover: () => {
      faults.end();
      branch.calmDown();
      const retryAtMs = tail.connection.kind === 'failing' ? tail.connection.retryAtMs : nowMs;
      assert(nowMs <= retryAtMs && retryAtMs - nowMs <= retryAfterMsMax, () => 'the next try is too far away');
      poll();
      branch.recover();
      for (let count = 0; count < recoveryPolls; count++) {
        poll();
      }
      branch.close(tail.log);
      return 1 + recoveryPolls;
    },
    describe: () => `printed; ${branch.describe()}; last: ${last}`,
  };
};

const recoveryPolls = 6;

const printed = properties.find(({keepsLateLines}) => keepsLateLines) ?? properties[0] ?? missing();

function missing(): never {
  throw new Error('there are no properties to check');
}
