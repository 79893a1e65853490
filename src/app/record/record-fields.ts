import type {Branch} from '#api/client/answer.ts';
import type {Tone} from '#app/rows/view-row.ts';
import {describeStatus, notAsDescribed, troubleWords} from '#app/words/describe-status.ts';
import {branchRecord, type RecordFieldSpec, type RecordFields, recordGroupTitles} from '#base/branch-record.ts';
import {Secret} from '#base/secret.ts';
import {isTable} from '#base/table.ts';

/** A value that is not taken apart further, and the path to it: `images.php.replicas`, `args[0]`. */
type Leaf = {
  readonly path: string;
  /** Set for an item of a list of `{name, value}` pairs; its path is that of the list. */
  readonly name?: string;
  readonly value: unknown;
};

/** More than a person reads; a service may send as many as fit into an answer. */
const leavesMax = 2_000;

/** Takes a value apart into its leaves, in order. Empty objects and lists are leaves. */
export const flattenFields = (value: unknown): readonly Leaf[] => {
  const leaves: Leaf[] = [];
  const walk = (node: unknown, path: string): void => {
    if (leaves.length >= leavesMax) {
      return;
    }
    const entries = typeof node !== 'object' || node === null || node instanceof Secret ? [] : Object.entries(node);
    if (entries.length === 0) {
      leaves.push({path, value: node});
    } else if (Array.isArray(node)) {
      for (const [index, item] of node.entries()) {
        const pair = pairOf(item);
        if (pair === undefined) {
          walk(item, `${path}[${index}]`);
        } else {
          leaves.push({path, ...pair});
        }
      }
    } else {
      for (const [key, item] of entries) {
        walk(item, path === '' ? key : `${path}.${key}`);
      }
    }
  };
  walk(value, '');
  return leaves.slice(0, leavesMax);
};

const pairOf = (item: unknown): Pick<Leaf, 'name' | 'value'> | undefined =>
  typeof item === 'object' &&
  item !== null &&
  Object.keys(item).length === 2 &&
  'name' in item &&
  'value' in item &&
  typeof item.name === 'string'
    ? {name: item.name, value: item.value}
    : undefined;

/** A field of a record. */
export type RecordField = {
  /** Unique in the record, and the same in every record that has the field. */
  readonly key: string;
  readonly label: string;
  /** As received: untrusted text. A secret stays a `Secret`. */
  readonly value: string | Secret;
  /** Shown before a secret's mask or text. */
  readonly prefix?: string;
  /** Shown instead of the value. */
  readonly summary?: string;
  /** The value is an ISO 8601 time. */
  readonly isTime?: boolean;
  /** The value is a host name that can be opened. */
  readonly isHost?: boolean;
  readonly tone?: Tone;
};

export type RecordGroup = {readonly title: string; readonly fields: readonly RecordField[]};

type Extras = Pick<RecordField, 'isTime' | 'isHost' | 'tone'>;

/**
 * Returns a field of any type; none if the record lacks it. Null is shown as null and an empty text as two quotes, so
 * that neither looks like a missing field. Secrets inside an object convert to their masks.
 */
export const field = (key: string, label: string, value: unknown, extras: Extras = {}): readonly RecordField[] => {
  if (value === undefined) {
    return [];
  }
  if (value === null) {
    return [{key, label, value: 'null', tone: 'dim'}];
  }
  if (value === '') {
    return [{key, label, value, summary: '""', tone: 'dim'}];
  }
  return [{key, label, value: value instanceof Secret ? value : textOfValue(value), ...extras}];
};

const textOfValue = (value: unknown): string => {
  switch (typeof value) {
    case 'boolean':
      return value ? 'yes' : 'no';
    case 'object':
      return JSON.stringify(value);
    default:
      return String(value);
  }
};

/** The key of a field in its table, its label, and how to show it. */
type FieldRow = readonly [key: string, label: string, extras?: Extras];

const rowOf = ([key, {label = key, is, isHost}]: readonly [string, RecordFieldSpec]): FieldRow => [
  key,
  label,
  {...(is === 'time' && {isTime: true}), ...(isHost && {isHost})},
];

const rowsOf = (fields: RecordFields): readonly FieldRow[] => Object.entries(fields).map(rowOf);

/**
 * Returns the fields of a table: the known ones first, then all others by their own names. Anything that is not a table
 * is one field.
 */
export const tableFields = (
  key: string,
  label: string,
  table: unknown,
  rows: readonly FieldRow[],
): readonly RecordField[] => {
  if (!isTable(table)) {
    return field(key, label, table);
  }
  const known = new Set(rows.map(([name]) => name));
  const others = Object.keys(table).filter(name => !known.has(name));
  return [...rows, ...others.map((name): FieldRow => [name, name])].flatMap(([name, words, extras]) =>
    field(`${key}.${name}`, words, Object.hasOwn(table, name) ? table[name] : undefined, extras),
  );
};

const image = (name: unknown, tag: unknown): string | undefined => {
  const parts = [name, tag].filter(part => part !== undefined && part !== '').map(String);
  return parts.length === 0 ? undefined : parts.join(':');
};

const domainRows = rowsOf(branchRecord.customDomains.is.list);

const domainFields = (domain: unknown, index: number): readonly RecordField[] =>
  tableFields(`customDomains.${index}`, 'domain', domain, domainRows).map(each => ({
    ...each,
    label: each.label === 'domain' ? each.label : `  ${each.label}`,
    ...(each.key.endsWith('.sslCertificate') &&
    typeof each.value === 'string' &&
    each.value.length > certificateCharsMin
      ? {summary: `there, ${each.value.length} characters`}
      : {}),
  }));

