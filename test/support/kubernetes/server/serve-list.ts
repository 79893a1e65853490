import {type KubeLabels, type KubeObject, kubeResources, type ResourceName} from '../kube-object.ts';
import {badRequest, continueExpired, KubeFailure, makeStatus} from '../kube-status.ts';
import type {ObjectStore} from '../world/object-store.ts';
import type {Target} from './read-target.ts';

export type Selection = (object: KubeObject) => boolean;

/** `labelSelector` and `fieldSelector` of a list or watch. Throws the refusal of one that cannot be read. */
export const readSelection = (params: URLSearchParams): Selection => {
  const byLabel = parseLabelSelector(params.get('labelSelector') ?? '');
  const byField = parseFieldSelector(params.get('fieldSelector') ?? '');
  return object => byLabel(object.metadata.labels ?? {}) && byField(object);
};

export type KubeList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly KubeObject[];
};

type Snapshot = {readonly version: number; readonly objects: readonly KubeObject[]};

export type Lists = {
  serve(target: Target, params: URLSearchParams): KubeList;
  /** All continue tokens so far become too old. */
  expireContinues(): void;
};

export const apiVersionOf = (resource: ResourceName): string => {
  const {group, version} = kubeResources[resource];
  return group === '' ? version : `${group}/${version}`;
};

type Continue = {readonly v: string; readonly rv: number; readonly start: string};

const encodeContinue = (rv: number, start: string): string =>
  Buffer.from(JSON.stringify({v: 'meta.k8s.io/v1', rv, start} satisfies Continue)).toString('base64url');

const decodeContinue = (token: string): Continue => {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as Continue;
  } catch {
    throw badRequest('continue key is not valid: illegal base64 data at input byte 0');
  }
};

/** Versions whose next pages can still be had; a soak lists again and again. */
const snapshotsMax = 50;

/** Lists whose pages are all of the first one's version, as etcd reads them. */
export const createLists = (store: ObjectStore): Lists => {
  const snapshots = new Map<number, Map<string, Snapshot>>();
  let expiredUpTo = -1;

  const keyOf = ({resource, namespace}: Target): string => `${resource}/${namespace}`;

  const snapshotOf = (target: Target, version: number): Snapshot => {
    const ofVersion = snapshots.get(version) ?? new Map<string, Snapshot>();
    const made = ofVersion.get(keyOf(target)) ?? {version, objects: store.list(target.resource, target.namespace)};
    ofVersion.set(keyOf(target), made);
    snapshots.set(version, ofVersion);
    for (const old of [...snapshots.keys()].slice(0, -snapshotsMax)) {
      snapshots.delete(old);
    }
    return made;
  };

  return {
    serve: (target, params) => {
      const isSelected = readSelection(params);
      const limit = Number(params.get('limit') ?? 0);
      const token = params.get('continue') ?? '';
      const from = token === '' ? undefined : decodeContinue(token);
      if (from !== undefined && from.rv > 0 && (from.rv <= expiredUpTo || !snapshots.has(from.rv))) {
        throw continueExpired(encodeContinue(-1, from.start));
      }
      const asked = Number(params.get('resourceVersion') ?? 0);
      if (asked > store.version) {
        throw new KubeFailure(
          makeStatus(504, 'Timeout', `Too large resource version: ${asked}, current: ${store.version}`, {
            details: {
              causes: [{reason: 'ResourceVersionTooLarge', message: 'Too large resource version'}],
              retryAfterSeconds: 1,
            },
          }),
        );
      }
      // Only pages need the objects of an older version again.
      const snapshot =
        from !== undefined && from.rv > 0
          ? snapshotOf(target, from.rv)
          : limit > 0
            ? snapshotOf(target, store.version)
            : {version: store.version, objects: store.list(target.resource, target.namespace)};
      const nameOf = ({metadata}: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;
      const left = snapshot.objects.filter(
        object => isSelected(object) && (from === undefined || nameOf(object) > from.start),
      );
      const items = limit > 0 ? left.slice(0, limit) : left;
      const last = items.at(-1);
      const hasSelector = params.has('labelSelector') || params.has('fieldSelector');
      const next =
        last === undefined || items.length === left.length
          ? {}
          : {
              continue: encodeContinue(snapshot.version, nameOf(last)),
              // The server does not count what a selector would leave out.
              ...(hasSelector ? {} : {remainingItemCount: left.length - items.length}),
            };
      return {
        kind: `${kubeResources[target.resource].kind}List`,
        apiVersion: apiVersionOf(target.resource),
        metadata: {resourceVersion: String(snapshot.version), ...next},
        // Items of a list have neither kind nor apiVersion of their own.
        items: items.map(({apiVersion: _apiVersion, kind: _kind, ...object}) => object as KubeObject),
      };
    },
    expireContinues: () => {
      expiredUpTo = store.version;
      snapshots.clear();
    },
  };
};

type LabelTest = (labels: KubeLabels) => boolean;

/** Splits at commas outside parentheses: `a=b,c in (d,e)`. */
const splitTerms = (selector: string): readonly string[] =>
  selector
    .split(/,(?![^(]*\))/)
    .map(term => term.trim())
    .filter(term => term !== '');

const labelTest = (term: string): LabelTest => {
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(term);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = new Set(list.split(',').map(value => value.trim()));
    return operator === 'in'
      ? labels => labels[key] !== undefined && values.has(labels[key])
      : labels => labels[key] === undefined || !values.has(labels[key]);
  }
  const equality = /^([^\s=!()]+)\s*(==|=|!=)\s*([^\s=!()]*)$/.exec(term);
  if (equality !== null) {
    const [, key = '', operator, value] = equality;
    return operator === '!=' ? labels => labels[key] !== value : labels => labels[key] === value;
  }
  const existence = /^(!?)\s*([A-Za-z0-9][\w./-]*)$/.exec(term);
  if (existence !== null) {
    const [, not, key = ''] = existence;
    return labels => (labels[key] !== undefined) !== (not === '!');
  }
  throw badRequest(`unable to parse requirement: found '${term}', expected: ',', ')' or identifier`);
};

/** Equality-based and set-based requirements, all of which must hold. */
const parseLabelSelector = (selector: string): LabelTest => {
  const tests = splitTerms(selector).map(labelTest);
  return labels => tests.every(test => test(labels));
};

const fieldOf = (object: KubeObject, path: string): string | undefined => {
  switch (path) {
    case 'metadata.name':
      return object.metadata.name;
    case 'metadata.namespace':
      return object.metadata.namespace ?? '';
    case 'spec.nodeName':
      return String(object.spec?.nodeName ?? '');
    case 'status.phase':
      return String(object.status?.phase ?? '');
    default:
      return undefined;
  }
};

/** Selects by the fields that the API server indexes for the objects here; others are refused as there. */
const parseFieldSelector = (selector: string): ((object: KubeObject) => boolean) => {
  const tests = splitTerms(selector).map(term => {
    const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
    if (match === null) {
      throw badRequest(`invalid field selector: ${term}`);
    }
    const [, path = '', operator, value] = match;
    return (object: KubeObject): boolean => {
      const field = fieldOf(object, path);
      if (field === undefined) {
        throw badRequest(`field label not supported: ${path}`);
      }
      return (field === value) === (operator !== '!=');
    };
  });
  return object => tests.every(test => test(object));
};
