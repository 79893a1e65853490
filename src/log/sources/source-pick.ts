import type {SourceName} from '#log/line/source-name.ts';
import {sourceKey} from '#log/words/source-words.ts';

/** The sources whose lines are hidden, or the only ones whose lines are shown. Compared by their fields. */
export type SourcePick = {readonly kind: 'hide' | 'only'; readonly names: readonly SourceName[]};

/** Returns a function that checks whether the lines of a source are hidden. */
export const hiddenBy = (pick: SourcePick | undefined): ((name: SourceName) => boolean) => {
  if (pick === undefined) {
    return () => false;
  }
  const keys = new Set(pick.names.map(sourceKey));
  return name => keys.has(sourceKey(name)) === (pick.kind === 'hide');
};

/** Shows only some sources, or hides them besides those that are hidden already. */
export const pickOf = (pick: SourcePick | undefined, {kind, names}: SourcePick): SourcePick => {
  const keys = new Set(names.map(sourceKey));
  const others = (pick?.names ?? []).filter(name => !keys.has(sourceKey(name)));
  if (kind === 'only' || pick === undefined) {
    return {kind, names};
  }
  return pick.kind === 'only' ? {kind: 'only', names: others} : {kind: 'hide', names: [...others, ...names]};
};

/** Hides a source, or shows it again; undefined if all of `known` are shown now. */
export const toggleSource = (
  pick: SourcePick | undefined,
  name: SourceName,
  known: readonly SourceName[],
): SourcePick | undefined => {
  const {kind, names} = pick ?? {kind: 'hide', names: []};
  const key = sourceKey(name);
  const others = names.filter(each => sourceKey(each) !== key);
  const changed: SourcePick = {kind, names: others.length < names.length ? others : [...names, name]};
  return settlePick(changed, known);
};

/** Returns a pick, or undefined if it hides none of the known sources. */
export const settlePick = (pick: SourcePick, known: readonly SourceName[]): SourcePick | undefined =>
  known.some(hiddenBy(pick)) ? pick : undefined;
