import {fstatSync, readFileSync, readlinkSync, statSync} from 'node:fs';
import {join} from 'node:path';

/** Flags of a file that is open for writing only, in octal, as Linux lists them. */
const writeOnly = /^flags:\s*0*[0-7]*1$/m;

/** GNU's nohup leaves a program /dev/null as standard input, open for writing only, so that no read can wait. */
const hasUnreadableInput = (): boolean => {
  try {
    return (
      readlinkSync('/proc/self/fd/0') === '/dev/null' && writeOnly.test(readFileSync('/proc/self/fdinfo/0', 'utf8'))
    );
  } catch {
    return false;
  }
};

const isSameFile = (descriptor: number, path: string): boolean => {
  try {
    const [open, named] = [fstatSync(descriptor, {bigint: true}), statSync(path, {bigint: true})];
    return open.ino === named.ino && open.dev === named.dev;
  } catch {
    return false;
  }
};

/**
 * Returns whether `nohup` started this process, which must then ignore SIGHUP. Node has reset the signal by the time it
 * could be asked, so what `nohup` does with the streams tells: it replaces those that are a terminal. Started with all
 * three redirected, nothing shows it.
 */
export const isUnderNohup = (homeFolder: string | undefined): boolean =>
  hasUnreadableInput() ||
  ['nohup.out', ...(homeFolder === undefined ? [] : [join(homeFolder, 'nohup.out')])].some(
    path => isSameFile(1, path) || isSameFile(2, path),
  );
