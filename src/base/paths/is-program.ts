import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {delimiter, resolve, sep} from 'node:path';

/** Whether there is a program of this name that may be run, as a shell looks for it. `path`: folders, as in PATH. */
export const isProgram = async (name: string, path: string | undefined): Promise<boolean> => {
  const folders = name.includes(sep) ? [''] : (path ?? '').split(delimiter);
  const found = await Promise.allSettled(
    folders.map(async folder => {
      const place = resolve(folder, name);
      await access(place, constants.X_OK);
      // A folder may be "run", too.
      return (await stat(place)).isFile();
    }),
  );
  return found.some(each => each.status === 'fulfilled' && each.value);
};
