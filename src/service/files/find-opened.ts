import {type BigIntStats, createReadStream} from 'node:fs';
import {type FileHandle, readdir, stat} from 'node:fs/promises';
import {basename, dirname, join, resolve, sep} from 'node:path';
import {Readable} from 'node:stream';
import {isProgram} from '#base/system/programs.ts';
import {describeError, hasErrorCode, ServiceError} from '#service/backend/errors.ts';
import {runCommand} from '#service/command/run-command.ts';
import {describeKind, type FileKind, findFileKind} from './disk/file-kind.ts';
import {findFiles, identifyFile, namesOfPath} from './disk/find-files.ts';
import {createFileOpener, type FileScope} from './disk/open-file.ts';
import {followFiles} from './file-source.ts';
import {type CompressedKind, decompressFile} from './follow/decompress-file.ts';
import type {FileReading, OpenedSource} from './opened/opened-pods.ts';
import {blocksOf, feedOfDecompressor, feedOfStream, readStream} from './opened/stream-source.ts';
import {type BeginsAt, isWritten, readBlocks, readHead, unpackStream} from './read-plain.ts';
import {findNeighbours, sortRotated} from './rotated-files.ts';

/**
 * Files that are sources of their own, at most: as many as are followed of a pod. What more match a pattern are one
 * source, of which the newest are followed.
 */
const filesMax = 1024;

/**
 * Files that are put in order as they are read, at most: of each, up to a megabyte of lines waits for those of others.
 */
const mergedFilesMax = 32;

/** Whether lines of several files have to be put in order. */
export const hasSeveralFiles = (sources: readonly OpenedSource[]): boolean =>
  sources.length > 1 || sources.some(({setup}) => setup.hasFiles);

/** A file that is read once, to its end, with its first bytes; `isPlain`: its lines are as they were written. */
export type ReadFile = Pick<OpenedSource, 'name' | 'kind'> &
  FileReading & {readonly head: Buffer; readonly isPlain: boolean};

/** Returns how to read these once; undefined: they are too many, or some have more to be read than one file. */
export const readOnce = async (sources: readonly OpenedSource[]): Promise<readonly ReadFile[] | undefined> => {
  if (sources.length > mergedFilesMax) {
    return undefined;
  }
  const found = await Promise.all(
    sources.map(async ({name, kind, reading}) => {
      const head = reading && (await readHead(reading.peek()));
      return reading && head && {...reading, name, kind, head, isPlain: isWritten(head)};
    }),
  );
  return found.every(each => each !== undefined) ? found : undefined;
};

export type OpenWishes = {
  /** Paths, patterns, folders, and `-` for standard input. */
  readonly words: readonly string[];
  /** The program and its arguments; empty if there is none. */
  readonly command: readonly string[];
  /** Also what was rotated away from these files. */
  readonly withRotated: boolean;
  /** Which files may be read; as it is, all that are named. */
  readonly scope?: FileScope;
  readonly stdin: Readable;
};

type Unnamed = Omit<OpenedSource, 'name'> & {
  /** Its path, or what stands for it. */
  readonly path: string;
};

/** Decompressors that Node lacks, by the kind of file. */
const programs: Readonly<Partial<Record<FileKind, string>>> = {xz: 'xz', bzip2: 'bzip2'};

/**
 * Finds what is named on a command line. Throws a `ServiceError` that says what is wrong with a name, before anything
 * is read.
 */
