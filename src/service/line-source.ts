import type {Instant} from '../log/line/instant.ts';
import type {LineFormat} from './lines/stream-stamps.ts';
import type {LineSink} from './sink/line-sink.ts';
import type {StateStore} from './state/state-store.ts';

/**
 * Where the lines of one pod come from. A source gives its lines to the sink; stamps, windows, arrival numbers and the
 * state are the sink's, the same for every source. A new kind is a file that exports a `LineSourceKind`, and its row in
 * `line-sources.ts`.
 */
export type LineSource = {
  /** Opens what was read before a restart. Called once, before the first turn. */
  start(): Promise<void>;
  /** Looks for new places to read from, such as files. Takes at most one part in twenty of the time. */
  scan?(): Promise<void>;
  /** Gives new lines to the sink. Returns whether there is more to read at once. Turns of a branch never overlap. */
  turn(): Promise<boolean>;
  /** The folders in which a change may mean new lines. */
  folders?(): ReadonlySet<string>;
  /** Stops everything that the source started. No turn runs then, and none follows. */
  close(): Promise<void>;
};

/** What a source gets when its branch opens. */
export type LineSourceContext = {
  readonly podName: string;
  /** The pod's key in the state. */
  readonly podKey: number;
  /** True until the pod's first window has been looked for: `sink.store({startedPodKeys: [podKey]})` ends that. */
  readonly isNew: boolean;
  /** The pod's share of the first window, in lines. */
  readonly firstLines: number;
  readonly windowLines: number;
  readonly sink: LineSink;
  readonly store: StateStore;
  /** Asks for a turn soon. */
  readonly wake: () => void;
  /** How long a file that was moved away must be quiet before it is closed, in milliseconds. */
  readonly rotationGraceMs: number;
  readonly now: () => Instant;
  /** Milliseconds on a clock that is never set, for waits. */
  readonly monotonicMs: () => number;
  /** Says each message once. */
  readonly warn: (message: string) => void;
  /** Says a message every time. */
  readonly warnAlways: (message: string) => void;
};

/** A source as the configuration has it, ready to open. */
export type LineSourceSetup = {
  /** The key that chose it, which the pod's record names. */
  readonly kind: string;
  /** The format of its lines; undefined: the first lines tell. */
  readonly format?: LineFormat | undefined;
  open(context: LineSourceContext): LineSource;
};

/** A pod's table in the configuration. Every method throws an error that names file, line and key. */
export type PodTable = {
  text(key: string): string | undefined;
  texts(key: string): readonly string[] | undefined;
  flag(key: string): boolean | undefined;
  integer(key: string, min: number, max: number): number | undefined;
  choice<Word extends string>(key: string, words: readonly Word[]): Word | undefined;
  /** The value as it stands; undefined if the key is missing. */
  raw(key: string): unknown;
  fail(key: string, sentence: string): never;
  /** Where a key stands, for messages. */
  where(key: string): string;
};

/** Where a configuration's paths start. */
export type ConfiguredPaths = {
  /** The configuration file's folder, absolute. */
  readonly folder: string;
  /** A path made absolute. Throws an error that names `key`, the place in the pod's table that the path comes from. */
  resolve(path: string, pod: PodTable, key: string): string;
};

/** A kind of source: the key that chooses it in a pod's table, and how its settings are read. */
export type LineSourceKind = {
  readonly key: string;
  /** What the key gives, for messages: `the log files of the pod`. */
  readonly gives: string;
  /** Further keys of a pod that belong to this kind alone. */
  readonly otherKeys: readonly string[];
  /** Called only where `key` is set. */
  read(pod: PodTable, paths: ConfiguredPaths): LineSourceSetup;
};
