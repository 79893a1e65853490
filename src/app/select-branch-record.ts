import type {Branch, EnvironmentVariable} from '../api/branch.ts';
import {sanitiseWord} from '../log/sanitise.ts';
import {describeStatus} from './describe-status.ts';
import {fitRow} from './fit-row.ts';
import {formatAgo} from './format-time.ts';
import {span, type Tone, type ViewRow} from './view-row.ts';

const valueCharsMax = 300;
/** The longest label, and two blanks. */
const labelColumns = 'web server env'.length + 2;

type Field = {readonly label: string; readonly value: string; readonly tone?: Tone};
type Group = {readonly title: string; readonly fields: readonly Field[]};

/** A branch's record in groups, as many rows as there is room for; secrets are masks, which is how they print. */
export const selectBranchRecord = (
  branch: Branch,
  nowMs: number,
  columns: number,
  rows: number,
): readonly ViewRow[] => {
  const all = groupsOf(branch, nowMs)
    .map(({title, fields}) => ({title, fields: fields.filter(field => field.value !== '')}))
    .filter(group => group.fields.length > 0)
    .flatMap(({title, fields}) => [[span(title, 'strong')], ...fields.map(fieldRow)])
    .map(row => fitRow(row, columns));
  return all.length <= rows
    ? all
    : [...all.slice(0, rows - 1), fitRow([span(`… ${all.length - rows + 1} more rows`, 'dim')], columns)];
};

const fieldRow = ({label, value, tone = 'plain'}: Field): ViewRow => [
  span(`  ${label.padEnd(labelColumns)}`, 'dim'),
  span(sanitiseWord(value, valueCharsMax), tone),
];

/** How long ago comes first: it is what is asked for, and what stays where the row is cut. */
const when = (timestamp: string | undefined, nowMs: number): string =>
  timestamp === undefined ? '' : [formatAgo(timestamp, nowMs), timestamp].filter(word => word !== '').join(', ');

/** Any value of the record as text. Secrets convert to their mask, so none can slip through here. */
const show = (value: unknown): string => {
  switch (typeof value) {
    case 'undefined':
      return '';
    case 'string':
      return value;
    case 'boolean':
      return value ? 'yes' : 'no';
    case 'object':
      return value === null ? '' : JSON.stringify(value);
    default:
      return String(value);
  }
};

const image = (name: string | undefined, tag: string | undefined): string =>
  [name, tag].filter(word => word !== undefined && word !== '').join(':');

const environment = (label: string, variables: readonly EnvironmentVariable[] | undefined): readonly Field[] =>
  (variables ?? []).map(({name, value}, index) => ({label: index === 0 ? label : '', value: `${name}=${value}`}));

const groupsOf = (branch: Branch, nowMs: number): readonly Group[] => {
  const look = describeStatus(branch.status);
  const {lastActivity, deploymentConfig, appSettings} = branch;
  return [
    {
      title: 'Branch',
      fields: [
        {label: 'name', value: branch.name},
        {label: 'id', value: branch._id},
        {label: 'status', value: branch.status === null ? look.words : branch.status, tone: look.tone},
        {label: 'type', value: branch.branchType},
        {label: 'from', value: show(branch.originBranch)},
        {label: 'created', value: when(branch.createdAt, nowMs)},
        {label: 'changed', value: when(branch.updatedAt, nowMs)},
        {label: 'pods', value: show(branch.replicas)},
        {label: 'locked', value: show(branch.lock)},
      ],
    },
    {
      title: 'Last activity',
      fields: [
        {label: 'action', value: [show(lastActivity?.action), show(lastActivity?.status)].join(' ').trim()},
        {label: 'by', value: show(lastActivity?.createdBy)},
        {label: 'when', value: when(lastActivity?.updatedAt ?? lastActivity?.createdAt, nowMs)},
      ],
    },
    {
      title: 'Hostnames',
      fields: [
        {label: 'site', value: show(branch.hostname)},
        ...branch.customDomains.map(({domain}) => ({label: 'custom', value: domain})),
        {label: 'editor', value: show(branch.editorHostname)},
        {label: 'database', value: show(branch.pmaHostname)},
        {label: 'balancer', value: show(branch.elb)},
      ],
    },
    {
      title: 'Application',
      fields: [
        {label: 'type', value: show(appSettings?.type)},
        {label: 'admin', value: show(appSettings?.adminUser)},
        {label: 'password', value: show(appSettings?.adminPassword?.toString()), tone: 'dim'},
        {label: 'web server', value: image(branch.webserverImage, branch.webserverTag)},
        {label: 'app server', value: image(branch.appserverImage, branch.appserverTag)},
        {label: 'storage', value: show(deploymentConfig?.applicationStorage)},
        {label: 'namespace', value: show(branch.namespace)},
        ...environment('web server env', deploymentConfig?.nginxEnv),
        ...environment('app server env', deploymentConfig?.phpEnv),
      ],
    },
    {
      title: 'Database',
      fields: [
        {label: 'name', value: show(branch.dbName)},
        {label: 'user', value: show(branch.dbUser)},
        {label: 'password', value: show(branch.dbPassword?.toString()), tone: 'dim'},
      ],
    },
  ];
};
