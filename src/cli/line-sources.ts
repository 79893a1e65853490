import {commandSource} from '#service/command/command-source.ts';
import {journaldSource} from '#service/command/journald-source.ts';
import {fileSource} from '#service/files/file-source.ts';
import type {LineSourceKind} from '#service/served/line-source.ts';

/** The kinds of line source that a pod of `branchlog serve` can have. */
export const lineSources: readonly LineSourceKind[] = [fileSource, commandSource, journaldSource];
