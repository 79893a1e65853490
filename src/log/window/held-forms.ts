import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import type {Texts} from '#log/window/texts.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import {visitEach, type Work} from '#log/work.ts';
import {addToList} from './add-to-list.ts';

const endsInBlank = (raws: Texts): boolean => raws.some(raw => raw !== raw.trimEnd());

const hasBlankEnds: (window: ReadWindow) => boolean = once(createWeakCache(), ({raws}: ReadWindow) =>
  endsInBlank(raws),
);

/**
 * Gives lines the white space at their end with which the last windows have them: of several replicas one may trim it.
 * Of copies, those that are there as they are stay.
 */
export function* asLastShown(recent: readonly ReadWindow[], raws: Texts): Work<Texts> {
  if (!endsInBlank(raws) && !recent.some(hasBlankEnds)) {
    return raws;
  }
  const forms = new Map<string, string[]>();
  for (const window of recent) {
    const ofWindow = new Map<string, string[]>();
    yield* visitEach(window.raws, raw => addToList(ofWindow, raw.trimEnd(), raw));
    for (const [text, each] of ofWindow) {
      // The window with the most copies has the form of each.
      if (each.length > (forms.get(text)?.length ?? 0)) {
        forms.set(text, each);
      }
    }
  }
  const take = (raw: string, isSame: (form: string) => boolean): string | undefined => {
    const left = forms.get(raw.trimEnd());
    const place = left?.findIndex(isSame) ?? -1;
    return place === -1 ? undefined : left?.splice(place, 1)[0];
  };
  const shown: (string | undefined)[] = [];
  yield* visitEach(raws, raw => shown.push(take(raw, form => form === raw)));
  const all: string[] = [];
  yield* visitEach(raws, (raw, index) => all.push(shown[index] ?? take(raw, () => true) ?? raw));
  return all;
}
