import type {FileHandle} from 'node:fs/promises';
import type {LineSourceContext} from '../../line-source.ts';
import type {StoredFile} from '../../state/stored-state.ts';
import type {FoundFile} from '../disk/find-files.ts';
import type {FilePod} from '../disk/named-files.ts';
import type {OpenFile} from '../disk/open-file.ts';
import type {FollowedFile} from './followed-file.ts';
import type {KnownFiles} from './known-files.ts';

/**
 * A file that was followed when the service ended, or could not be read, and is no longer found under its name.
 * `isLast`: no later file had that name.
 */
export type Orphan = {readonly stored: StoredFile; readonly isLast: boolean};

/** The files of one pod: followed ones, and released ones that are still known. */
export type PodFiles = {
  readonly podKey: number;
  /** In reading order: a rotated file before the one that took its name. */
  readonly followed: Map<number, FollowedFile>;
  /** Opens the files that were followed before a restart, under whatever name they have now. */
  restore(): Promise<void>;
  /** Finds new files, names that are gone, and files with something unread among those that are not followed. */
  scan(): Promise<void>;
  /** Opens what the last scan found. */
  openFound(): Promise<void>;
  /** Returns the folders of the files and of link targets, as of the last scan. */
  folders(): ReadonlySet<string>;
  /** Closes a file but remembers it. `hasEnded`: it was read to its end, and its name was free. */
  release(file: FollowedFile, options?: {readonly hasEnded?: boolean}): Promise<void>;
  /** Closes a file that could not be read. It is opened again; if it is gone before, it is an orphan. */
  interrupt(file: FollowedFile, error: unknown): Promise<void>;
  /** Records that a file could be read. */
  noteReadable(file: FollowedFile): void;
  /** Says which file cannot be read now, and why; undefined if all can. */
  unreadable(): string | undefined;
  /** Closes a file that is not text, and ignores it from now on. */
  skip(file: FollowedFile): Promise<void>;
  /** Goes on at the last window if more is unread than a window can hold. `handle`: where to read, if not its own. */
  skipBacklog(file: FollowedFile, handle?: FileHandle): Promise<void>;
  followedAs(found: Pick<FoundFile, 'device' | 'inode'>): FollowedFile | undefined;
  readonly known: KnownFiles;
  /** Follows a known file under its current name. Returns undefined if it cannot be opened or is another file. */
  takeUp(found: FoundFile, stored: StoredFile, isLast?: boolean): Promise<FollowedFile | undefined>;
  /** Returns the files that are gone before they were read to their end, and have no successor now, each once. */
  takeOrphans(): readonly Orphan[];
  /** Returns whether the configuration has this exact path, as opposed to a pattern that matches it. */
  isConfigured(path: string): boolean;
  /** Creates the identity of a file that is read without being followed. */
  createStored(found: FoundFile): Pick<StoredFile, 'key' | 'podKey' | 'path' | 'device' | 'inode'>;
  /** Returns whether a name is that of a log, and not one that rotation gave to another log of the pod. */
  isLive(path: string): boolean;
  /** Closes all files; their positions are in the state. */
  close(): Promise<void>;
};

export type PodFilesOptions = Omit<LineSourceContext, 'podName' | 'wake' | 'now' | 'warnAlways'> & {
  readonly pod: FilePod;
  readonly openFile: OpenFile;
};
