import {isJsonObject} from '#api/client/field-reader.ts';
import {nameCharsMax} from '#app/rows/word-limits.ts';
import type {State} from '#app/state/state.ts';
import {formatLength, formatMoment, serviceNowMs} from '#app/words/format-time.ts';
import {formatClock, formatInstant, instantFromMs} from '#log/line/instant.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import type {SourcedPod} from '../list-pods.ts';

/** A pod in words, safe to draw; empty where nothing is known. */
export type PodWords = {
  readonly name: string;
  /** `2 h`, or `went 14:11:40` */
  readonly age: string;
  /** `came 12:20:02`, or `after 3 days` */
  readonly when: string;
  /** `ReplicaSet web-7f9c` */
  readonly owner: string;
  /** `php:8.2.14`, without the registry. */
  readonly image: string;
};

const dayMs = 24 * 60 * 60 * 1000;

export const podWords = (state: State, {pod, cameAtMs, wentAtMs, image = ''}: SourcedPod): PodWords => {
  const createdMs = Date.parse(pod.createdAt ?? '');
  const bornMs = Number.isNaN(createdMs)
    ? cameAtMs === undefined
      ? undefined
      : cameAtMs + state.clockOffsetMs
    : createdMs;
  const untilMs = wentAtMs === undefined ? serviceNowMs(state) : wentAtMs + state.clockOffsetMs;
  const length = bornMs === undefined ? '' : formatLength(Math.max(0, untilMs - bornMs));
  return {
    name: sanitiseWord(pod.name, nameCharsMax),
    ...(wentAtMs === undefined
      ? {age: length, when: bornMs === undefined ? 'age unknown' : `came ${formatTime(bornMs, untilMs)}`}
      : {age: `went ${formatMoment(state, wentAtMs)}`, when: length === '' ? '' : `after ${length}`}),
    owner: sanitiseWord(ownerOf(pod.metadata.ownerReferences), nameCharsMax),
    image: sanitiseWord(image.slice(image.lastIndexOf('/') + 1), nameCharsMax),
  };
};

/** The time of day, with the date if that was more than a day ago. */
const formatTime = (ms: number, nowMs: number): string =>
  nowMs - ms < dayMs
    ? formatClock(instantFromMs(ms))
    : formatInstant(instantFromMs(ms)).slice('2026-'.length, '2026-11-21T14:11'.length).replace('T', ' ');

const ownerOf = (owners: unknown): string => {
  const owner: unknown = Array.isArray(owners) ? owners[0] : undefined;
  return isJsonObject(owner) ? [owner.kind, owner.name].filter(word => typeof word === 'string').join(' ') : '';
};
