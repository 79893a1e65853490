import {ApiError} from '../../api/api-error.ts';
import {installKeymap} from '../../app/keys/keymap.ts';
import {createBranchMemory} from '../../config/memory/branch-memory.ts';
import {findStateFolder} from '../../config/values/find-folders.ts';
import {type DeepLink, parseDeepLink} from '../../log/line/deep-link.ts';
import type {KubeClient} from '../../service/kubernetes/client/kube-client.ts';
import type {Cluster} from '../../service/kubernetes/cluster/open-cluster.ts';
import {listNamespaces} from '../../service/kubernetes/directory/list-namespaces.ts';
import {isDumbTerm} from '../../terminal/colour/dumb-term.ts';
import {flagValue, type ParsedArguments} from '../arguments/args.ts';
import {createSay} from '../io/notices.ts';
import {UsageError} from '../io/usage-error.ts';
import {openClusterClient} from '../kube/cluster-client.ts';
import {explainKubeError} from '../kube/explain-kube-error.ts';
import {namespaceSite, openChosenCluster} from '../kube/kube-flags.ts';
import {createPatientClient} from '../kube/patient-client.ts';
import {requireNamespace} from '../kube/require-namespace.ts';
import {createScreenWarnings} from '../kube/screen-warnings.ts';
import {readCallWishes} from '../service/call-wishes.ts';
import {readKeymap} from '../service/read-keymap.ts';
import {readPreferences} from '../service/read-settings.ts';
import {chooseUi} from './choose-ui.ts';
import type {UiInput} from './ui.ts';

/**
 * Runs `branchlog kube [NAMESPACE [BRANCH]]`: the screens on a cluster. Throws a `UsageError`, an `ApiError` or a
 * `NotFoundError` before the screens are open.
 */
export const runKube = async ({parsed, io}: UiInput): Promise<number> => {
  const {site: wanted, branch, at} = readPlace(parsed);
  if (io.stdin.isTTY !== true || io.stdout.isTTY !== true || isDumbTerm(io.env.TERM)) {
    throw new UsageError(
      'the terminal UI needs a terminal that supports control sequences. Without one, use branchlog branches --kube NAMESPACE and branchlog logs --kube NAMESPACE BRANCH --follow',
    );
  }
  const {log, ui, notify, keys} = await readPreferences(parsed, io);
  installKeymap(readKeymap({keys}));
  const callWishes = await readCallWishes(notify);
  const cluster = await openChosenCluster(parsed, io);
  const client = createPatientClient(cluster.client, {...io, say: createSay(io.stderr)});
  const {namespaces, notice} = await findNamespaces(
    {client, namespace: cluster.namespace},
    wanted,
    parsed.switches.has('all-namespaces'),
  ).catch(async (error: unknown) => {
    await cluster.client.close();
    throw error;
  });
  const warnings = createScreenWarnings();
  const opened = await openClusterClient(
    cluster,
    namespaces.map(name => namespaceSite(parsed, name)),
    {bufferMb: log.kubeBufferMb, firstRead: undefined},
    {io, warn: warnings.warn},
  );
  const openUi = await chooseUi(parsed, io.env);
  const [only, ...others] = namespaces;
  return openUi({
    context: {name: opened.service.name, host: opened.service.host},
    contexts: [],
    switchContext: () => {},
    sites: namespaces.map(id => ({id, name: undefined, openedAtMs: undefined})),
    siteId: others.length === 0 ? only : undefined,
    branch,
    at,
    log: {...log, keepsColour: log.colour === 'keep'},
    openClient: async show => {
      warnings.show(show);
      return opened.client;
    },
    isReplay: false,
    // The cluster lists its namespaces: there is nothing to remember.
    rememberSite: async () => undefined,
    ui,
    notify,
    callWishes,
    branchMemory: createBranchMemory(findStateFolder(io.env, io.homeFolder)),
    notice,
    onExit: async () => {
      await opened.stop();
      warnings.repeat(createSay(io.stderr));
    },
  });
};

/**
 * The namespace can be an operand, as for the other commands, or a flag, as for kubectl. A single operand may be a
 * link: no namespace has a slash.
 */
const readPlace = (parsed: ParsedArguments): {readonly [Part in keyof DeepLink]?: DeepLink[Part] | undefined} => {
  const flag = flagValue(parsed, 'namespace');
  if (parsed.switches.has('all-namespaces') && (flag ?? parsed.operands[0]) !== undefined) {
    throw new UsageError('--all-namespaces and a namespace: leave one of them out');
  }
  if (flag === undefined) {
    const [site, branch] = parsed.operands;
    return (branch === undefined && site !== undefined ? parseDeepLink(site) : undefined) ?? {site, branch};
  }
  const [branch, extra] = parsed.operands;
  if (extra !== undefined) {
    throw new UsageError(`the namespace is given twice: leave out --namespace or "${branch}"`);
  }
  return {site: flag, branch};
};

type Namespaces = {readonly namespaces: readonly string[]; readonly notice?: string};

/** Returns the namespace that is wanted, or all; if those may not be listed, that of the context. */
const findNamespaces = async (
  cluster: Pick<Cluster, 'namespace'> & {readonly client: KubeClient},
  wanted: string | undefined,
  mustList: boolean,
): Promise<Namespaces> => {
  if (wanted !== undefined) {
    await requireNamespace(cluster.client, wanted, {needsLogs: false});
    return {namespaces: [wanted]};
  }
  const own = cluster.namespace;
  const all = await listNamespaces(cluster.client).catch((error: unknown) => {
    throw explainKubeError(error);
  });
  if (all !== undefined) {
    return {namespaces: [...all.filter(name => name === own), ...all.filter(name => name !== own)]};
  }
  if (mustList) {
    throw new ApiError('forbidden', 'namespaces cannot be listed (403): -n NAMESPACE opens one', {status: 403});
  }
  await requireNamespace(cluster.client, own, {needsLogs: false});
  return {
    namespaces: [own],
    notice: `namespaces cannot be listed (403): -n NAMESPACE opens another than ${own}`,
  };
};
