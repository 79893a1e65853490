import {podStartLines, podStopLines} from '../lines/php-lines.ts';
import {secondMs} from '../seed/durations.ts';
import {momentOf, type Slice} from '../seed/log-source.ts';
import type {Roster} from '../seed/roster.ts';
import type {LogEvent} from './keep-together.ts';
import {spreadLines} from './spread-lines.ts';

/** Writes the messages of pods that start or stop within a slice. */
export const writePodLines = (slice: Slice, roster: Roster): readonly LogEvent[] => {
  const before = new Set(roster(slice.demoMs).map(pod => pod.name));
  const after = new Set(roster(slice.demoMs + secondMs).map(pod => pod.name));
  const say = (write: (atMs: number) => readonly string[]): LogEvent => {
    const offsetNs = slice.random.integer(0, 900_000_000);
    return spreadLines(slice.random, offsetNs, write(momentOf(slice, offsetNs)));
  };
  return [
    ...[...after].filter(name => !before.has(name)).map(() => say(podStartLines)),
    ...[...before].filter(name => !after.has(name)).map(() => say(podStopLines)),
  ];
};
