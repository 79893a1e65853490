import {constants} from 'node:fs';
import {open, stat} from 'node:fs/promises';
import {describeError} from '../../errors/describe-fault.ts';
import {KubeError} from '../client/kube-client.ts';

/** A text of the settings. */
export type KeptText = {
  /** Names key and file in messages. */
  readonly title: string;
  /** Reads a file again only if it has changed, or if `isForced`. Throws a `KubeError` of kind `auth`. */
  read(isForced: boolean): Promise<string>;
};

/** Bundles of certificates of whole systems are smaller. */
const textBytesMax = 1024 * 1024;

export const createFixedText = (title: string, text: string): KeptText => ({title, read: async () => text});

/** Creates a text that is read from a small file which may be replaced at any time, as tokens are. */
export const createFileText = (title: string, path: string): KeptText => {
  let known: {readonly stamp: string; readonly text: string} | undefined;
  const read = async (isForced: boolean): Promise<string> => {
    const {dev, ino, size, mtimeNs} = await stat(path, {bigint: true});
    const stamp = `${dev}:${ino}:${size}:${mtimeNs}`;
    if (known?.stamp !== stamp || isForced) {
      known = {stamp, text: await readSmallFile(path)};
    }
    return known.text;
  };
  return {
    title,
    read: isForced =>
      read(isForced).catch((error: unknown) => {
        throw new KubeError('auth', `${title}: the file ${path} cannot be read: ${describeError(error)}.`);
      }),
  };
};

/** Returns a file's text. Throws an error of the file system, or one that says that it is not a small file. */
export const readSmallFile = async (path: string): Promise<string> => {
  // Without O_NONBLOCK, opening a FIFO waits for a writer.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const {size} = await file.stat();
    if (size > textBytesMax) {
      throw new Error(`it has more than ${textBytesMax} bytes`);
    }
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
};
