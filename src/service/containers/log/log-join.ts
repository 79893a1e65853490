import type {LogLine} from '../log-lines.ts';
import {rememberedNs, type SeenComparison, type SeenLines} from './seen-lines.ts';

/**
 * Text of lines held of one read until it is proven, in characters: many times what comes in the seconds that a proof
 * takes. What a container writes faster is shown after a hole.
 */
const heldCharsMax = 1024 * 1024;

type LogJoinOptions = {
  /** There is nothing to join, so all lines are new. */
  readonly isFirst: boolean;
  /** The read begins long before the last line seen: what does not fit before a proof is old, or comes after a hole. */
  readonly isFarBack?: boolean;
};

/** Begins a read. */
export const createLogJoin = (seen: SeenLines, {isFirst, isFarBack = false}: LogJoinOptions) => {
  let compare: SeenComparison | undefined = isFirst ? undefined : seen.compare();
  let isJoined = isFirst;
  let end = seen.last();
  let held: LogLine[] = [];
  let heldChars = 0;
  let newCount = 0;

  const accept = (line: LogLine, taken: LogLine[]): void => {
    if (seen.isRepeat(line)) {
      return;
    }
    seen.add(line);
    newCount += 1;
    taken.push(line);
  };

  const dropHeld = (): readonly LogLine[] => {
    const lines = held;
    held = [];
    heldChars = 0;
    return lines;
  };

  const dropOldest = (): void => {
    let start = 0;
    while (heldChars > heldCharsMax) {
      heldChars -= held[start]?.line.length ?? heldChars;
      start += 1;
    }
    held = held.slice(start);
  };

  /** The last line seen came: unknown lines before it were skipped by the stream that should have brought them. */
  const prove = (taken: LogLine[]): void => {
    isJoined = true;
    compare = undefined;
    for (const line of dropHeld()) {
      // Others are from before the first read, or from before the node's clock was set back.
      if (seen.remembers(line.stamp)) {
        seen.addAfter(line);
        newCount += 1;
        taken.push(line);
      }
    }
  };

  const takeLine = (line: LogLine, taken: LogLine[]): void => {
    const relation = compare?.(line) ?? 'unknown';
    if (isJoined) {
      if (relation === 'unknown') {
        accept(line, taken);
      }
      if (compare && end && line.stamp > end.stamp + rememberedNs) {
        compare = undefined;
      }
    } else if (relation === 'last') {
      prove(taken);
    } else if (relation === 'unknown') {
      held.push(line);
      heldChars += line.line.length;
      if (isFarBack && heldChars > 2 * heldCharsMax) {
        dropOldest();
      }
    }
  };

  return {
    /**
     * Takes the read's next lines. Returns those that are new for certain and adds them to the lines seen: none before
     * the read is joined.
     */
    take: (lines: readonly LogLine[]): readonly LogLine[] => {
      const taken: LogLine[] = [];
      for (const line of lines) {
        takeLine(line, taken);
      }
      return taken;
    },
    /** The last line seen has come again, or `settle` was called: all that follows is new. */
    isJoined: (): boolean => isJoined,
    /** Joins the read on other grounds. Returns the lines held that are not among those brought meanwhile. */
    settle: (brought: readonly LogLine[]): readonly LogLine[] => {
      const taken: LogLine[] = [];
      const lines = dropHeld();
      compare = seen.compare(brought);
      end = seen.last();
      isJoined = true;
      for (const line of lines) {
        takeLine(line, taken);
      }
      return taken;
    },
    /** Lines held that are not known. */
    heldCount: (): number => held.length,
    firstHeld: (): string | undefined => held[0]?.line,
    isOverfull: (): boolean => !isFarBack && heldChars > heldCharsMax,
    /** Lines returned so far. */
    newCount: (): number => newCount,
  };
};

/** How one read of a container's log joins the lines seen so far. */
export type LogJoin = ReturnType<typeof createLogJoin>;
