import {parseInstant} from '#log/line/instant.ts';
import {CallError, toCallError} from '#service/backend/errors.ts';
import type {SeenLines} from '../log/seen-lines.ts';
import {type LogLine, logLineBytesMax} from '../log-lines.ts';
import type {ReadStarter} from './read-pause.ts';

/** A stream that was silent this long may be dead, milliseconds: load balancers drop quiet connections from 20 s on. */
const auditAfterMs = 15_000;
/** 1,000 quiet containers then cost three or four requests a second. */
const auditPauseMsMax = 300_000;
/**
 * The first audit of a stream that follows another one comes at once, milliseconds: it begins by the time of the last
 * line, and where the node's clock was set back meanwhile, no new line may have reached that time.
 */
const auditReopenedMs = 500;
/** A stream that brought this many lines since its last audit would speak at least once a second. */
const talkativeLines = 15;
/** A line that an audit found may still be on its way, milliseconds. */
const graceMs = 1_000;
/** Bytes of the second look, which only needs one line that was never seen, after the last one seen. */
const probeBytesMax = 2 * logLineBytesMax;

/** The finds of all audits of a cluster: where one connection died in silence, others do. */
export type AuditFinds = {count: number};

/**
 * Creates the pace of one container: 15 s of silence, then pauses that grow to five minutes while no audit of the
 * cluster finds anything. A talkative stream that falls silent is suspicious at once.
 */
export const createAuditPace = (finds: AuditFinds, random: () => number) => {
  let pauseMs = auditAfterMs;
  let knownFinds = finds.count;
  let lines = 0;
  // Streams that were opened together are not audited together.
  let spread = 1 + random() / 5;
  return {
    /** Lines came. */
    noteLines: (count: number): void => {
      lines += count;
      if (lines >= talkativeLines) {
        pauseMs = auditAfterMs;
      }
    },
    isDue: (silentMs: number): boolean => {
      if (finds.count !== knownFinds) {
        knownFinds = finds.count;
        pauseMs = auditAfterMs;
      }
      return silentMs >= pauseMs * spread;
    },
    /** A stream has begun after lines that were seen, by a time that new lines may not have reached. */
    noteReopened: (): void => {
      pauseMs = auditReopenedMs;
      spread = 1 + random() / 5;
    },
    /** An audit found nothing: the next one comes later. */
    noteNothing: (): void => {
      pauseMs = Math.min(pauseMs * 2, auditPauseMsMax);
      spread = 1 + random() / 5;
      lines = 0;
    },
    /** An audit could not be made: the next one comes soon. */
    noteFailure: (): void => {
      pauseMs = auditAfterMs;
    },
  };
};

/** When to audit one stream. */
export type AuditPace = ReturnType<typeof createAuditPace>;

type AuditOptions = {
  readonly seen: SeenLines;
  readonly startRead: ReadStarter;
  readonly wait: (ms: number) => Promise<void>;
};

/**
 * Reads the log beside a silent stream. Resolves to whether there is a line that the stream has not brought, or might
 * have been in a file that was rotated away: the log is empty, although lines were read. Throws a `CallError` if the
 * log cannot be read: then nobody knows.
 */
const hasMissedLines = async ({seen, startRead, wait}: AuditOptions, mayBeEmpty: boolean): Promise<boolean> => {
  const readNewest = async (): Promise<LogLine | 'none' | undefined> => {
    let newest: LogLine | undefined;
    const front = {isCut: true, dropsFirst: false};
    const end = await startRead({tailLines: 1}, front, lines => {
      newest = lines.at(-1);
    }).ended;
    if (end.kind === 'failed') {
      throw end.error;
    }
    if (end.kind === 'fault' && !newest) {
      throw new CallError('body', end.sentence);
    }
    return newest ?? (end.kind === 'clean' ? (end.rest[0] ?? 'none') : undefined);
  };

  /** A line that looks new may be a piece of a long one. The whole line is found by time. */
  const readUnseen = async (sinceTime: string): Promise<LogLine | undefined> => {
    const compare = seen.compare();
    let isProven = false;
    /** Before the last line seen, only what the stream should have brought counts. */
    let older: LogLine | undefined;
    let unseen: LogLine | undefined;
    const front = {isCut: true, dropsFirst: false};
    const read = startRead({sinceTime, limitBytes: probeBytesMax}, front, lines => {
      for (const line of lines) {
        const relation = compare(line);
        isProven ||= relation === 'last';
        if (relation === 'unknown') {
          unseen ??= isProven || seen.remembers(line.stamp) ? line : undefined;
          older = line;
        }
      }
      if (unseen) {
        read.close();
      }
    });
    await read.ended;
    return unseen ?? (isProven ? undefined : older);
  };

  const newest = await readNewest();
  if (newest === 'none') {
    return seen.last() !== undefined && !mayBeEmpty;
  }
  if (!newest || seen.has(newest)) {
    return false;
  }
  const since = seen.since();
  if (since !== undefined && newest.stamp < (parseInstant(since) ?? 0n)) {
    seen.noteClockBack();
    return true;
  }
  const unseen = since === undefined ? newest : await readUnseen(since);
  if (!unseen) {
    return false;
  }
  await wait(graceMs);
  return !seen.has(unseen);
};

/** Creates an auditor of the streams of one container, one after the other. */
export const createAuditor = (
  options: AuditOptions & {readonly pace: AuditPace; readonly finds: AuditFinds; readonly monotonicMs: () => number},
) => {
  const {pace, finds, monotonicMs} = options;
  let isRunning = false;
  let auditedMs = Number.NEGATIVE_INFINITY;
  return {
    isRunning: (): boolean => isRunning,
    /** When the last audit ended; negative infinity before. */
    auditedMs: (): number => auditedMs,
    /**
     * Audits a stream. `mayBeEmpty`: the last line is known not to be in the log any more. Resolves to what was found;
     * to undefined if `isCurrent` says then that the stream has ended anyway.
     */
    run: async (
      mayBeEmpty: boolean,
      isCurrent: () => boolean,
    ): Promise<'missed' | 'nothing' | 'failed' | undefined> => {
      isRunning = true;
      const hasMissed = await hasMissedLines(options, mayBeEmpty).catch(toCallError);
      isRunning = false;
      auditedMs = monotonicMs();
      if (!isCurrent()) {
        return undefined;
      }
      if (hasMissed instanceof CallError) {
        pace.noteFailure();
        return 'failed';
      }
      if (!hasMissed) {
        pace.noteNothing();
        return 'nothing';
      }
      finds.count += 1;
      return 'missed';
    },
  };
};
