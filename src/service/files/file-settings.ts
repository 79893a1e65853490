import type {Instant} from '../../log/instant.ts';
import type {LineFormat} from './file-stamps.ts';

/** How a pod's lines are read. */
export type PodReading = {
  /** Undefined: each file's first lines tell. */
  readonly format?: LineFormat | undefined;
  /** `own`, the default: a plain line that was written before it was read keeps its own time. `read`: never. */
  readonly stamps?: 'own' | 'read' | undefined;
};

export type FilePod = PodReading & {
  readonly name: string;
  /** Absolute paths, the parts of which may hold `*` and `?`. */
  readonly files: readonly string[];
};

export type FileBranch = {
  readonly id: string;
  readonly name: string;
  /** null: not built out. */
  readonly status: string | null;
  /** Further fields of the branch record, as they are served. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly pods: readonly FilePod[];
};

export type FileSite = {readonly id: string; readonly branches: readonly FileBranch[]};

export type FileBackendOptions = {
  readonly sites: readonly FileSite[];
  /** Lines a window holds, over all pods of a branch or, with `windowPerPod`, of each. */
  readonly windowLines: number;
  readonly windowPerPod: boolean;
  /** What pods do that say nothing of stamps. */
  readonly stamps?: PodReading['stamps'];
  /** Folder of the embedded database; made where it is missing. */
  readonly stateFolder: string;
  /** The clock that stamps lines. */
  readonly now: () => Instant;
  /** Milliseconds on a clock that is never set, for waits. */
  readonly monotonicMs: () => number;
  /** Told once about each file that is missing or cannot be read, in a whole sentence. */
  readonly warn: (message: string) => void;
  /**
   * Pause between two looks at the files, in milliseconds. Where it is left out 200 after the system told of a change,
   * and a second otherwise.
   */
  readonly lookIntervalMs?: number;
  /** How long a file that was moved away must be quiet before it is let go, in milliseconds; 30 s where it is left out. */
  readonly rotationGraceMs?: number;
};
