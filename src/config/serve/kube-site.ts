import {parseWorkload, type WorkloadWord, workloadKinds} from '#base/workload-kinds.ts';
import type {TableReader} from '#config/settings/table-reader.ts';
import {type BranchBase, readBranchBases} from './branch-base.ts';

/** A kubeconfig, absolute, and a context of it. Undefined: that which kubectl would use. */
export type ChosenCluster = {readonly kubeconfig: string | undefined; readonly context: string | undefined};

/** Reads the keys of a table that choose a cluster. */
export const readChosenCluster = (table: TableReader, resolvePath: ResolvePath): ChosenCluster => {
  const kubeconfig = table.text('kubeconfig');
  return {
    kubeconfig: kubeconfig && resolvePath(kubeconfig, table, 'kubeconfig'),
    context: table.text('context'),
  };
};

/** Returns an absolute path. Throws a `ConfigError` that names `key` of the table. */
export type ResolvePath = (path: string, table: Pick<TableReader, 'where'>, key: string) => string;

/** Which part of a cluster is a site. */
export type KubeSiteKeys = {
  /** Which cluster; undefined: that of the service. */
  readonly cluster?: ChosenCluster | undefined;
  readonly namespace: string;
  /** Label selector of the workloads, by their labels and those of their pods. */
  readonly selector: string | undefined;
  /** Each value of this label is a branch. If undefined, each workload is one. */
  readonly branchLabel: string | undefined;
  readonly containers: ChosenContainers;
  /** Events of a branch's objects are lines of its log. */
  readonly hasEvents: boolean;
  /** Names of environment variables that the branch record may show. */
  readonly shownVariables: readonly string[];
  readonly branches: readonly KubeBranchKeys[];
};

export type ServedKubeSite = KubeSiteKeys & {
  readonly id: string;
  /** The only token that opens this site. Undefined: the token of the service opens it. */
  readonly tokenFile?: string | undefined;
};

/** With `only`, those and no others. */
export type ChosenContainers = {readonly only: readonly string[] | undefined; readonly except: readonly string[]};

export type KubeBranchKeys = Omit<BranchBase, 'status'> & {
  readonly workload: WorkloadWord | undefined;
  readonly selector: string | undefined;
  readonly containers: ChosenContainers | undefined;
  readonly appserver: string | undefined;
  readonly webserver: string | undefined;
};

type Syntax = {readonly pattern: RegExp; readonly expected: string};

/** RFC 1123, as Kubernetes requires of a namespace and of a container. */
const label: Syntax = {
  pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  expected: 'a name of small letters, digits and "-"',
};
const labelKeyPart = '(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?/)?[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?';
const labelKey: Syntax = {
  pattern: new RegExp(`^${labelKeyPart}$`),
  expected: 'the name of a label, such as "app.kubernetes.io/instance"',
};
const labelValue = '[A-Za-z0-9_.-]*';
const requirement = `\\s*(?:!?\\s*${labelKeyPart}|${labelKeyPart}\\s*(?:=|==|!=)\\s*${labelValue}|${labelKeyPart}\\s+(?:in|notin)\\s*\\([A-Za-z0-9_.,\\s-]*\\))\\s*`;
const labelSelector: Syntax = {
  pattern: new RegExp(`^${requirement}(?:,${requirement})*$`),
  expected: 'a label selector, such as "app=shop,tier!=cache"',
};

const readSyntax = (table: TableReader, key: string, {pattern, expected}: Syntax): string | undefined => {
  const value = table.text(key);
  return value === undefined || pattern.test(value) ? value : table.fail(key, `expected ${expected}`);
};

/**
 * Reads a site with a `[sites.kubernetes]` table, and the `[sites.branches.kubernetes]` tables of its branches. Asks no
 * cluster. Throws a `ConfigError`.
 */
export const readKubeSite = (
  site: TableReader,
  siteId: string,
  cluster: TableReader,
  resolvePath: ResolvePath,
): KubeSiteKeys => {
  cluster.refuseOthers([
    'kubeconfig',
    'context',
    'namespace',
    'selector',
    'branch_label',
    'containers',
    'exclude',
    'events',
    'show_env',
  ]);
  const isOther = cluster.raw('kubeconfig') !== undefined || cluster.raw('context') !== undefined;
  return {
    ...(isOther && {cluster: readChosenCluster(cluster, resolvePath)}),
    namespace: readSyntax(cluster, 'namespace', label) ?? cluster.fail('namespace', 'missing: give the namespace'),
    selector: readSyntax(cluster, 'selector', labelSelector),
    branchLabel: readSyntax(cluster, 'branch_label', labelKey),
    containers: readContainers(cluster) ?? {only: undefined, except: []},
    hasEvents: cluster.flag('events') ?? false,
    shownVariables: cluster.texts('show_env') ?? [],
    branches: readBranchBases(site, siteId).map(({table, base}) => readBranch(table, base)),
  };
};

const readBranch = (branch: TableReader, {id, name, status, fields}: BranchBase): KubeBranchKeys => {
  if (branch.raw('pods') !== undefined) {
    branch.fail('pods', 'the pods of this site come from its [sites.kubernetes]: use another site for files');
  }
  const cluster = branch.table('kubernetes');
  cluster?.refuseOthers(['workload', 'selector', 'containers', 'exclude', 'appserver', 'webserver']);
  return {
    id,
    name,
    // A field like any other here: it wins over what the cluster says.
    fields: status === undefined ? fields : {...fields, status},
    workload: cluster && readWorkload(cluster),
    selector: cluster && readSyntax(cluster, 'selector', labelSelector),
    containers: cluster && readContainers(cluster),
    appserver: cluster && readSyntax(cluster, 'appserver', label),
    webserver: cluster && readSyntax(cluster, 'webserver', label),
  };
};

const readWorkload = (cluster: TableReader): KubeBranchKeys['workload'] => {
  const text = cluster.text('workload');
  if (text === undefined) {
    return undefined;
  }
  const kinds = workloadKinds.map(({kind}) => kind).join(', ');
  return parseWorkload(text) ?? cluster.fail('workload', `expected NAME or KIND/NAME, with a KIND of ${kinds}`);
};

const readContainers = (table: TableReader): ChosenContainers | undefined => {
  const only = table.texts('containers');
  const except = table.texts('exclude');
  if (only && except) {
    return table.fail('exclude', 'cannot be combined with containers: only those are read');
  }
  if (only?.length === 0) {
    return table.fail('containers', 'names no container: leave it out to read all');
  }
  return only || except ? {only, except: except ?? []} : undefined;
};
