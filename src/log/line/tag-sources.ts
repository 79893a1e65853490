import {cutMiddle, cutToCells} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import type {SourceName} from './entry.ts';

/** Checks whether a line of a source may be among those of a wider one: what that leaves out may be any. */
export const coversSource = (wide: SourceName | undefined, {pod, container, stream}: SourceName): boolean =>
  (wide?.pod ?? pod) === pod && (wide?.container ?? container) === container && (wide?.stream ?? stream) === stream;

/** Names of Kubernetes have at most 253 characters; the end of a longer one is not looked at. */
const nameCharsMax = 253;

type Parts = {readonly pod: string; readonly container: string; readonly stream: string};

const safe = (word: string | undefined): string => sanitiseWord(word ?? '', nameCharsMax);

/** Checks that all words are distinct, and none is empty. */
export const areUnlike = (words: readonly string[]): boolean =>
  new Set(words).size === words.length && words.every(word => word !== '');

const distinct = (words: readonly string[]): readonly string[] => [...new Set(words)];

/**
 * Returns a tag for each source, as short as tells pods and containers apart: safe to draw and at most `cellsMax` cells
 * wide. Sources that differ only in their stream have one tag, unless streams are all that is known. All tags are empty
 * if there is nothing to tell apart.
 */
export const tagSources = (names: readonly SourceName[], cellsMax: number): readonly string[] => {
  const all = names.map(
    ({pod, container, stream}): Parts => ({
      pod: safe(pod),
      container: safe(container),
      stream: safe(stream),
    }),
  );
  const keys = all.map(keyOf);
  const told = distinct(keys).map(key => all[keys.indexOf(key)] ?? {pod: '', container: '', stream: ''});
  if (told.length < 2) {
    return names.map(() => '');
  }
  const tags = cellsMax < compactCells ? compact(told, cellsMax) : cutApart(tellApart(told), cellsMax);
  const byKey = new Map(told.map((parts, index) => [keyOf(parts), tags[index] ?? '']));
  return keys.map(key => byKey.get(key) ?? '');
};

const keyOf = ({pod, container, stream}: Parts): string =>
  pod === '' && container === '' ? `\n${stream}` : `${pod}\n${container}`;

/** A tag in two parts, since each is cut by itself. */
type Tag = {readonly first: string; readonly second: string};

const tellApart = (all: readonly Parts[]): readonly Tag[] => {
  const pods = distinct(all.map(({pod}) => pod)).filter(pod => pod !== '');
  const containers = all.map(({container}) => container);
  const podTags = (besideContainers: boolean): readonly string[] => {
    const short = new Map(shortenNames(pods, besideContainers).map((name, index) => [pods[index], name]));
    return all.map(({pod}) => short.get(pod) ?? '');
  };
  const alone = podTags(false);
  if (areUnlike(alone)) {
    return alone.map(first => ({first, second: ''}));
  }
  if (pods.length < 2 && areUnlike(containers)) {
    return containers.map(first => ({first, second: ''}));
  }
  const hasContainers = new Set(containers).size > 1;
  const ofPods = podTags(hasContainers);
  return all.map(({container, stream}, index) => {
    const words = [ofPods[index] ?? '', hasContainers ? container : ''].filter(word => word !== '');
    return {first: words[0] ?? stream, second: words[1] ?? ''};
  });
};

