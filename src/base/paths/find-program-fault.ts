import {lstat} from 'node:fs/promises';
import {resolve} from 'node:path';
import {errorCodeOf} from '#base/error-code.ts';
import {findDistrust} from '../system/find-distrust.ts';
import {resolveLinks} from '../system/resolve-path.ts';
import {ownUserId} from './open-trusted.ts';

/**
 * Says why a program must not be run: others may write to it, or it belongs to another user. Returns undefined if it
 * may be, and for a name without a slash, which is looked up in PATH. A missing program is no fault: starting it says
 * so. A relative path starts at `folder`.
 */
export const findProgramFault = async (program: string, folder: string): Promise<string | undefined> => {
  const userId = ownUserId();
  if (!program.includes('/') || userId === undefined) {
    return undefined;
  }
  const path = resolve(folder, program);
  try {
    const way = await resolveLinks(path);
    const stat = await lstat(way.realPath, {bigint: true});
    return await findDistrust({...way, path, stat}, {userId});
  } catch (error) {
    const code = errorCodeOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `cannot be examined (${code})`;
  }
};
