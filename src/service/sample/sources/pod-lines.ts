import {secondMs} from '../durations.ts';
import {podStartLines, podStopLines} from '../lines/php-lines.ts';
import {type Draft, momentOf, type Slice} from '../log-source.ts';
import type {Roster} from '../roster.ts';
import {spreadLines} from './spread-lines.ts';

/** What the pods that come and go within a slice say of it. */
export const writePodLines = (slice: Slice, roster: Roster): readonly Draft[] => {
  const before = new Set(roster(slice.demoMs).map(pod => pod.name));
  const after = new Set(roster(slice.demoMs + secondMs).map(pod => pod.name));
  const say = (write: (atMs: number) => readonly string[]): readonly Draft[] => {
    const offsetNs = slice.random.integer(0, 900_000_000);
    return spreadLines(slice.random, offsetNs, write(momentOf(slice, offsetNs)));
  };
  return [
    ...[...after].filter(name => !before.has(name)).flatMap(() => say(podStartLines)),
    ...[...before].filter(name => !after.has(name)).flatMap(() => say(podStopLines)),
  ];
};
