import {type Instant, instantToMs} from '#log/line/instant.ts';
import type {HeldFrom} from '#log/line/unread.ts';
import type {Deps} from '#service/backend/backend.ts';
import type {ContainerLogs, ContainerPlace} from './container-logs.ts';
import type {AuditFinds} from './follow/audit-log.ts';
import type {OutOfReach} from './follow/read-pause.ts';
import type {LogInbox} from './log/log-read.ts';
import type {SeenLines} from './log/seen-lines.ts';
import type {LogLine} from './log-lines.ts';
import type {OpenQueue} from './open-queue.ts';

/** How far back a reader wants the log to be read at first, if that is more than its share of a window. */
export type FirstRead = {
  readonly since?: Instant | undefined;
  /** The last lines of each container. */
  readonly tailLines?: number | undefined;
};

export type FollowShared = Omit<Deps, 'now'> & {
  readonly logs: ContainerLogs;
  readonly queue: OpenQueue;
  readonly inbox: LogInbox;
  readonly finds: AuditFinds;
  readonly outOfReach: OutOfReach;
  readonly nowMs: () => number;
  readonly firstRead: FirstRead;
  /** The longest wait for first reads, milliseconds: they may be of files of 10 MB. */
  readonly firstReadMsMax: number;
  /** A first read is in when nothing more comes for this long, milliseconds. */
  readonly firstQuietMs: number;
};

export type FollowContainerOptions = FollowShared & {
  readonly place: ContainerPlace;
  /** The branch was followed before this container came. */
  readonly isLate: boolean;
  /** The lines seen of the container when it was followed before; empty at first. */
  readonly seen?: SeenLines | undefined;
  /** Lines of the container that are read at first. */
  readonly shareLines: number;
  /** Lines that can be held. */
  readonly linesMax: number;
  readonly onLines: (lines: readonly LogLine[]) => void;
  /** Lines may be missing between those given so far and the next ones. */
  readonly onHole: (why: string) => void;
  /** Lines of the log before `from`, or else before the first one given, are not read. */
  readonly onCutFront: (why: HeldFrom['why'], from?: Instant) => void;
  /** Its last lines may not have been read, and never will be. */
  readonly onUnread: () => void;
  readonly onClose: () => void;
};

/** The stream that a container is followed by. */
export type ContainerStream = {
  readonly asOf: ContainerPlace;
  /** It is the first one: nothing that was seen before proves whose lines it brings. */
  readonly isFirst: boolean;
  readonly beganMs: number;
  readonly openedMs: number | undefined;
  /** When a stream whose container ended is given up. */
  readonly overdueMs: number | undefined;
};

/** The watch may report a new pod this late, milliseconds. */
const watchLagMsMax = 20_000;
/** The clocks of a node and of the API server may differ by this much, milliseconds. */
export const clockSkewMsMax = 5_000;

/** Whether a stream may have been opened when the next pod of the same name already had the log. */
export const mayBeOfNext = (
  {
    isFirst,
    openedMs,
    firstStamp,
  }: ContainerStream & {
    /** Belongs to the first line that it brought. */
    readonly firstStamp: Instant | undefined;
  },
  {podCreatedAtMs}: ContainerPlace,
  nowMs: number,
): boolean =>
  isFirst &&
  (openedMs === undefined || nowMs - openedMs < watchLagMsMax) &&
  (firstStamp === undefined || instantToMs(firstStamp) >= podCreatedAtMs - clockSkewMsMax);

export const isSameState = (left: ContainerPlace, right: ContainerPlace): boolean =>
  left.instanceId === right.instanceId && left.restartCount === right.restartCount && left.state === right.state;

/** The log of one container, followed by one stream. */
export type FollowedContainer = {
  place(): ContainerPlace;
  setPlace(place: ContainerPlace): void;
  /** The pod is gone: the rest of its log is read, as far as there is any, in bounded time. */
  leave(): void;
  /** The pod is not gone after all. */
  stay(): void;
  /**
   * Another pod has the name now, and whoever asks gets its log. Returns what was seen if that may be lines of the new
   * pod: they may have come before the watch reported it.
   */
  handOver(next: ContainerPlace): SeenLines | undefined;
  readonly seen: SeenLines;
  /** Resolves when the first read has brought what there is, or has failed. */
  readonly firstRead: Promise<void>;
  /** Says why the log cannot be read now; undefined if it can. */
  failure(): string | undefined;
  /** It has ended, and the rest of its log may still be read. */
  isFinishing(): boolean;
  /** There is a log that may grow. */
  isLive(): boolean;
  /** Looks after the stream. Called about once a second. */
  tick(): void;
  isClosed(): boolean;
  close(): void;
};
