import {contextNamespace, flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {hasScreen} from '#cli/io/io.ts';
import {openClusterClient} from '#cli/open/cluster-client.ts';
import {clusterRemarks} from '#cli/open/cluster-remarks.ts';
import {type FindWishes, findSites} from '#cli/open/find-sites.ts';
import {openChosenClusters} from '#cli/open/kube-flags.ts';
import {createBranchMemory} from '#config/memory/branch-memory.ts';
import {findStateFolder} from '#config/settings/folders.ts';
import type {LogSettings} from '#config/settings/settings.ts';
import {type DeepLink, parseDeepLink} from '#log/words/deep-link.ts';
import type {Cluster} from '#service/kubernetes/open-cluster.ts';
import {createGuardReader} from './read-guard.ts';
import {prepareScreens} from './start/prepare-screens.ts';
import type {UiInput} from './ui.ts';

/**
 * Runs `branchlog kube [NAMESPACE [BRANCH]]`: the screens on a cluster. Throws a `UsageError`, an `ApiError` or a
 * `NotFoundError` before the screens are open.
 */
export const runKube = async (input: UiInput): Promise<number> => {
  const {parsed, io} = input;
  const given = readPlace(parsed);
  if (!hasScreen(io)) {
    throw new UsageError(
      'the terminal UI needs a terminal that supports control sequences. Without one, use branchlog branches --kube NAMESPACE and branchlog logs --kube NAMESPACE BRANCH --follow',
    );
  }
  const {log, say, warn, show} = await prepareScreens(input);
  const stateFolder = findStateFolder(io.env, io.homeFolder);
  const clusters = await openChosenClusters(parsed, io, warn);
  const closeAll = () => Promise.all(clusters.map(({client}) => client.close()));
  const hasEvents = log.kubeEvents && !parsed.switches.has('previous') && !parsed.switches.has('no-events');
  const {opened, notice, sites, place} = await openSites(
    clusters,
    {given, parsed, io, say, warn, hasEvents},
    log,
  ).catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });
  return show({
    context: {name: opened.service.name, host: opened.service.host, remarks: clusterRemarks(clusters)},
    siteIds: sites,
    branch: place.branch,
    at: place.at,
    // A probe opens a stream to each container of the branch, and keeps it for some minutes.
    probesOnlyShown: true,
    client: opened.client,
    branchMemory: createBranchMemory(stateFolder),
    readGuard: createGuardReader(stateFolder, io.clock),
    notice,
    stop: () => Promise.all([opened.stop(), closeAll()]),
  });
};

type Place = {readonly [Part in keyof DeepLink]?: DeepLink[Part] | undefined};

const openSites = async (
  clusters: readonly Cluster[],
  {given, ...wishes}: Omit<FindWishes, 'wanted'> & {readonly given: Place},
  log: LogSettings,
) => {
  const {io, warn, parsed} = wishes;
  const place = readLink(given, clusters.length > 1 ? clusters.map(({contextName}) => `${contextName}/`) : []);
  const {parts, notice} = await findSites(clusters, {...wishes, wanted: place.site});
  const sites = parts.flatMap(part => part.sites.map(({id}) => id));
  if (place.branch !== undefined && sites.length > 1) {
    throw new UsageError(`${place.site} is in several contexts: name one of them, such as ${sites[0]}`);
  }
  const reading = {bufferMb: log.kubeBufferMb, firstRead: undefined, isPrevious: parsed.switches.has('previous')};
  const opened = await openClusterClient(parts, reading, {io, warn});
  return {opened, notice, sites, place};
};

/** The namespace can be an operand, as for the other commands, or a flag, as for kubectl. */
const readPlace = (parsed: ParsedArguments): Place => {
  const flag = flagValue(parsed, 'namespace');
  if (parsed.switches.has('all-namespaces') && (flag ?? parsed.operands[0]) !== undefined) {
    throw new UsageError('--all-namespaces and a namespace: leave one of them out');
  }
  const [word, ...more] = parsed.operands;
  const operands = word === contextNamespace ? more : parsed.operands;
  const [site, branch, extra] = flag === undefined ? operands : [flag, ...operands];
  if (extra !== undefined) {
    throw new UsageError(`the namespace is given twice: leave out --namespace or "${branch}"`);
  }
  return {site, branch};
};

/**
 * A single operand may be a link: no namespace has a slash. With several contexts, one may stand before the namespace:
 * `prod-eu/shop`.
 */
const readLink = (place: Place, prefixes: readonly string[]): Place => {
  const {site, branch} = place;
  const isInContext = prefixes.some(prefix => site?.startsWith(prefix) && !site.slice(prefix.length).includes('/'));
  return (branch === undefined && site !== undefined && !isInContext ? parseDeepLink(site) : undefined) ?? place;
};
