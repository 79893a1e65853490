import type {KubeObject, ResourceName} from '../kube-object.ts';

export type StoreChange = {
  readonly version: number;
  readonly resource: ResourceName;
  /** As it is now, or as it was when it was deleted. */
  readonly object: KubeObject;
  /** As it was before; undefined for a new one. */
  readonly before: KubeObject | undefined;
  readonly isDeleted: boolean;
};

export type ObjectStore = {
  /** Adds or replaces an object, and gives it the next resource version; one that stays as it was is no change. */
  put(resource: ResourceName, object: KubeObject): KubeObject;
  /** The event's object has the version of its deletion, as a real watch has it. */
  remove(resource: ResourceName, object: KubeObject): void;
  get(resource: ResourceName, namespace: string, name: string): KubeObject | undefined;
  /** In the order of their keys, as etcd has them. */
  list(resource: ResourceName, namespace: string): readonly KubeObject[];
  /** Changes after that version, oldest first; undefined where they were compacted away. */
  changesAfter(version: number): readonly StoreChange[] | undefined;
  /** Forgets all changes so far: watches from older versions get 410. */
  compact(): void;
  readonly version: number;
  /** The oldest version that a watch can start from. */
  readonly oldestVersion: number;
  onChange(listener: (change: StoreChange) => void): () => void;
};

/** Changes kept for watches to go on from; etcd keeps five minutes of them. */
const changesMax = 20_000;

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

const isSame = (stored: KubeObject, object: KubeObject): boolean => {
  const {resourceVersion} = stored.metadata;
  const versioned = {...object, metadata: {...object.metadata, resourceVersion}};
  return JSON.stringify(stored) === JSON.stringify(versioned);
};

/** Objects with etcd's version count and a history for watches. */
export const createObjectStore = (firstVersion = 812_300): ObjectStore => {
  const objects = new Map<ResourceName, Map<string, KubeObject>>();
  const listeners = new Set<(change: StoreChange) => void>();
  let changes: StoreChange[] = [];
  let version = firstVersion;
  let oldestVersion = firstVersion;

  const ofResource = (resource: ResourceName): Map<string, KubeObject> => {
    const found = objects.get(resource) ?? new Map<string, KubeObject>();
    objects.set(resource, found);
    return found;
  };

  const announce = (change: StoreChange): void => {
    changes.push(change);
    if (changes.length > changesMax) {
      const dropped = changes.splice(0, changesMax / 2);
      oldestVersion = dropped.at(-1)?.version ?? oldestVersion;
    }
    for (const listener of [...listeners]) {
      listener(change);
    }
  };

  const withVersion = (object: KubeObject): KubeObject => {
    version += 1;
    return {...object, metadata: {...object.metadata, resourceVersion: String(version)}};
  };

  return {
    put: (resource, object) => {
      const key = keyOf(object.metadata.namespace ?? '', object.metadata.name);
      const before = ofResource(resource).get(key);
      if (before !== undefined && isSame(before, object)) {
        return before;
      }
      const stored = withVersion(object);
      ofResource(resource).set(key, stored);
      announce({version, resource, object: stored, before, isDeleted: false});
      return stored;
    },
    remove: (resource, object) => {
      const key = keyOf(object.metadata.namespace ?? '', object.metadata.name);
      const before = ofResource(resource).get(key);
      if (before !== undefined) {
        ofResource(resource).delete(key);
        announce({version: version + 1, resource, object: withVersion(before), before, isDeleted: true});
      }
    },
    get: (resource, namespace, name) => ofResource(resource).get(keyOf(namespace, name)),
    list: (resource, namespace) =>
      [...ofResource(resource).entries()]
        .filter(([, object]) => namespace === '' || object.metadata.namespace === namespace)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, object]) => object),
    changesAfter: after => (after < oldestVersion ? undefined : changes.filter(change => change.version > after)),
    compact: () => {
      changes = [];
      // The compaction itself is a revision, so that even a watch at today's version counts as too old afterwards.
      version += 1;
      oldestVersion = version;
    },
    get version() {
      return version;
    },
    get oldestVersion() {
      return oldestVersion;
    },
    onChange: listener => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};
