import type {PodRecord} from '#service/backend/backend.ts';
import {
  applicationNameOf,
  type BranchSetting,
  namespaceOf,
  type Release,
  releaseBefore,
  releaseNumber,
} from './plan/plans.ts';
import type {Roster, SamplePod} from './seed/log-source.ts';
import {createRandom, makeUuid} from './seed/random.ts';

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

// Orchestrators leave vowels and look-alikes out of generated names, so that no word appears by chance.
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * Returns a pod's generated name: the application, the hash of its template, which all pods of one release share, and a
 * suffix of its own.
 */
export const makePodName = (applicationName: string, release: string, pod: string): string => {
  const templateHash = createRandom('template', applicationName, release).text(nameAlphabet, 10);
  return `${applicationName}-${templateHash}-${createRandom('pod', applicationName, release, pod).text(nameAlphabet, 5)}`;
};

/**
 * Returns when the pod of a slot starts, in milliseconds since the demo's start: one after another, once the image is
 * built.
 */
const comesMs = (release: Release, slot: number): number =>
  Math.round(release.builtMs + slot * 0.2 * (release.endMs - release.startMs));

/** Returns when the old pod of a slot stops: once the new one has been seen to be ready. */
const goesMs = (release: Release, slot: number): number =>
  Math.round(comesMs(release, slot) + 0.15 * (release.endMs - release.startMs));

/** The roster is asked for with each line, and a name takes longer than a line: names of some releases are kept. */
const madePodsMax = 256;

/**
 * Creates the roster of pods from releases. A successful release replaces the pods one by one; a failing one starts a
 * single new pod, which never gets ready and stops when the release is given up.
 */
export const createReleaseRoster = (setting: BranchSetting): Roster => {
  const {branch, seed} = setting;
  const application = applicationNameOf(setting);
  const slots = Array.from({length: branch.replicas}, (_, slot) => slot);
  const made = new Map<string, SamplePod>();
  const podOf = (release: Release | undefined, slot: number): SamplePod => {
    const key = `${release?.number ?? 'first'} ${slot}`;
    const known = made.get(key);
    if (known) {
      return known;
    }
    if (made.size === madePodsMax) {
      made.clear();
    }
    const pod = {
      name: makePodName(application, `${seed} ${release?.number ?? 'first'}`, String(slot)),
      bornMs: release ? comesMs(release, slot) : -branch.changedAgoMs + slot * 6000,
    };
    made.set(key, pod);
    return pod;
  };
  const lastSuccessBefore = (number: number): Release | undefined => {
    let release = releaseNumber(setting, number - 1);
    while (release && !release.succeeds) {
      release = releaseNumber(setting, release.number - 1);
    }
    return release;
  };
  const hasPodsFrom = (release: Release | undefined): boolean =>
    release !== undefined || (branch.course.kind !== 'unbuilt' && branch.course.podsRun);

  return demoMs => {
    const release = releaseBefore(setting, demoMs);
    const before = lastSuccessBefore(release?.number ?? 0);
    const old = hasPodsFrom(before) ? slots : [];
    if (!release) {
      return old.map(slot => podOf(before, slot));
    }
    const staying = old.filter(slot => !release.succeeds || demoMs < goesMs(release, slot));
    const tried = release.succeeds ? slots : demoMs < release.endMs ? slots.slice(0, 1) : [];
    const fresh = tried.filter(slot => demoMs >= comesMs(release, slot));
    return [...staying.map(slot => podOf(before, slot)), ...fresh.map(slot => podOf(release, slot))];
  };
};
