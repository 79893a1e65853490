import type {LineSourceContext} from '#service/served/line-source.ts';
import type {StoredFile} from '#service/window/stored-state.ts';
import type {FilePod} from '../disk/named-files.ts';
import type {OpenFile} from '../disk/open-file.ts';

/**
 * A file that was followed when the service ended, or could not be read, and is no longer found under its name.
 * `isLast`: no later file had that name.
 */
export type Orphan = {readonly stored: StoredFile; readonly isLast: boolean};

export type PodFilesOptions = Omit<LineSourceContext, 'podName' | 'wake' | 'now' | 'warnAlways'> & {
  readonly pod: FilePod;
  readonly openFile: OpenFile;
};
