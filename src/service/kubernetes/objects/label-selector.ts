import {type WorkloadName, workloadKinds} from '#base/workload-kinds.ts';
import {ServiceError} from '#service/backend/errors.ts';
import {flagField, listField, tableField, textField, textsField, timeField} from '#service/link/object-fields.ts';

/** A condition on one label. A selector is a list of them; all must hold. */
export type LabelRequirement = {
  readonly key: string;
  readonly operator: 'in' | 'notIn' | 'exists' | 'doesNotExist';
  readonly values: readonly string[];
};

export type Labels = Readonly<Record<string, string>>;

const requirementPattern =
  /^(?:!\s*(?<absent>[^\s!=,()]+)|(?<key>[^\s!=,()]+)(?:\s*(?<sign>==?|!=)\s*(?<value>[^\s!=,()]*)|\s+(?<word>in|notin)\s*\((?<values>[^()]*)\))?)$/;

const parseRequirement = (text: string, selector: string): LabelRequirement => {
  const {absent, key, sign, value, word, values} = requirementPattern.exec(text.trim())?.groups ?? {};
  if (absent !== undefined) {
    return {key: absent, operator: 'doesNotExist', values: []};
  }
  if (key === undefined) {
    throw new ServiceError(
      `The label selector "${selector}" cannot be read at "${text.trim()}": write it as for kubectl, such as app=shop,tier!=test.`,
    );
  }
  if (sign !== undefined) {
    return {key, operator: sign === '!=' ? 'notIn' : 'in', values: [value ?? '']};
  }
  return word === undefined
    ? {key, operator: 'exists', values: []}
    : {key, operator: word === 'in' ? 'in' : 'notIn', values: (values ?? '').split(',').map(each => each.trim())};
};

/**
 * Parses a label selector as kubectl and the API write it: `app=shop,tier in (web, api),!canary`. Throws a
 * `ServiceError`.
 */
export const parseLabelSelector = (selector: string): readonly LabelRequirement[] =>
  selector.trim() === ''
    ? []
    : selector.split(/,(?![^(]*\))/).map(requirement => parseRequirement(requirement, selector));

const operators: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notIn',
  Exists: 'exists',
  DoesNotExist: 'doesNotExist',
};

/**
 * Reads a selector object, such as a Deployment's `spec.selector`. Returns undefined for one that selects nothing or
 * has an operator that is not known.
 */
export const readSelectorObject = (selector: unknown): readonly LabelRequirement[] | undefined => {
  const requirements: LabelRequirement[] = Object.entries(textsField(selector, 'matchLabels')).map(([key, value]) => ({
    key,
    operator: 'in',
    values: [value],
  }));
  for (const expression of listField(selector, 'matchExpressions')) {
    const key = textField(expression, 'key');
    const operator = operators[textField(expression, 'operator') ?? ''];
    if (key === undefined || operator === undefined) {
      return undefined;
    }
    const values = listField(expression, 'values').filter(value => typeof value === 'string');
    requirements.push({key, operator, values});
  }
  return requirements.length === 0 ? undefined : requirements;
};

const meets = (value: string | undefined, {operator, values}: LabelRequirement): boolean => {
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notIn':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case 'doesNotExist':
      return value === undefined;
  }
};

/** As in Kubernetes, a label that is missing is "not in" any list. */
export const matchesLabels = (labels: Labels, requirements: readonly LabelRequirement[]): boolean =>
  requirements.every(requirement => meets(readLabel(labels, requirement.key), requirement));

/** Labels may be called like properties that every object has. */
export const readLabel = (labels: Labels, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;

/** The fields that every object of a namespace has. */
export type ObjectIdentity = {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
};

/** Reads an object's metadata. Returns undefined if it is not an object of a namespace. */
export const readIdentity = (object: unknown): ObjectIdentity | undefined => {
  const metadata = tableField(object, 'metadata');
  const uid = textField(metadata, 'uid');
  const name = textField(metadata, 'name');
  const namespace = textField(metadata, 'namespace');
  const createdAtMs = timeField(metadata, 'creationTimestamp');
  if (uid === undefined || name === undefined || namespace === undefined || createdAtMs === undefined) {
    return undefined;
  }
  const resourceVersion = textField(metadata, 'resourceVersion') ?? '';
  return {uid, resourceVersion, name, namespace, labels: textsField(metadata, 'labels'), createdAtMs};
};

/** The label with the hash in the names of ReplicaSets, by what made them. The second is that of Argo Rollouts. */
const hashLabels = [
  ['deployment', 'pod-template-hash'],
  ['rollout', 'rollouts-pod-template-hash'],
] as const;

/**
 * Reads from an object's metadata which workload controls it; undefined if none of the known kinds does. A Deployment's
 * ReplicaSet is named after both, so that needs no permission to read ReplicaSets.
 */
export const readOwner = (metadata: unknown): WorkloadName | undefined => {
  const owner = listField(metadata, 'ownerReferences').find(each => flagField(each, 'controller'));
  const [title, name] = [textField(owner, 'kind'), textField(owner, 'name')];
  if (name === undefined) {
    return undefined;
  }
  if (title !== 'ReplicaSet') {
    const found = workloadKinds.find(each => each.title === title);
    return found && {kind: found.kind, name};
  }
  const labels = textsField(metadata, 'labels');
  for (const [kind, label] of hashLabels) {
    const hash = labels[label];
    if (hash !== undefined && name.endsWith(`-${hash}`)) {
      return {kind, name: name.slice(0, -hash.length - 1)};
    }
  }
  return undefined;
};
