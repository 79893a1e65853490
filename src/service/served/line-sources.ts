import {commandSource} from '../command/command-source.ts';
import {fileSource} from '../files/file-source.ts';
import {journaldSource} from '../journald/journald-source.ts';
import type {LineSourceKind} from '../line-source.ts';

/** The kinds of line source that a pod of `branchlog serve` can have. */
export const lineSources: readonly LineSourceKind[] = [fileSource, commandSource, journaldSource];
