import {basename} from 'node:path';
import type {StoredFile} from '#service/window/stored-state.ts';
import {type Identified, identifyFile} from '../disk/find-files.ts';

/** A file that cannot be read now, though it is to be: reading goes on where it ended once it can. */
export type FileTrouble = {
  readonly path: string;
  readonly why: string;
  /** Since when, on the monotonic clock. */
  readonly sinceMs: number;
  /** The file that had its name before, if that has to be read first. */
  readonly predecessorKey: number | undefined;
  readonly bornNs: bigint | undefined;
  /** What was read of it. Undefined: readers miss nothing of it yet. */
  readonly stored: StoredFile | undefined;
};

export const createTroubledFiles = (monotonicMs: () => number) => {
  const troubles = new Map<string, FileTrouble>();
  return {
    /** Notes that a file could not be read. What is not given stays as it was. */
    note: (file: Identified & {readonly path: string}, more: Partial<FileTrouble>): void => {
      const identity = identifyFile(file);
      const first = {why: '', sinceMs: monotonicMs(), bornNs: undefined, predecessorKey: undefined, stored: undefined};
      troubles.set(identity, {...(troubles.get(identity) ?? first), path: file.path, ...more});
    },
    find: (file: Identified): FileTrouble | undefined => troubles.get(identifyFile(file)),
    forget: (file: Identified) => troubles.delete(identifyFile(file)),
    /** Forgets and returns those that are not among these identities. */
    takeGone: (identities: ReadonlyMap<string, unknown>): readonly FileTrouble[] => {
      const gone = [...troubles].filter(([identity]) => !identities.has(identity));
      for (const [identity] of gone) {
        troubles.delete(identity);
      }
      return gone.map(([, trouble]) => trouble);
    },
    /** Says which of them readers miss, and why; undefined if none. */
    describe: (isMissed: (trouble: FileTrouble) => boolean): string | undefined => {
      const [first, ...others] = [...troubles.values()].filter(isMissed);
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      return first && `${basename(first.path)}${more} cannot be read (${first.why})`;
    },
  };
};

/** The files of a pod that cannot be read now. */
export type TroubledFiles = ReturnType<typeof createTroubledFiles>;
