import {objectsMax} from '../list-objects.ts';

export type WatchedObject = {
  /** Tells objects apart: a new one may have the name of one that is gone. */
  readonly uid: string;
  /** Opaque: equal or not, never greater. */
  readonly resourceVersion: string;
};

/** Returns what is needed of an object, or undefined if it is not what it should be. */
export type DecodeObject<Item> = (object: unknown) => Item | undefined;

type KnownObjectsOptions<Item> = {
  readonly name: string;
  readonly decode: DecodeObject<Item>;
  readonly warn: (message: string) => void;
};

/** Creates a bounded collection of decoded objects, by uid. What cannot be decoded is skipped with a warning. */
export const createKnownObjects = <Item extends WatchedObject>(options: KnownObjectsOptions<Item>) => {
  const {name, decode, warn} = options;
  let items = new Map<string, Item>();
  const leaving = new Map<string, Item>();
  const seenFromStart = new Set<string>();
  /** Outages of the watch until an object was first known, by uid. */
  const outagesBefore = new Map<string, number>();

  const warnTooMany = (): void => warn(`There are more than ${objectsMax} ${name}: the others are left out.`);

  const decodeOrWarn = (object: unknown): Item | undefined => {
    const item = decode(object);
    if (!item) {
      warn(`One of the ${name} could not be read and was left out.`);
    }
    return item;
  };

  const add = (to: Map<string, Item>, item: Item): boolean => {
    if (to.size >= objectsMax && !to.has(item.uid)) {
      warnTooMany();
      return false;
    }
    const known = items.get(item.uid);
    to.set(item.uid, known?.resourceVersion === item.resourceVersion ? known : item);
    return true;
  };

  return {
    items: (): ReadonlyMap<string, Item> => items,
    /** Deleted since `noteShown`, as they were last. */
    leaving: (): Iterable<Item> => leaving.values(),
    /** Forgets what has been deleted. Returns whether there was any. */
    noteShown: (): boolean => {
      const hadAny = leaving.size > 0;
      for (const uid of leaving.keys()) {
        seenFromStart.delete(uid);
        outagesBefore.delete(uid);
      }
      leaving.clear();
      return hadAny;
    },
    /** Returns what is needed of an object, or undefined with a warning. */
    decode: decodeOrWarn,
    /** Puts these in place of all others. What vanished during a pause has no other sign than this. */
    replace: (all: readonly Item[]): void => {
      const listed = new Map<string, Item>();
      for (const item of all) {
        add(listed, item);
      }
      for (const uid of items.keys()) {
        if (!listed.has(uid)) {
          seenFromStart.delete(uid);
          outagesBefore.delete(uid);
        }
      }
      items = listed;
    },
    /** Notes how many outages there were before the objects that are new. */
    noteOutages: (outages: number): void => {
      for (const uid of items.keys()) {
        outagesBefore.set(uid, outagesBefore.get(uid) ?? outages);
      }
    },
    outagesBefore: (uid: string): number | undefined => outagesBefore.get(uid),
    put: (object: unknown, isFromStart: boolean, outages: number): void => {
      const item = decodeOrWarn(object);
      if (item && isFromStart && !items.has(item.uid)) {
        seenFromStart.add(item.uid);
      }
      if (item && add(items, item)) {
        outagesBefore.set(item.uid, outagesBefore.get(item.uid) ?? outages);
      } else if (item) {
        seenFromStart.delete(item.uid);
      }
    },
    remove: (uid: string | undefined, object: unknown): void => {
      const item = decode(object);
      if (item && leaving.size < objectsMax) {
        leaving.set(item.uid, item);
      }
      if (uid !== undefined) {
        items.delete(uid);
      }
    },
    isSeenFromStart: (uid: string): boolean => seenFromStart.has(uid),
    warnTooMany,
  };
};