export const findOpened = async ({
  words,
  command,
  withRotated,
  scope = 'named',
  stdin,
}: OpenWishes): Promise<readonly OpenedSource[]> => {
  const found: Unnamed[] = [];
  const seen = new Set<string>();
  /** A file among others that this user may not read: it is reported as unreadable, and followed once it can be. */
  const refusals: ServiceError[] = [];
  const refuse = (error: unknown): string => {
    if (!(error instanceof ServiceError) || !isForbidden(error.cause)) {
      throw error;
    }
    refusals.push(error);
    return describeError(error.cause);
  };
  const addFile = async (path: string): Promise<void> => {
    const there = await stat(path, {bigint: true}).catch((error: unknown) => refuse(refusal(path, error)));
    if (typeof there === 'string') {
      found.push(leaveOut(path, there, scope));
      return;
    }
    const identity = identifyFile({device: there.dev, inode: there.ino});
    if (!seen.has(identity)) {
      seen.add(identity);
      const opened = await openPath(path, there, scope).catch((error: unknown) => {
        const why = refuse(error);
        return there.isDirectory() ? followLogs(path) : leaveOut(path, why, scope);
      });
      found.push(opened);
    }
    if (found.length > filesMax) {
      throw new ServiceError(
        `These are more than ${filesMax} files: name their folder, or put their pattern in quotes.`,
      );
    }
  };
  for (const word of words) {
    if (word === '-') {
      found.push({
        path: 'stdin',
        kind: 'live',
        setup: readStream('stdin', ({wake}) => feedOfStream(Readable.from(unpackStream(stdin)), wake)),
      });
      continue;
    }
    const paths = await expand(word);
    if (paths.length > filesMax) {
      found.push(follow(resolve(word), scope));
      continue;
    }
    for (const path of paths) {
      const rotated = withRotated ? await findRotatedOf(path) : [];
      for (const each of [...rotated, path]) {
        await addFile(each);
      }
    }
  }
  if (command.length > 0) {
    found.push(await openCommand(command));
  }
  if (refusals[0] && refusals.length === found.length) {
    throw refusals[0];
  }
  const names = shortNames(found.map(({path}) => path));
  return found.map(({path: _path, ...source}, index) => ({...source, name: names[index] ?? ''}));
};

const isForbidden = (error: unknown): boolean => hasErrorCode(error, 'EACCES', 'EPERM');

const refusal = (path: string, error: unknown): ServiceError =>
  new ServiceError(
    hasErrorCode(error, 'ENOENT', 'ENOTDIR')
      ? `There is no file ${path}.`
      : isForbidden(error)
        ? `No permission to read ${path}: run branchlog as a user who may read it, or ask for that permission.`
        : `${path} cannot be opened: ${describeError(error)}.`,
    {cause: error},
  );

/** Returns the files of a word: its own, or those that match it as a pattern. */
const expand = async (word: string): Promise<readonly string[]> => {
  const path = resolve(word);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isThere || !/[*?]/.test(word)) {
    return [path];
  }
  const files = await findFiles(path).catch((error: unknown) => {
    throw refusal(word, error);
  });
  if (files.length === 0) {
    throw new ServiceError(`No file matches ${word}.`);
  }
  return files.map(file => file.path);
};

/** Returns what rotation left of a file, the oldest first. */
const findRotatedOf = async (path: string): Promise<readonly string[]> => {
  const folder = dirname(path);
  await readdir(folder).catch((error: unknown) => {
    if (isForbidden(error)) {
      throw new ServiceError(
        `No permission to list the folder ${folder}, so what was rotated away from ${basename(path)} is unknown: leave out --rotated, or ask for permission to read the folder.`,
      );
    }
  });
  return sortRotated(await findNeighbours(path)).map(({found}) => found.path);
};

const openPath = async (path: string, there: BigIntStats, scope: FileScope): Promise<Unnamed> => {
  if (!there.isFile() && scope !== 'named') {
    throw new ServiceError(`${path} is no file.`);
  }
  if (there.isDirectory()) {
    return openFolder(path);
  }
  if (there.isFIFO()) {
    return {path, kind: 'live', setup: readStream('FIFO', ({wake}) => feedOfStream(createReadStream(path), wake))};
  }
  if (!there.isFile()) {
    throw new ServiceError(
      `${path} is a ${there.isSocket() ? 'socket' : 'device'}: branchlog opens files, folders, FIFOs, - and commands.`,
    );
  }
  const openFile = createFileOpener(scope);
  const file = await openFile(path).catch((error: unknown) => {
    throw refusal(path, error);
  });
  const kind = await findFileKind(file);
  if (kind === 'gzip' || kind === 'zstd') {
    const open = (wake: () => void) => feedOfStream(decompress(file, kind), wake);
    const reading = {path, names: {}, peek: () => decompressFile(file, kind), blocks: () => blocksOf(open)};
    return {path, kind: 'kept', setup: readStream(kind, ({wake}) => open(wake)), reading};
  }
  await file.close();
  const program = programs[kind];
  if (program !== undefined && scope !== 'named') {
    // A program would open what has the name by then.
    throw new ServiceError(`${path} is compressed with ${program}: unpack it first.`);
  }
  if (program !== undefined) {
    return openWith(program, path);
  }
  if (kind === 'binary' || kind === 'UTF-16') {
    throw new ServiceError(`${path} ${describeKind(kind)}: there are no lines to show.`);
  }
  const blocks = (beginsAt?: BeginsAt) => readBlocks(path, {device: there.dev, inode: there.ino}, scope, beginsAt);
  const reading = {
    path,
    names: namesOfPath(path),
    peek: () => blocks(),
    blocks,
    writtenAt: there.mtimeNs,
    size: Number(there.size),
  };
  return {...follow(path, scope), reading};
};

