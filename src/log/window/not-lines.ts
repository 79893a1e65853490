import type {Texts} from '#log/window/texts.ts';

/** An item of an answer that was no line, by the lines beside it. */
type Item = {readonly after: string | undefined; readonly ahead: string | undefined};

/** The items of an answer that were no lines: an array, since several may stand beside each other. */
export type NotLines = readonly Item[];

export const noNotLines: NotLines = Object.freeze([]);

/**
 * Compares the items that are no lines with those of the answer before: `hasNew` if there is one that stands neither
 * after nor ahead of the line that one stood beside before. One that was the last may have become the first. `places`:
 * the index of the line that follows each.
 */
export const compareNotLines = (
  before: NotLines,
  lines: Texts,
  places: readonly number[],
): {readonly notLines: NotLines; readonly hasNew: boolean} => {
  const notLines = places.map(
    (place): Item => ({after: place === 0 ? undefined : lines.at(place - 1), ahead: lines.at(place)}),
  );
  const [byAfter, byAhead] = [indexBy(before, 'after'), indexBy(before, 'ahead')];
  const used = new Set<number>();
  let hasNew = false;
  for (const {after, ahead} of notLines) {
    const candidates = [
      ...(byAfter.get(after) ?? []),
      ...(after === undefined ? (byAhead.get(undefined) ?? []) : []),
      ...(ahead === undefined ? [] : (byAhead.get(ahead) ?? [])),
    ];
    const found = candidates.find(index => !used.has(index));
    if (found === undefined) {
      hasNew = true;
    } else {
      used.add(found);
    }
  }
  return {notLines, hasNew};
};

const indexBy = (items: NotLines, side: keyof Item): ReadonlyMap<string | undefined, readonly number[]> =>
  Map.groupBy(items.keys(), index => items[index]?.[side]);
