import {setNewest} from '#base/bounds.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {PodRecord} from '../decode/log-window.ts';

/** The pods of a branch in the last answer that had them, with the tag that the service gave them. */
export type KnownPods = {tag: string | undefined; pods: readonly PodRecord[]};

/** As many branches as are watched at once. Those of others are sent again. */
const branchesMax = 64;

/** Remembers the pods of the branches that were asked for last. */
export const createKnownPods = (): {of(branch: string): KnownPods} => {
  const known = new Map<string, KnownPods>();
  return {
    of: branch => {
      const found = known.get(branch) ?? {tag: undefined, pods: []};
      setNewest(known, branch, found, branchesMax);
      return found;
    },
  };
};

/** What a header's value may consist of (RFC 9110, section 5.5), and no control characters. */
const isHeaderText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** Returns the headers that tell a service what the reader has. */
export const headersAfter = ({series, last}: ReadUpTo, {tag}: KnownPods): Readonly<Record<string, string>> =>
  isHeaderText(series)
    ? {
        'branchlog-after': `${series}:${last}`,
        ...(tag !== undefined && isHeaderText(tag) && {'branchlog-pods': tag}),
      }
    : {};
