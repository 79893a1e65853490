import {stat} from 'node:fs/promises';
import {readTrusted} from '#base/system/trusted-files.ts';
import {describeUnread} from '#service/backend/errors.ts';
import {KubeError} from '../kube-client.ts';

/** A text of the settings. */
export type KeptText = {
  /** Names key and file in messages. */
  readonly title: string;
  /** Reads a file again only if it has changed, or if `isForced`. Throws a `KubeError` of kind `auth`. */
  read(isForced: boolean): Promise<string>;
};

/** Bundles of certificates of whole systems are smaller. */
const textBytesMax = 1024 * 1024;

/** A file that was looked at a moment ago is not looked at again: thousands of logs are opened in that time. */
const probedAtMs = 1_000;

export const createFixedText = (title: string, text: string): KeptText => ({title, read: async () => text});

/** Creates a text that is read from a small file which may be replaced at any time, as tokens are. */
export const createFileText = (title: string, path: string): KeptText => {
  let known: {readonly stamp: string; readonly text: string; readonly atMs: number} | undefined;
  const read = async (isForced: boolean): Promise<string> => {
    const atMs = performance.now();
    if (known && !isForced && atMs - known.atMs < probedAtMs) {
      return known.text;
    }
    const {dev, ino, size, mtimeNs} = await stat(path, {bigint: true});
    const stamp = `${dev}:${ino}:${size}:${mtimeNs}`;
    const isSame = known?.stamp === stamp && !isForced;
    const text = isSame && known ? known.text : await readSmallFile(path);
    known = {stamp, text, atMs};
    return text;
  };
  return {
    title,
    read: isForced =>
      read(isForced).catch((error: unknown) => {
        throw new KubeError('auth', `${title}: the file ${describeUnread(path, error)}`, {cause: error});
      }),
  };
};

/** Returns a file's text. Throws a `PathError` if others may write to it, or it is large, or a file system error. */
export const readSmallFile = async (path: string): Promise<string> =>
  (await readTrusted(path, textBytesMax)).toString();