/** Shorter texts in place of a certificate are shown. */
const certificateCharsMin = 40;

const configLabels: Readonly<Record<string, string>> = {
  'application.storage': 'storage',
  'images.nginx.env': 'web server env',
  'images.php.env': 'app server env',
};

/** Returns the deployment's configuration, whether its dotted names (section 2.2) came as keys or as nested objects. */
const configFields = (config: unknown): readonly RecordField[] => {
  if (!isTable(config)) {
    return field('deploymentConfig', 'config', config);
  }
  const counts = new Map<string, number>();
  return flattenFields(config).flatMap(({path, name, value}, index, leaves): readonly RecordField[] => {
    const label = leaves[index - 1]?.path === path ? '' : (configLabels[path] ?? path);
    // Keyed by name, so that the highlight stays when others are added; a name may occur twice.
    const named = `deploymentConfig.${path}${name === undefined ? '' : `.${name}`}`;
    const count = counts.get(named) ?? 0;
    counts.set(named, count + 1);
    const key = count === 0 ? named : `${named}.${count}`;
    if (name === undefined) {
      return field(key, label, value);
    }
    return value instanceof Secret
      ? [{key, label, value, prefix: `${name}=`}]
      : [{key, label, value: `${name}=${value === null ? 'null' : textOfValue(value)}`}];
  });
};

/**
 * Returns a branch's record in groups: every field of section 2 of the interface specification that it has, then the
 * fields that the specification does not name. Empty groups are left out.
 */
export const groupRecord = (branch: Branch): readonly RecordGroup[] =>
  groupsOf(branch).filter(({fields}) => fields.length > 0);

/** `shop (Helm)` */
const withTool = (release: string, tool: string | undefined): string =>
  tool === undefined ? release : `${release} (${tool})`;

/** Fields whose rows are not just a label and a value. */
type OwnRows = {
  [Field in keyof typeof branchRecord]: (typeof branchRecord)[Field] extends {readonly hasOwnRows: true}
    ? Field
    : never;
}[keyof typeof branchRecord];

const host: Extras = {isHost: true};

const ownRows: Readonly<Record<OwnRows, (branch: Branch) => readonly RecordField[]>> = {
  status: ({record, status}) => {
    const {words, tone} = describeStatus(status);
    const value = status === undefined ? record.status : status === null ? `null, ${words}` : status;
    // The outcome comes first: it survives when the row is cut.
    const summary = typeof status === 'string' && words !== status ? {summary: `${words}   ${status}`} : {};
    return field('status', 'status', value, {tone}).map(each => ({...each, ...summary}));
  },
  troubles: ({troubles}) =>
    troubles.flatMap((trouble, index) =>
      field(`troubles.${index}`, index === 0 ? 'trouble' : '', troubleWords(trouble), {tone: 'busy'}),
    ),
  workloads: ({workloads}) => field('workloads', 'made by', workloads.length === 0 ? undefined : workloads.join(', ')),
  release: ({release, releaseTool}) =>
    field('release', 'release', release === undefined ? undefined : withTool(release, releaseTool)),
  releaseTool: () => [],
  lastActivity: ({record}) =>
    tableFields('lastActivity', 'activity', record.lastActivity, rowsOf(branchRecord.lastActivity.is.table)),
  hostname: ({record}) => [
    ...field('hostname', 'branch', record.hostname, host),
    ...(domainsOf(record) ?? []).flatMap((domain, index) =>
      isTable(domain) ? field(`customDomains.${index}`, 'custom', domain.domain, host) : [],
    ),
  ],
  webserverImage: ({record}) => [
    ...(isTable(record.appSettings)
      ? field('appSettings.type', 'type', record.appSettings.type)
      : field('appSettings', 'settings', record.appSettings)),
    ...field('webserverImage', 'web server', image(record.webserverImage, record.webserverTag)),
  ],
  webserverTag: () => [],
  appserverImage: ({record}) =>
    field('appserverImage', 'app server', image(record.appserverImage, record.appserverTag)),
  appserverTag: () => [],
  deploymentConfig: ({record}) => configFields(record.deploymentConfig),
  customDomains: ({record}) =>
    domainsOf(record)?.flatMap(domainFields) ?? field('customDomains', 'domains', record.customDomains),
  appSettings: ({record: {appSettings}}) => {
    const {type, ...others} = isTable(appSettings) ? appSettings : {};
    const {type: _, ...rows} = branchRecord.appSettings.is.table;
    return tableFields('appSettings', '', others, rowsOf(rows));
  },
};

const domainsOf = ({customDomains}: Branch['record']): readonly unknown[] | undefined =>
  Array.isArray(customDomains) ? customDomains : undefined;

const hasOwnRows = (key: string): key is OwnRows => Object.hasOwn(ownRows, key);

const recordRows: readonly (readonly [string, RecordFieldSpec])[] = Object.entries(branchRecord);

const groupsOf = (branch: Branch): readonly RecordGroup[] => [
  {
    title: 'Not as the interface describes',
    fields: branch.malformed.flatMap(path => field(`malformed.${path}`, path, notAsDescribed, {tone: 'busy'})),
  },
  ...recordGroupTitles.map(title => ({
    title,
    fields: recordRows
      .filter(([, {group}]) => group === title)
      .flatMap(spec => {
        const [key, label, extras] = rowOf(spec);
        return hasOwnRows(key) ? ownRows[key](branch) : field(key, label, branch.record[key], extras);
      }),
  })),
  {
    title: 'Other fields',
    fields: Object.entries(branch.unknownFields).flatMap(([name, value]) => field(`other.${name}`, name, value)),
  },
];
