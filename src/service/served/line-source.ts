import type {FileHandle} from 'node:fs/promises';
import type {Deps} from '#service/backend/backend.ts';
import type {LineSink} from '#service/window/line-sink.ts';
import type {StateStore} from '#service/window/state-store.ts';
import type {LineFormat} from '#service/window/stored-state.ts';

/**
 * The source of one pod's lines. A source passes its lines to the sink; the sink handles stamps, windows, arrival
 * numbers and the state, the same way for every source. A new kind is a file that exports a `LineSourceKind`, and a row
 * in `line-sources.ts`.
 */
export type LineSource = {
  /** Opens what was read before a restart. Called once, before the first turn. */
  start(): Promise<void>;
  /** Looks for new places to read from, such as files. Rare enough to take little of the time. */
  scan?(): Promise<void>;
  /** Passes new lines to the sink. Returns whether there is more to read at once. Turns of a branch never overlap. */
  turn(): Promise<boolean>;
  /**
   * Returns the folders in which a change may mean new lines. A source without them gets a turn every second, because
   * it may have to act without a change, such as to restart a command.
   */
  folders?(): ReadonlySet<string>;
  /** Whether a turn is needed soon though nothing changes: what came last is shown after a wait. */
  isWaiting?(): boolean;
  /** Says how it ended, if nothing more can come and all of it was passed on. */
  outcome?(): string | undefined;
  /** Says what cannot be read now, and why; undefined if all can. */
  unreadable?(): string | undefined;
  /** Stops everything that the source started. No turn is running then, and none follows. */
  close(): Promise<void>;
};

/**
 * Returns the names in a folder that were made, removed or moved since a moment, in order, each as often as that
 * happened; undefined if the system may not have told all.
 */
export type RenamesSince = (folder: string) => Promise<readonly string[] | undefined>;

/** Passed to a source when its branch opens. */
export type LineSourceContext = Omit<Deps, 'random'> & {
  readonly podName: string;
  /** The pod's key in the state. */
  readonly podKey: number;
  /** True until the pod's first window has been looked for: `sink.store({startedPodKeys: [podKey]})` ends that. */
  readonly isNew: boolean;
  /** The pod's share of the first window, in lines. */
  readonly firstLines: number;
  /** Returns where reading of a file begins, in place of its share: the offset of a line's first byte. */
  readonly beginsAt?: ((handle: FileHandle, path: string) => Promise<number>) | undefined;
  /** Who reads the lines has named their files: messages name no pod, and each file that cannot be read is missed. */
  readonly isOpened?: boolean | undefined;
  readonly windowLines: number;
  readonly sink: LineSink;
  readonly store: StateStore;
  /** Requests a turn soon, or at once if what the source reads is held up until then. */
  readonly wake: (options?: {readonly isHeldUp?: boolean}) => void;
  /** Returns a function that reports renames from now on. */
  readonly markRenames: () => RenamesSince;
  /** How long a file that was moved away must be quiet before it is closed, in milliseconds. */
  readonly rotationGraceMs: number;
  /** Gives a message each time, even if it was given before. */
  readonly warnAlways: (message: string) => void;
};

/** A configured source, ready to open. As JSON it has all of its settings: a reload compares them. */
export type LineSourceSetup = {
  /** The key that selected it; the pod's record names it. */
  readonly kind: string;
  /** The format of its lines; undefined: determined by the first lines. */
  readonly format?: LineFormat | undefined;
  /** It reads several files, and lines that say no stream are named by theirs. */
  readonly hasFiles?: boolean | undefined;
  open(context: LineSourceContext): LineSource;
};

/** A pod's table in the configuration. Every method throws an error that names file, line and key. */
export type PodTable = {
  text(key: string): string | undefined;
  texts(key: string): readonly string[] | undefined;
  flag(key: string): boolean | undefined;
  integer(key: string, min: number, max: number): number | undefined;
  choice<Word extends string>(key: string, words: readonly Word[]): Word | undefined;
  /** Returns the unparsed value; undefined if the key is missing. */
  raw(key: string): unknown;
  fail(key: string, sentence: string): never;
  /** Returns the location of a key, for messages. */
  where(key: string): string;
};

/** The base of relative paths in the configuration. */
export type ConfiguredPaths = {
  /** The configuration file's folder, absolute. */
  readonly folder: string;
  /** Folders whose files are read and linked to whoever owns them, absolute. */
  readonly roots: readonly string[];
  /** Makes a path absolute. Throws an error that names `key`, the key in the pod's table that has the path. */
  resolve(path: string, pod: PodTable, key: string): string;
};

/** A kind of source: the key that selects it in a pod's table, and how its settings are read. */
export type LineSourceKind = {
  readonly key: string;
  /** Description of the key for messages: `the log files of the pod`. */
  readonly gives: string;
  /** Further keys of a pod that belong to this kind only. */
  readonly otherKeys: readonly string[];
  /** Called only if `key` is set. */
  read(pod: PodTable, paths: ConfiguredPaths): LineSourceSetup;
};
