import type {Scope} from '#app/parts/scope.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import type {IncidentSource} from '#log/incident/verdict.ts';
import type {LogView} from '#log/view/log-view.ts';
import type {Facts} from './facts.ts';
import type {Mark} from './state.ts';

/** What to save, and where. */
export type SaveRequest = {
  /** The lines as received, or an incident note about them. */
  readonly what: 'lines' | 'incident';
  /** As typed. */
  readonly path: string;
  /** Replaces an existing file. */
  readonly replaces: boolean;
  readonly scope: Scope;
  readonly facts: Facts;
  /** The marked lines and the whole log around them; for a note. */
  readonly marks: readonly Mark[];
  readonly all: LogView;
  /** For a note: what is other than before, and whether a finding that is watched stopped, in words. */
  readonly incident?: IncidentReport | readonly IncidentSource[] | undefined;
  readonly watched?: string | undefined;
};

/** The outcome. Its sentences never contain a secret. */
export type SaveOutcome =
  | {readonly kind: 'saved'; readonly sentence: string}
  | {readonly kind: 'failed'; readonly sentence: string}
  /** The file already exists; nothing was changed. */
  | {readonly kind: 'exists'};

export type PipeRequest = {
  /** The user's pager, or a command for `/bin/sh -c`. */
  readonly to: {readonly kind: 'pager'} | {readonly kind: 'command'; readonly command: string};
  readonly scope: Scope;
};

/** Passes parts of a log to files and other programs. Failures are reported as a sentence; nothing rejects. */
export type Exporter = {
  /** Calls `progress` now and then with the share done, 0 to 1. If aborted, leaves no file behind. */
  save(request: SaveRequest, signal: AbortSignal, progress: (share: number) => void): Promise<SaveOutcome>;
  /** Gives the terminal to a program until it ends. Returns a sentence if there is something to report. */
  pipe(request: PipeRequest): Promise<string | undefined>;
};
