import {findDistrust, type Trust} from '../system/find-distrust.ts';
import {openRegular, type RegularFile} from '../system/open-regular.ts';
import {openChecked} from './open-checked.ts';

/** The user who runs this; undefined on a system without user ids. */
export const ownUserId = (): number | undefined => process.geteuid?.();

/**
 * Opens a file whose content is acted on, such as a config or a token: a regular file of the user's or root's that
 * nobody else may write to or replace. Never waits for a FIFO or a device. Throws a `PathError` or a file system error.
 */
export const openTrusted = (path: string, trust: Trust = {userId: ownUserId()}): Promise<RegularFile> =>
  // Without user ids, paths have drives, which no link is looked for in.
  trust.userId === undefined ? openRegular(path) : openChecked(path, found => findDistrust(found, trust));
