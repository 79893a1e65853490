import {kubeResources, type ResourceName} from '../kube-object.ts';

/** What a request's path names. */
export type Target = {
  readonly resource: ResourceName;
  readonly group: string;
  /** Empty for all namespaces, and for what has none. */
  readonly namespace: string;
  /** Empty for a list. */
  readonly name: string;
  /** Empty, or `log`. */
  readonly subresource: string;
};

const names = Object.keys(kubeResources) as ResourceName[];

/** Reads `/api/v1/…` and `/apis/GROUP/VERSION/…`; undefined for a path of neither, or a resource that is not there. */
export const readTarget = (path: string, lacks: ReadonlySet<ResourceName> = new Set()): Target | undefined => {
  const parts = path.split('/').slice(1).map(decodeURIComponent);
  const isCore = parts[0] === 'api' && parts[1] === 'v1';
  const isNamed = parts[0] === 'apis';
  if (!isCore && !isNamed) {
    return undefined;
  }
  const group = isCore ? '' : (parts[1] ?? '');
  const rest = parts.slice(isCore ? 2 : 3);
  const isInNamespace = rest[0] === 'namespaces' && rest.length > 2;
  const [plural = '', name = '', subresource = '', ...more] = isInNamespace ? rest.slice(2) : rest;
  const version = isCore ? 'v1' : parts[2];
  const resource = names.find(
    known =>
      known === plural &&
      kubeResources[known].group === group &&
      kubeResources[known].version === version &&
      !lacks.has(known),
  );
  if (
    resource === undefined ||
    more.length > 0 ||
    (subresource !== '' && (resource !== 'pods' || subresource !== 'log'))
  ) {
    return undefined;
  }
  const {isNamespaced} = kubeResources[resource];
  if (isInNamespace !== isNamespaced && !(isNamespaced && name === '')) {
    return undefined;
  }
  return {resource, group, namespace: isInNamespace ? (rest[1] ?? '') : '', name, subresource};
};
