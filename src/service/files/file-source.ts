import {basename, dirname, extname} from 'node:path';
import {describeError} from '#service/backend/errors.ts';
import type {
  ConfiguredPaths,
  LineSource,
  LineSourceContext,
  LineSourceKind,
  PodTable,
} from '#service/served/line-source.ts';
import type {LineFormat} from '#service/window/stored-state.ts';
import {createFileOpener, type FileScope} from './disk/open-file.ts';
import {followFile} from './follow/follow-file.ts';
import type {FollowContext} from './follow/rotation.ts';
import {finishStored} from './follow/succeed-file.ts';
import {createPodFiles} from './pod/create-pod-files.ts';
import type {FollowedFile} from './pod/followed-file.ts';
import {blankWords} from './read-plain.ts';
import {findRotatedFrom} from './rotated-files.ts';

/**
 * Groups files that have to be read one after the other: those of which one may be the predecessor or a copy of another
 * one, by their names. In each group they stay in order.
 */
export const groupLogs = <File extends Pick<FollowedFile, 'path'>>(
  files: readonly File[],
): readonly (readonly File[])[] => {
  const paths = new Set(files.map(({path}) => path));
  const logs = files.map((file, index) => {
    const log = findRotatedFrom(file.path, path => paths.has(path)) ?? file.path;
    return {file, index, name: basename(log)};
  });
  const groups: (typeof logs)[] = [];
  let stem: string | undefined;
  for (const log of logs.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    if (stem === undefined || !log.name.startsWith(stem)) {
      groups.push([]);
      stem = basename(log.name, extname(log.name));
    }
    groups.at(-1)?.push(log);
  }
  return groups.map(group => group.toSorted((left, right) => left.index - right.index).map(({file}) => file));
};

/** Groups of files read at a time: the disk and the system's threads have several things to do at once. */
const groupsMax = 16;

/** Turns a file may take in a row after it was truncated, before the next file gets its turn. Each turn is bounded. */
const passesMax = 2;

const formats: readonly LineFormat[] = ['container', 'plain'];

/** Everything read of the file up to its end is NUL bytes. */
const isBlank = ({print, stamps, partial}: FollowedFile): boolean =>
  print.tail.at(-1) === 0 && stamps.last === undefined && partial.length === 0;

type FileSettings = {readonly files: readonly string[]; readonly roots: FileScope};

const openFileSource = ({files, roots}: FileSettings, context: LineSourceContext): LineSource => {
  const {podName, sink, monotonicMs, rotationGraceMs, warn, warnAlways} = context;
  const openFile = createFileOpener(roots);
  const without = context.isOpened ? 'it is left out' : `pod ${podName} is served without it`;
  const pod = createPodFiles({...context, pod: {name: podName, without, files}, openFile});
  const follow: FollowContext = {pod, openFile, sink, monotonicMs, rotationGraceMs, warn: warnAlways};

  const readFile = async (file: FollowedFile): Promise<boolean> => {
    try {
      let hasMore = true;
      for (let pass = 0; pass < passesMax && hasMore; pass += 1) {
        hasMore = await followFile(file, follow);
      }
      pod.noteReadable(file);
      if (context.isOpened && !hasMore && isBlank(file)) {
        warn(blankWords(file.path));
      }
      return hasMore;
    } catch (error) {
      warn(`${file.path} cannot be read any further (${describeError(error)}): lines may be missing until it can be.`);
      await pod.interrupt(file, error);
      return false;
    }
  };

  return {
    start: pod.restore,
    scan: pod.scan,
    turn: async () => {
      await pod.openFound();
      for (const orphan of pod.takeOrphans()) {
        try {
          await finishStored(orphan, follow);
        } catch (error) {
          warn(
            `${orphan.stored.path} cannot be examined (${describeError(error)}): lines may be missing until it can be.`,
          );
        }
      }
      let hasMore = false;
      const groups = groupLogs([...pod.followed.values()]).values();
      const readGroups = async (): Promise<void> => {
        for (let group = groups.next(); !group.done; group = groups.next()) {
          for (const file of group.value) {
            const hasMoreHere = pod.followed.has(file.key) && (await readFile(file));
            hasMore ||= hasMoreHere;
          }
        }
      };
      await Promise.all(Array.from({length: groupsMax}, readGroups));
      sink.flush();
      return hasMore;
    },
    folders: pod.folders,
    isWaiting: () => pod.followed.values().some(({partial}) => partial.length > 0),
    unreadable: pod.unreadable,
    close: pod.close,
  };
};

const readPattern = (pod: PodTable, path: string, index: number, paths: ConfiguredPaths): string => {
  const key = `files[${index}]`;
  const whole = paths.resolve(path, pod, key);
  if (/[*?]/.test(dirname(path))) {
    pod.fail(key, '"*" and "?" may stand in the last part of a path only, not in a folder');
  }
  return basename(whole) === '' || path.endsWith('/') ? pod.fail(key, 'expected a file, got a folder') : whole;
};

/**
 * Creates a source that follows these files. Paths are absolute; the last parts may contain `*` and `?`. `roots`:
 * what root opens of other users.
 */
export const followFiles = (files: readonly string[], format?: LineFormat, roots: FileScope = []) => ({
  kind: 'files',
  files,
  format,
  hasFiles: files.length > 1 || files.some(file => /[*?]/.test(file)),
  roots,
  open: (context: LineSourceContext) => openFileSource({files, roots}, context),
});

/** Log files, followed as they are written, rotated and truncated. */
export const fileSource: LineSourceKind = {
  key: 'files',
  gives: 'the log files of the pod',
  otherKeys: ['format'],
  read: (pod, paths) => {
    const files = (pod.texts('files') ?? []).map((path, index) => readPattern(pod, path, index, paths));
    return files.length === 0
      ? pod.fail('files', 'missing: give the log files of the pod')
      : followFiles(files, pod.choice('format', formats), paths.roots);
  },
};
