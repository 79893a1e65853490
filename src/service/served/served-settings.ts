import type {Surroundings} from '#service/surroundings/surroundings.ts';
import type {PodReading} from '#service/window/line-stamper.ts';
import type {LineSourceSetup} from './line-source.ts';

export type ServedPod = {
  readonly name: string;
  /** Undefined: same as for all pods. */
  readonly stamps?: PodReading['stamps'];
  readonly source: LineSourceSetup;
};

export type ServedBranch = {
  readonly id: string;
  readonly name: string;
  /** null: not built out. */
  readonly status: string | null;
  /** Further fields of the branch record, as served. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly pods: readonly ServedPod[];
};

export type ServedSite = {readonly id: string; readonly branches: readonly ServedBranch[]};

/** What is served. A reload can change it. */
export type ServedContent = {
  readonly sites: readonly ServedSite[];
  /** Lines in a window, over all pods of a branch or, with `windowPerPod`, of each. */
  readonly windowLines: number;
  readonly windowPerPod: boolean;
  /** For pods without a setting of their own. */
  readonly stamps?: PodReading['stamps'];
};

export type LineBackendOptions = ServedContent &
  Omit<Surroundings, 'random'> & {
    /** Folder of the embedded database; created if missing. */
    readonly stateFolder: string;
    /**
     * Pause between two looks at the sources, in milliseconds. By default 200 after a source reported a change,
     * otherwise ten seconds, or one if a source cannot report changes.
     */
    readonly lookIntervalMs?: number;
    /** How long a file that was moved away must be quiet before it is closed, in milliseconds; 30 s by default. */
    readonly rotationGraceMs?: number;
  };
