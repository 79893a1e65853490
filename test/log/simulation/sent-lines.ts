import type {ClusterLine, ClusterLook} from './simulated-cluster.ts';

/** What a text of an answer was: a line, or the beginning of one that was still being written. */
export type Sent = {
  readonly lines: ReadonlyMap<string, ClusterLine>;
  readonly beginnings: ReadonlyMap<string, ClusterLine>;
  /** Beginnings with which more than one line of that time begins: nobody can tell which of them it was. */
  readonly sharedBeginnings: ReadonlySet<string>;
  /** The lines that an answer showed whole. */
  readonly whole: ReadonlySet<ClusterLine>;
};

/** What the texts of all answers were. Lines are written in more than one way where stamps change their precision. */
export const sentLines = (
  arrived: readonly ClusterLine[],
  looks: readonly Pick<ClusterLook, 'shown' | 'raws' | 'torn'>[],
): Sent => {
  const lines = new Map<string, ClusterLine>();
  const beginnings = new Map<string, ClusterLine>();
  const whole = new Set<ClusterLine>();
  for (const {shown, raws, torn} of looks) {
    for (const [index, line] of shown.entries()) {
      const raw = raws[index] ?? line.raw;
      // White space at its end makes no other line.
      if (torn.has(line) && textOf(raw).trimEnd() !== textOf(line.raw).trimEnd()) {
        beginnings.set(raw, line);
      } else {
        lines.set(raw, line);
        whole.add(line);
      }
    }
  }
  // What was read with one stamp while it was being written, and with more of it or whole with another, may keep the
  // first.
  const beginningsOf = Map.groupBy([...beginnings], ([, line]) => line);
  for (const texts of [lines, beginnings]) {
    for (const [raw, line] of [...texts]) {
      for (const [begun] of beginningsOf.get(line) ?? []) {
        texts.set(`${begun.slice(0, begun.indexOf(' '))} ${textOf(raw)}`, line);
      }
    }
  }
  const sharedBeginnings = new Set(
    [...beginnings].flatMap(([raw, line]) =>
      // However their stamps are written.
      arrived.some(other => other !== line && other.at === line.at && textOf(other.raw).startsWith(textOf(raw)))
        ? [raw]
        : [],
    ),
  );
  return {lines, beginnings, sharedBeginnings, whole};
};

const textOf = (raw: string): string => raw.slice(raw.indexOf(' ') + 1);
