import {partOfName} from '#log/reading/vocabulary.ts';

/** A field that held one value until another one took its place. */
export type Flip = {
  readonly name: string;
  readonly before: string;
  readonly now: string;
  /** Seconds since the log held begins. */
  readonly at: number;
  readonly place: number;
  readonly count: number;
  readonly isClear: boolean;
};

export type Fields = {
  /** Takes the settings of a line. Lines must come in order. */
  add(settings: readonly (readonly [name: string, value: string])[], at: number, place: number): void;
  flips(): readonly Flip[];
};

/** `othersBefore`: how often the field had another value before this one. */
type Value = {
  count: number;
  readonly first: number;
  readonly place: number;
  last: number;
  readonly othersBefore: number;
};
/** The values of a field in order of their first lines; `varied` if there are too many for it to be a setting. */
type Field = Map<string, Value> | 'varied';

const pair = /(?:^|[\s,{[("?&])"?([A-Za-z_][\w.-]{1,31})"?\s?[=:]\s?"?([\w.+/@-]{1,64})(?=[\s",;)}\]]|$)/g;
/** Numbers are measures, unless a name says otherwise. */
const isNumber = /^-?[\d.]+(?:[a-zµ%]{1,2})?$/;
const setting =
  /version|build|release|revision|commit|sha|tag|config|schema|flag|mode|shard|port|replica|limit|size$|pool|workers?$|threads?$|concurrency|timeout|max$/i;
const date = /^\d{4}-\d\d-\d\d/;

const fieldsMax = 200;
const valuesMax = 4;
/** A setting was seen so often before it changed, and after that. */
const beforeMin = 5;
const nowMin = 3;
const clearMin = 10;
/** In the time since it changed, so much has the new value: others may still be what they were. */
const nowShareMin = 0.4;

/** Returns the fields of a line that may be settings, with their values. */
export const settingsIn = (text: string): readonly (readonly [name: string, value: string])[] =>
  Array.from(text.matchAll(pair), ([, name = '', value = '']) => [name, value] as const).filter(
    ([name, value]) =>
      partOfName(name) === undefined && !date.test(value) && (!isNumber.test(value) || setting.test(name)),
  );

export const createFields = (): Fields => {
  const fields = new Map<string, Field>();
  const take = (name: string, value: string, at: number, place: number): void => {
    const known = fields.get(name);
    if (known === 'varied' || (known === undefined && fields.size >= fieldsMax)) {
      return;
    }
    const values = known ?? new Map<string, Value>();
    const found = values.get(value);
    if (found !== undefined) {
      found.count += 1;
      found.last = at;
    } else if (values.size === valuesMax) {
      fields.set(name, 'varied');
    } else {
      const othersBefore = [...values.values()].reduce((sum, {count}) => sum + count, 0);
      values.set(value, {count: 1, first: at, place, last: at, othersBefore});
      fields.set(name, values);
    }
  };
  return {
    add: (settings, at, place) => {
      for (const [name, value] of settings) {
        take(name, value, at, place);
      }
    },
    flips: () => [...fields].flatMap(([name, values]) => (values === 'varied' ? [] : flipsOf(name, [...values]))),
  };
};

const flipsOf = (name: string, values: readonly (readonly [string, Value])[]): readonly Flip[] => {
  const [, newest] = values.at(-1) ?? [];
  const before = values.slice(0, -1);
  const previous = before.toSorted(([, a], [, b]) => b.last - a.last)[0];
  const now = values.at(-1)?.[0];
  if (newest === undefined || previous === undefined || now === undefined) {
    return [];
  }
  const [was, old] = previous;
  // Before it, there was one value at a time.
  const isOneByOne = before.every(([, {last}], index) => last <= (before[index + 1]?.[1].first ?? last));
  const oldSince = before.reduce((sum, [, {count}]) => sum + count, 0) - newest.othersBefore;
  const isEnough =
    newest.othersBefore >= beforeMin &&
    newest.count >= nowMin &&
    newest.count >= nowShareMin * (newest.count + oldSince);
  return isOneByOne && isEnough
    ? [
        {
          ...{name, before: was, now, at: newest.first, place: newest.place, count: newest.count},
          isClear: oldSince === 0 && old.count >= clearMin,
        },
      ]
    : [];
};