const follow = (path: string, scope: FileScope = 'named'): Unnamed => ({
  path,
  kind: 'files',
  setup: followFiles([path], undefined, scope),
});

/** Follows a file once this user may read it. */
const leaveOut = (path: string, why: string, scope: FileScope): Unnamed => ({
  ...follow(path, scope),
  refusal: `${path} cannot be read (${why}): it is left out.`,
});

/** Follows the logs of a folder. */
const followLogs = (path: string): Unnamed => ({...follow(join(path, '*.log')), path});

/** The stream closes the file. It reads on only when all that it has was taken, so that a fault drops nothing of it. */
const decompress = (file: FileHandle, kind: CompressedKind): Readable => {
  const blocks = async function* () {
    try {
      yield* decompressFile(file, kind);
    } finally {
      await file.close();
    }
  };
  return Readable.from(blocks());
};

const openWith = async (program: string, path: string): Promise<Unnamed> => {
  if (!(await isProgram(program, process.env.PATH))) {
    throw new ServiceError(`${path} is compressed with ${program}, which is not installed here.`);
  }
  const open = (wake: () => void) => feedOfDecompressor(program, path, wake);
  const read = () => blocksOf(open);
  return {
    path,
    kind: 'kept',
    setup: readStream(program, ({wake}) => open(wake)),
    reading: {path, names: {}, peek: read, blocks: read},
  };
};

const openFolder = async (path: string): Promise<Unnamed> => {
  const names = await readdir(path).catch((error: unknown) => {
    throw refusal(path, error);
  });
  const first = names.find(name => name.endsWith('.log') && !name.startsWith('.'));
  if (first === undefined) {
    const others = names.length === 0 ? 'it is empty' : `give a pattern, such as ${join(path, '*')}`;
    throw new ServiceError(`The folder ${path} has no file *.log: ${others}.`);
  }
  await stat(join(path, first)).catch((error: unknown) => {
    if (isForbidden(error)) {
      throw new ServiceError(
        `No permission to enter the folder ${path}, only to list it: run branchlog as a user who may enter it, or ask for that permission.`,
        {cause: error},
      );
    }
  });
  return followLogs(path);
};

const openCommand = async (command: readonly string[]): Promise<Unnamed> => {
  const [program = ''] = command;
  const folder = process.cwd();
  if (!(await isProgram(program, process.env.PATH))) {
    throw new ServiceError(`The command cannot be started: there is no program ${program}.`);
  }
  return {
    path: basename(program),
    kind: 'live',
    setup: readStream('command', ({wake, onErrorOutput}) =>
      runCommand({command, folder, kind: 'command', onChange: wake, onErrorOutput}),
    ),
  };
};

/** Returns for each path as many of its last parts as tell it from the others. */
export const shortNames = (paths: readonly string[]): readonly string[] => {
  const cut = (path: string, parts: number): string => path.split(sep).slice(-parts).join(sep);
  return paths.map((path, index) => {
    const depth = path.split(sep).length;
    const others = paths.filter((_, place) => place !== index);
    for (let parts = 1; parts < depth; parts += 1) {
      if (others.every(other => cut(other, parts) !== cut(path, parts))) {
        return cut(path, parts);
      }
    }
    // The same command, or standard input, may be named twice.
    const before = paths.slice(0, index).filter(other => other === path).length;
    return before === 0 ? path : `${path} ${before + 1}`;
  });
};
