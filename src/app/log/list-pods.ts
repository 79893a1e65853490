import type {Branch} from '#api/client/answer.ts';
import type {PodsPane} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import {messageCharsMax, nameCharsMax} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import type {LogState} from '#app/state/state.ts';
import {podId, type SeenPod} from '#app/tail/branch-changes.ts';
import {imageOf} from '#app/words/branch-labels.ts';
import {troubleWords} from '#app/words/describe-status.ts';
import {formatLength, formatMoment, serviceNowMs} from '#app/words/format-time.ts';
import {isTable} from '#base/table.ts';
import {formatClock, formatInstant, instantFromMs} from '#log/line/instant.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import type {HeldSource} from '#log/view/sources.ts';
import {countOf} from '#log/words/format-count.ts';
import {listSources} from './log-sources-pane.ts';

/** Each takes a few rows of a terminal; the branch's record has all. */
const troublesShownMax = 3;

/** Returns what keeps a branch's pods from working, the worst first, as rows that may be wider than the screen. */
export const troubleRows = ({troubles}: Pick<Branch, 'troubles'>): readonly ViewRow[] => {
  const more = troubles.length - troublesShownMax;
  return [
    ...troubles
      .slice(0, troublesShownMax)
      .map((trouble): ViewRow => [span(sanitiseWord(troubleWords(trouble), messageCharsMax), 'busy')]),
    ...(more > 0 ? [[span(`and ${countOf(more, 'trouble')} more`, 'dim')]] : []),
  ];
};

/** A pod of one of the log's branches. */
export type SourcedPod = SeenPod & {
  /** Unique in the log. */
  readonly key: string;
  /** The index of its branch in the log, from 0. */
  readonly source: number;
  /** Lines held of its containers, if the service reports who wrote a line. */
  readonly written: readonly HeldSource[];
};

/** Returns the pods of all branches: those that run, youngest first, then those that went, latest first. */
export const listPods = (log: LogState): readonly SourcedPod[] => {
  const listed = listSources(log);
  return log.sources
    .flatMap(({branch, tail}, source) =>
      tail.pods.map(
        (seen): SourcedPod => ({
          ...seen,
          key: `${source} ${podId(seen.pod)}`,
          source,
          written: listed.filter(({name}) => name.pod === seen.pod.name),
          // A pod of the first answer ran already with the image that the log was opened with.
          image: seen.cameAtMs === undefined ? imageOf(branch) : seen.image,
        }),
      ),
    )
    .toSorted((a, b) => order(a) - order(b));
};

/** Later than any time of creation, in milliseconds. */
const latestMs = 2 ** 52;

/** Pods that came without a time of creation are the youngest; gone ones come after all that run. */
const order = ({wentAtMs, pod, cameAtMs}: SourcedPod): number => {
  if (wentAtMs !== undefined) {
    return latestMs - wentAtMs;
  }
  const createdMs = Date.parse(pod.createdAt ?? '');
  return Number.isNaN(createdMs) ? -(cameAtMs === undefined ? 0 : latestMs + cameAtMs) : -createdMs;
};

/** Returns the pod whose record is open. */
export const openedPod = (pods: readonly SourcedPod[], {selectedKey, details}: PodsPane): SourcedPod | undefined =>
  details === undefined ? undefined : pods.find(({key}) => key === selectedKey);

/** `2 pods run, 1 went`, `2 files`; `word` names one. */
export const countPods = (pods: readonly SourcedPod[], word: string): string => {
  if (word === 'file') {
    return countOf(pods.length, word);
  }
  const goneCount = pods.filter(({wentAtMs}) => wentAtMs !== undefined).length;
  const runningCount = pods.length - goneCount;
  const running = `${countOf(runningCount, word)} ${runningCount === 1 ? 'runs' : 'run'}`;
  return goneCount === 0 ? running : `${running}, ${goneCount} went`;
};

/** A pod in words, safe to draw; empty where nothing is known. */
export type PodWords = {
  readonly name: string;
  /** `2 h`, or `went 14:11:40`; of a file `1,800 lines` */
  readonly age: string;
  /** `came 12:20:02`, or `after 3 days`; of a file that ended `ended 14:11:40` */
  readonly when: string;
  /** `ReplicaSet web-7f9c` */
  readonly owner: string;
  /** `php:8.2.14`, without the registry. */
  readonly image: string;
};

const dayMs = 24 * 60 * 60 * 1000;

export const podWords = (frame: Frame, {pod, cameAtMs, wentAtMs, image = '', written}: SourcedPod): PodWords => {
  if (frame.context.parts === 'none') {
    const lineCount = written.reduce((sum, each) => sum + each.lineCount, 0);
    return {
      name: sanitiseWord(pod.name, nameCharsMax),
      age: written.length === 0 ? '' : countOf(lineCount, 'line'),
      when: wentAtMs === undefined ? '' : `ended ${formatMoment(frame, wentAtMs)}`,
      ...{owner: '', image: ''},
    };
  }
  const createdMs = Date.parse(pod.createdAt ?? '');
  const bornMs = Number.isNaN(createdMs)
    ? cameAtMs === undefined
      ? undefined
      : cameAtMs + frame.clockOffsetMs
    : createdMs;
  const untilMs = wentAtMs === undefined ? serviceNowMs(frame) : wentAtMs + frame.clockOffsetMs;
  const length = bornMs === undefined ? '' : formatLength(Math.max(0, untilMs - bornMs));
  return {
    name: sanitiseWord(pod.name, nameCharsMax),
    ...(wentAtMs === undefined
      ? {age: length, when: bornMs === undefined ? 'age unknown' : `came ${formatTime(bornMs, untilMs)}`}
      : {age: `went ${formatMoment(frame, wentAtMs)}`, when: length === '' ? '' : `after ${length}`}),
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
  return isTable(owner) ? [owner.kind, owner.name].filter(word => typeof word === 'string').join(' ') : '';
};