/** The suffix that a controller adds to the name of a pod: a hash, a random part, the time of a job. */
const isMadeUp = (segment: string): boolean =>
  /^(?=.*\d)(?=.*[a-z])[a-z\d]{4,10}$/.test(segment) ||
  /^[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(segment) ||
  /^\d{6,}$/.test(segment);

/**
 * Shortens the names of pods to parts of themselves that tell them apart, so that they can be found elsewhere.
 * `besideContainers`: the name of a container says what the pod is for, so the end of the pod's name may do.
 */
const shortenNames = (names: readonly string[], besideContainers: boolean): readonly string[] => {
  if (names.length < 2) {
    return names;
  }
  const all = names.map(name => name.split('-'));
  const least = Math.min(...all.map(({length}) => length)) - 1;
  const isCommon = (index: number): boolean => all.every(segments => segments.at(index) === all[0]?.at(index));
  let front = 0;
  while (front < least && isCommon(front)) {
    front += 1;
  }
  let back = 0;
  while (back < least - front && isCommon(-1 - back)) {
    back += 1;
  }
  const cut = (from: number) => all.map(segments => segments.slice(from, segments.length - back));
  // A bare number says too little.
  const rest = cut(front > 0 && cut(front).some(segments => /^\d+$/.test(segments.join(''))) ? front - 1 : front);
  const words = rest.map(segments => segments.filter(segment => !isMadeUp(segment)));
  const candidates = [
    words,
    ...(besideContainers ? [rest.map(segments => segments.slice(-1))] : []),
    rest.map((segments, index) => {
      const own = words[index] ?? [];
      const last = segments.at(-1) ?? '';
      return own.at(-1) === last ? own : [...own, last];
    }),
    rest,
  ].map(each => each.map(segments => segments.join('-')));
  return candidates.find(areUnlike) ?? names;
};

/** Tags of fewer cells are made of the ends of pods' names and the beginnings of containers'. */
const compactCells = 8;

/** Returns the shortest pieces of the words that are unlike, at least of `cellsMin` cells; undefined if none fit. */
const shortest = (
  words: readonly string[],
  take: (word: string, cells: number) => string,
  cellsMin: number,
  cellsMax: number,
): readonly string[] | undefined => {
  const own = distinct(words);
  for (let cells = cellsMin; cells <= cellsMax; cells += 1) {
    const pieces = own.map(word => take(word, cells));
    if (areUnlike(pieces)) {
      return words.map(word => pieces[own.indexOf(word)] ?? '');
    }
  }
  return undefined;
};

const beginning = (word: string, cells: number): string => cutToCells(word, cells, {ellipsis: ''}).trimEnd();
const lastPart = (name: string): string => name.slice(name.lastIndexOf('-') + 1);
/** The last part of a pod's name, or the word that it begins with: `worker` of a file `worker.log`. */
const wholeWord = (name: string): string => /^[^\W_]+/.exec(lastPart(name))?.[0] ?? '';
/** Takes from the last part of a pod's name: its end if a controller made it up, or else its beginning. */
const ending = (name: string, cells: number): string => {
  const last = lastPart(name);
  return isMadeUp(last)
    ? cutToCells(last, cells, {from: Math.max(0, cellWidth(last) - cells), ellipsis: ''})
    : beginning(last, cells);
};

/** Both ends of a name, the last whole: `cart-0` of a file `cart-0.log`, `chec-0` of `checkout-0.log`. */
const bothEnds = (name: string, cellsMax: number): string => {
  const [, first = '', last = ''] = /^(.*[^\W_])([-_.][^\W_]+)$/.exec(name.replace(/\.[a-z]+$/i, '')) ?? [];
  return first === '' ? '' : beginning(first, Math.max(0, cellsMax - cellWidth(last))) + last;
};

/** How many cells of a tag are for the pod, where containers have to be told apart as well. */
const podCells = 3;

/** Tells pods and containers apart in a few cells: `lt8nm`, `php`, `8nm/ph`; numbers where names do not. */
const compact = (all: readonly Parts[], cellsMax: number): readonly string[] => {
  const pods = all.map(({pod}) => pod);
  const containers = all.map(({container, stream}) => container || stream);
  const ofPods = (cells: number) => shortest(pods, ending, Math.min(cells, 5), cells);
  const ofContainers = (cells: number) => shortest(containers, beginning, Math.min(cells, 5), cells);
  const [first, second] = [ofPods(podCells), ofContainers(cellsMax - podCells - 1)];
  const words = pods.map(wholeWord);
  const ends = pods.map(name => bothEnds(name, cellsMax));
  const candidates = [
    words.every(word => cellWidth(word) <= cellsMax) ? words : undefined,
    ofPods(cellsMax),
    ends.every(word => cellWidth(word) <= cellsMax) ? ends : undefined,
    // Containers alone do not tell which of several pods it is.
    distinct(pods).length === 1 ? ofContainers(cellsMax) : undefined,
    first && second && all.map((_, index) => `${first[index]}/${second[index]}`),
    all.map(({pod, container, stream}, index) => beginning(`${index + 1} ${container || pod || stream}`, cellsMax)),
  ];
  return candidates.find(tags => tags !== undefined && areUnlike(tags)) ?? [];
};

const cutApart = (tags: readonly Tag[], cellsMax: number): readonly string[] => {
  const cut = tags.map(tag => cutTag(tag, cellsMax));
  return areUnlike(cut)
    ? cut
    : tags.map(({first, second}, index) => cutTag({first: `${index + 1} ${first}`, second}, cellsMax));
};

const cutTag = ({first, second}: Tag, cellsMax: number): string => {
  if (second === '') {
    return cutMiddle(first, cellsMax);
  }
  const secondCells = Math.min(
    cellWidth(second),
    Math.max(Math.floor((cellsMax - 1) / 2), cellsMax - 1 - cellWidth(first)),
  );
  return `${cutMiddle(first, cellsMax - 1 - secondCells)} ${cutMiddle(second, secondCells)}`;
};
