import {type LabelRequirement, readSelectorObject} from './label-selector.ts';
import {listField, numberField, tableField, textField, textsField, timeField} from './object-fields.ts';
import {type ObjectIdentity, readIdentity} from './object-identity.ts';
import {readTroubleMessage} from './pod-troubles.ts';

/** What is needed of a Deployment or a StatefulSet. */
export type Workload = ObjectIdentity & {
  readonly kind: 'deployment' | 'statefulset';
  /** Selects its pods; undefined: none. */
  readonly selector: readonly LabelRequirement[] | undefined;
  /** The annotation `kubernetes.io/change-cause`. */
  readonly changeCause: string;
  readonly rollout: RolloutState;
  readonly containers: readonly TemplateContainer[];
  /** The annotation `kubectl.kubernetes.io/default-container` of its pods. */
  readonly defaultContainer: string | undefined;
};

export type RolloutState = {
  /** The controller has not yet seen the newest specification. */
  readonly isUnseen: boolean;
  /** How many pods there should be, are, are of the newest version, and serve. */
  readonly wanted: number;
  readonly existing: number;
  readonly updated: number;
  readonly available: number;
  /** How many pods the newest version should have: fewer than wanted for a StatefulSet with a partition. */
  readonly wantedUpdated: number;
  readonly conditions: ReadonlyMap<string, WorkloadCondition>;
  /** Names the newest version of a StatefulSet. */
  readonly revision: string | undefined;
};

export type WorkloadCondition = {
  readonly isTrue: boolean;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly updatedAtMs: number | undefined;
};

export type TemplateContainer = {
  readonly name: string;
  readonly image: string;
  /** Variables with literal values. Values from elsewhere, such as from a Secret, are never looked up. */
  readonly variables: readonly {readonly name: string; readonly value: string}[];
};

const readContainer = (container: unknown): TemplateContainer => ({
  name: textField(container, 'name') ?? '',
  image: textField(container, 'image') ?? '',
  variables: listField(container, 'env').flatMap(variable => {
    const [name, value] = [textField(variable, 'name'), textField(variable, 'value')];
    return name === undefined || value === undefined ? [] : [{name, value}];
  }),
});

const readConditions = (status: unknown): ReadonlyMap<string, WorkloadCondition> =>
  new Map(
    listField(status, 'conditions').map(condition => [
      textField(condition, 'type') ?? '',
      {
        isTrue: textField(condition, 'status') === 'True',
        reason: textField(condition, 'reason'),
        message: readTroubleMessage(condition),
        updatedAtMs: timeField(condition, 'lastUpdateTime') ?? timeField(condition, 'lastTransitionTime'),
      },
    ]),
  );

const readRolloutState = (kind: Workload['kind'], object: unknown): RolloutState => {
  const [spec, status] = [tableField(object, 'spec'), tableField(object, 'status')];
  const count = (key: string): number => numberField(status, key) ?? 0;
  const wanted = numberField(spec, 'replicas') ?? 1;
  const strategy = tableField(spec, 'updateStrategy');
  const partition = numberField(tableField(strategy, 'rollingUpdate'), 'partition') ?? 0;
  // With OnDelete, pods take the newest version when somebody deletes them: nothing is under way.
  const isByHand = textField(strategy, 'type') === 'OnDelete';
  return {
    isUnseen:
      (numberField(status, 'observedGeneration') ?? 0) <
      (numberField(tableField(object, 'metadata'), 'generation') ?? 0),
    wanted,
    existing: count('replicas'),
    updated: count('updatedReplicas'),
    // StatefulSets count available pods since 1.22 only.
    available: numberField(status, 'availableReplicas') ?? (kind === 'statefulset' ? count('readyReplicas') : 0),
    wantedUpdated: isByHand ? 0 : Math.max(0, wanted - partition),
    conditions: readConditions(status),
    revision: textField(status, 'updateRevision'),
  };
};

/** Creates the decoder of one kind. It returns undefined for an object that is not a workload. */
export const createWorkloadDecoder =
  (kind: Workload['kind']) =>
  (object: unknown): Workload | undefined => {
    const identity = readIdentity(object);
    if (!identity) {
      return undefined;
    }
    const spec = tableField(object, 'spec');
    const template = tableField(spec, 'template');
    return {
      ...identity,
      kind,
      selector: readSelectorObject(tableField(spec, 'selector')),
      changeCause: textsField(tableField(object, 'metadata'), 'annotations')['kubernetes.io/change-cause'] ?? '',
      rollout: readRolloutState(kind, object),
      containers: listField(tableField(template, 'spec'), 'containers').map(readContainer),
      defaultContainer: textsField(tableField(template, 'metadata'), 'annotations')[
        'kubectl.kubernetes.io/default-container'
      ],
    };
  };
