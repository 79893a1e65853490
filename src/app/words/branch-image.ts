import type {Branch} from '#api/client/answer.ts';

/** Returns the application server's image and tag of a branch's record, as received; undefined if it names none. */
export const imageOf = ({appserverImage = '', appserverTag = ''}: Branch): string | undefined =>
  [appserverImage, appserverTag].filter(part => part !== '').join(':') || undefined;
