import type {BranchTone} from '#app/rows/view-row.ts';
import {branchTone} from '#app/words/branch-labels.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import type {SourceName} from '#log/line/entry.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {paintTone} from '#ui/paint-screen.ts';
import type {Theme} from '#ui/theme.ts';

/** The same pod has the same colour in every run. */
const toneOf = (pod: string): BranchTone => {
  let hash = 0;
  for (let index = 0; index < pod.length; index += 1) {
    hash = (hash * 31 + pod.charCodeAt(index)) % 0x1000000;
  }
  return branchTone(hash);
};

/**
 * Returns what `--prefix` puts before a line, safe for a terminal, such as `[web-1/php] `; nothing if neither pod nor
 * container is known. In brackets, so that no part of the line is taken for a name that is missing.
 */
export const createSourcePrefix = (theme: Theme | undefined): ((source: SourceName | undefined) => string) => {
  const prefixOf = once(createWeakCache<SourceName, string>(), ({pod, container}) => {
    if (pod === undefined && container === undefined) {
      return '';
    }
    const name = sanitise(`${pod ?? ''}${container === undefined ? '' : `/${container}`}`);
    return `${theme ? paintTone(`[${name}]`, toneOf(pod ?? ''), theme) : `[${name}]`} `;
  });
  return source => (source === undefined ? '' : prefixOf(source));
};
