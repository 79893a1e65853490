import type {LogView} from '../../log/view/log-view.ts';
import type {Scope} from '../parts/scope.ts';
import type {Facts} from './facts.ts';
import type {Mark} from './state.ts';

/** What is to be saved, and where. */
export type SaveRequest = {
  /** The lines as they were received, or a note about them. */
  readonly what: 'lines' | 'incident';
  /** As it was typed. */
  readonly path: string;
  /** A file that is there already is replaced. */
  readonly replaces: boolean;
  readonly scope: Scope;
  readonly facts: Facts;
  /** Lines that were marked, and the whole log that they stand in; for a note. */
  readonly marks: readonly Mark[];
  readonly all: LogView;
};

/** What became of it. Sentences name no secret. */
export type SaveOutcome =
  | {readonly kind: 'saved'; readonly sentence: string}
  | {readonly kind: 'failed'; readonly sentence: string}
  /** A file is there already, and nothing was touched. */
  | {readonly kind: 'exists'};

export type PipeRequest = {
  /** The user's pager, or a command for `/bin/sh -c`. */
  readonly to: {readonly kind: 'pager'} | {readonly kind: 'command'; readonly command: string};
  readonly scope: Scope;
};

/** Hands parts of a log on: to files and to other programs. Whatever goes wrong is told in a sentence; nothing rejects. */
export type Exporter = {
  /** `progress` is told now and then how much is done, 0 to 1. Aborted, it leaves nothing behind. */
  save(request: SaveRequest, signal: AbortSignal, progress: (share: number) => void): Promise<SaveOutcome>;
  /** Gives the terminal to a program until that ends. Answers with a sentence where there is something to tell. */
  pipe(request: PipeRequest): Promise<string | undefined>;
};
