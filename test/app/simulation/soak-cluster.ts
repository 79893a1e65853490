import type {LineBuffer} from '#log/buffer/buffer.ts';
import type {BranchLog} from '#log/ingest/branch-log.ts';
import type {Entry, GapMarker} from '#log/line/entry.ts';
import {judgeScenario} from '../../log/simulation/judge-scenario.ts';
import {notYetHeldBy} from '../../log/simulation/not-yet-held.ts';
import type {Random} from '../../log/simulation/random.ts';
import {type ClusterFamily, startRandomCluster} from '../../log/simulation/random-cluster.ts';
import type {ClusterLook} from '../../log/simulation/simulated-cluster.ts';
import {createWatch} from '../../log/simulation/watch-looks.ts';
import {answerOf, assert, checkBuffer, entriesIn, type SoakBranch} from './soak-branch.ts';

export type SoakClusterOptions = {
  readonly random: Random;
  readonly family: ClusterFamily;
  readonly checksEachStep: boolean;
};

/** More may happen where nobody asks for long, but a window is small. */
const eventsPerPollMax = 4;

/** A branch that is served by a random cluster, and judged by what that knows. */
export const createSoakCluster = ({random, family, checksEachStep}: SoakClusterOptions): SoakBranch => {
  const {cluster, happen, trickle, poll} = startRandomCluster(random, family, {
    mayHeedAfter: false,
    without: notYetHeldBy(family),
  });
  const {options, arrived, removed} = cluster;
  let watch = createWatch();
  let gaps: ReadonlyMap<number, GapMarker> = new Map();
  let asked: ClusterLook | undefined;
  let isCalm = false;

  /** On screens only what is new is known of: a gap that grew keeps its number. */
  const withGrownGaps = (added: readonly Entry[], buffer: LineBuffer): readonly Entry[] => {
    const before = gaps;
    gaps = new Map(entriesIn(buffer).flatMap(entry => (entry.kind === 'gap' ? [[entry.id, entry]] : [])));
    const known = new Set(added.map(({id}) => id));
    // One that was told of again is put in its place, also where its range was so wide that it stays.
    const grown = [...gaps.values()].filter(gap => {
      const old = before.get(gap.id);
      return old !== undefined && old !== gap && !known.has(gap.id);
    });
    return [...added, ...grown.map(gap => ({...gap, grows: true}))];
  };

  const judge = ({buffer}: BranchLog): void => {
    const held = entriesIn(buffer).filter(entry => entry.kind === 'line');
    const judged = judgeScenario(watch.end({options, arrived, removed, held, floor: buffer.evictedThrough}));
    const [fault] = [...judged.faults, ...judged.falseGaps];
    assert(fault === undefined, () => `${fault}`);
  };

  return {
    advance: () => {
      for (let count = random.integer(0, isCalm ? 1 : eventsPerPollMax); count > 0; count--) {
        if (isCalm) {
          trickle();
        } else {
          happen();
        }
      }
    },
    answer: () => {
      poll();
      asked = cluster.looks.at(-1) ?? cluster.lookNow();
      return {answer: answerOf(asked.window), lineCount: asked.shown.length, isLagging: asked.isLagging};
    },
    stale: () => answerOf({lines: cluster.looks.at(-1)?.window.lines ?? [], pods: []}),
    taken: (added, log) => {
      if (asked === undefined) {
        return;
      }
      watch.take(asked, withGrownGaps(added, log.buffer), {
        wholeSince: () => log.wholeSince,
        proof: () => log.proof,
      });
      checkBuffer(log.buffer);
      if (checksEachStep) {
        judge(log);
      }
    },
    open: () => {
      watch = createWatch();
      gaps = new Map();
    },
    close: judge,
    calmDown: () => {
      isCalm = true;
    },
    recover: () => {},
    describe: () => {
      const {cut, show, tickNanos} = options;
      const size = JSON.stringify({...cut, spanNanos: undefined});
      return `a random cluster, ${family}, windows cut by ${size}, shown by ${show}, clock of ${tickNanos} ns`;
    },
  };
};
