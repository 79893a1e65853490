import type {Scope} from '#app/parts/scope.ts';
import type {State} from '#app/state/state.ts';
import {type LineEntry, textOf} from '#log/line/entry.ts';
import type {SourcedEntry} from '#log/view/log-view.ts';

/** Whether the log was opened by its name: then the time before each line is ours, and no part of it. */
export const isAsWritten = ({context}: Pick<State, 'context'>): boolean => context.parts === 'none';

/** Returns a line as it leaves the program: as received, or as it was written where `asWritten` is set. */
export const originalLine = (line: LineEntry, asWritten: boolean | undefined): string =>
  asWritten === true ? textOf(line) : line.raw;

/** Formats the lines of a scope as they leave the program, and leaves out its markers. */
export const formatOriginal =
  ({asWritten}: Scope) =>
  ({entry}: SourcedEntry): string | undefined =>
    entry.kind === 'line' ? originalLine(entry, asWritten) : undefined;
