import type {WorkloadName} from '#base/workload-kinds.ts';
import {listField, tableField, textField, textsField} from '#service/link/object-fields.ts';
import {type LabelRequirement, readSelectorObject} from './label-selector.ts';
import {type ObjectIdentity, readIdentity, readOwner} from './object-identity.ts';
import {type InstalledRelease, readRelease, readReleaseMarks} from './read-release.ts';
import {readWorkloadState, type WatchedKind, type WorkloadState} from './workload-state.ts';

/**
 * What is needed of what makes pods. Its labels are its own, the annotations by which tools name a release, and the
 * labels that it gives to its pods; of one that several have, the first counts.
 */
export type Workload = ObjectIdentity &
  WorkloadName & {
    /** The CronJob of a Job. */
    readonly owner: WorkloadName | undefined;
    readonly release: InstalledRelease | undefined;
    /** Selects its pods; undefined: they are known by their owner alone. */
    readonly selector: readonly LabelRequirement[] | undefined;
    /** The annotation `kubernetes.io/change-cause`. */
    readonly changeCause: string;
    readonly state: WorkloadState;
    readonly containers: readonly TemplateContainer[];
    /** The annotation `kubectl.kubernetes.io/default-container` of its pods. */
    readonly defaultContainer: string | undefined;
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

/** Where the template of its pods is; in its specification if nothing else is said. */
const templates: Partial<Record<WatchedKind, (object: unknown) => unknown>> = {
  cronjob: object => tableField(tableField(tableField(tableField(object, 'spec'), 'jobTemplate'), 'spec'), 'template'),
};

/** Creates the decoder of one kind. It returns undefined for an object that is not a workload. */
export const createWorkloadDecoder =
  (kind: WatchedKind) =>
  (object: unknown): Workload | undefined => {
    const identity = readIdentity(object);
    if (!identity) {
      return undefined;
    }
    const metadata = tableField(object, 'metadata');
    const spec = tableField(object, 'spec');
    const template = templates[kind]?.(object) ?? tableField(spec, 'template');
    const podMetadata = tableField(template, 'metadata');
    return {
      ...identity,
      labels: {...textsField(podMetadata, 'labels'), ...readReleaseMarks(metadata), ...identity.labels},
      kind,
      owner: readOwner(metadata),
      release: readRelease(metadata),
      selector: readSelectorObject(tableField(spec, 'selector')),
      changeCause: textsField(metadata, 'annotations')['kubernetes.io/change-cause'] ?? '',
      state: readWorkloadState(kind, object),
      containers: listField(tableField(template, 'spec'), 'containers').map(readContainer),
      defaultContainer: textsField(podMetadata, 'annotations')['kubectl.kubernetes.io/default-container'],
    };
  };
