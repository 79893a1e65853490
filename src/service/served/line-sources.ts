import {commandSource} from '#service/command/command-source.ts';
import {fileSource} from '#service/files/file-source.ts';
import {journaldSource} from '#service/journald/journald-source.ts';
import type {LineSourceKind} from '#service/line-source.ts';

/** The kinds of line source that a pod of `branchlog serve` can have. */
export const lineSources: readonly LineSourceKind[] = [fileSource, commandSource, journaldSource];
