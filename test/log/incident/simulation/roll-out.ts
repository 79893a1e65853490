import type {BranchChange} from '#log/ingest/place-markers.ts';
import type {Pod} from '#log/ingest/pods.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {Random} from './random.ts';
import {type DrawnLine, instantOf, podOf} from './take-lines.ts';
import {sayAt, type Traffic, type Writer} from './traffic.ts';

/** Somebody who writes for a time. */
type Instance = {
  readonly pod: Pod;
  readonly source: SourceName;
  readonly from: number;
  readonly to: number;
  /** It is of the new version. */
  readonly isNew: boolean;
};

/** Pods that are replaced, one after the other. */
export type RollOut = {
  readonly instances: readonly Instance[];
  /** When the first new one begins. */
  readonly at: number;
  /** When the last old one is gone. */
  readonly until: number;
  /** Picks who writes at a second. */
  readonly writer: (second: number) => Writer;
  /** Picks one of the new ones. */
  readonly newWriter: (second: number) => Writer;
  /** What old and new ones say when they end and begin. */
  readonly lines: (traffic: Traffic) => readonly DrawnLine[];
  readonly podsAt: (second: number) => readonly Pod[];
  /** When answers came: while the pods were replaced, or only once it was all over. */
  readonly answers: readonly number[];
  readonly changes: readonly BranchChange[];
};

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixOf = (random: Random, length: number): string =>
  Array.from({length}, () => alphabet[random.whole(0, alphabet.length - 1)]).join('');

/** Replaces two to four pods from a second on: by a new ReplicaSet, or each under its own name. */
export const drawRollOut = (
  random: Random,
  {seconds, at}: {readonly seconds: number; readonly at: number},
): RollOut => {
  const app = random.pick(['api', 'web', 'shop-checkout'] as const);
  const keepsNames = random.chance(0.25);
  const container = random.chance(0.5) ? 'app' : undefined;
  const versions = random.chance(0.5) ? (['1.41.3', '1.42.0'] as const) : undefined;
  const hashes = [suffixOf(random, 10), suffixOf(random, 10)] as const;
  const step = random.between(8, 70);
  const count = random.whole(2, 4);
  const nameOf = (index: number, isNew: boolean): string =>
    keepsNames ? `${app}-${index}` : `${app}-${hashes[isNew ? 1 : 0]}-${suffixOf(random, 5)}`;
  const instanceOf = (index: number, isNew: boolean): Instance => {
    const name = nameOf(index, isNew);
    const began = at + index * step;
    // Under its own name, the old one ends before the new one begins.
    const ended = keepsNames ? began - random.between(1, 6) : began + random.between(3, 30);
    return {
      pod: podOf(name, isNew ? began - 2 : -86_400),
      source: {pod: name, container},
      ...{isNew, from: isNew ? began : Number.NEGATIVE_INFINITY, to: isNew ? Number.POSITIVE_INFINITY : ended},
    };
  };
  const instances = [false, true].flatMap(isNew => Array.from({length: count}, (_, index) => instanceOf(index, isNew)));
  const writerOf = ({source, isNew}: Instance): Writer => ({
    source,
    fields: versions && {version: versions[isNew ? 1 : 0]},
  });
  const aliveAt = (second: number): readonly Instance[] =>
    instances.filter(({from, to}) => second >= from && second < to);
  const until = Math.max(...instances.filter(({isNew}) => !isNew).map(({to}) => to));
  const seesIt = random.chance(0.65);
  return {
    ...{instances, at, until},
    writer: second => writerOf(random.pick(aliveAt(second))),
    newWriter: second => writerOf(random.pick(aliveAt(second).filter(({isNew}) => isNew))),
    lines: traffic =>
      instances.flatMap(instance => {
        const own = {...traffic, writer: () => writerOf(instance)};
        const {isNew, from, to} = instance;
        return isNew
          ? [
              sayAt(own, from, 'INFO', 'server started, listening on 8080'),
              sayAt(own, from + 0.7, 'INFO', 'migrations: none pending'),
            ]
          : [sayAt(own, to - 0.5, 'INFO', 'SIGTERM received, shutting down gracefully')];
      }),
    podsAt: second => instances.filter(({from, to}) => second >= from - 2 && second < to).map(({pod}) => pod),
    answers: [
      ...new Set([
        ...(seesIt
          ? [at * random.between(0.3, 0.9), at - 8, ...instances.flatMap(({from, to}) => [from + 1, to + 1])]
          : []),
        seconds,
      ]),
    ]
      .filter(Number.isFinite)
      .toSorted((a, b) => a - b),
    changes: random.chance(0.5)
      ? [
          {
            change: {kind: 'activity', action: 'DEPLOY_APPLICATION', status: 'SUCCESS', createdBy: 'user-9'},
            happenedAt: instantOf(at - random.between(5, 40)),
          },
        ]
      : [],
  };
};
