import type {PodRecord} from '#service/backend/backend.ts';
import {applicationNameOf, namespaceOf} from '../plan/names-of.ts';
import {makeUuid} from '../seed/make-id.ts';
import type {SamplePod} from '../seed/roster.ts';
import type {BranchSetting} from '../world/plan/plans.ts';
import {createRandom} from '../world/seed/random.ts';

/** Creates a pod record as an orchestrator would: every field of the interface specification's section 2.5. */
export const makeSamplePod = (setting: BranchSetting, pod: SamplePod): PodRecord => {
  const application = applicationNameOf(setting);
  const namespace = namespaceOf(setting);
  const template = pod.name.slice(0, Math.max(0, pod.name.lastIndexOf('-')));
  const createdAt = new Date(setting.startMs + pod.bornMs).toISOString();
  const random = createRandom(setting.seed, 'pod', pod.name);
  const resourceVersion = String(random.integer(180_000_000, 420_000_000));
  return {
    name: pod.name,
    resourceVersion,
    metadata: {
      annotations: {'kubernetes.io/psp': 'restricted', 'prometheus.io/scrape': 'false'},
      creationTimestamp: createdAt,
      generateName: `${template}-`,
      labels: {
        app: application,
        branch: setting.branchId,
        site: setting.siteId,
        'pod-template-hash': template.slice(template.lastIndexOf('-') + 1),
      },
      managedFields: [
        {
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: {'f:metadata': {'f:labels': {'.': {}, 'f:app': {}}}, 'f:spec': {'f:restartPolicy': {}}},
          manager: 'kube-controller-manager',
          operation: 'Update',
          time: createdAt,
        },
      ],
      name: pod.name,
      namespace,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          blockOwnerDeletion: true,
          controller: true,
          kind: 'ReplicaSet',
          name: template,
          uid: makeUuid('template', template),
        },
      ],
      resourceVersion,
      selfLink: `/api/v1/namespaces/${namespace}/pods/${pod.name}`,
      uid: makeUuid('pod', pod.name),
    },
  };
};
