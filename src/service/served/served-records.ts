import {branchRecord, type RecordFieldSpec, type RecordFields, type SimpleType} from '#base/branch-record.ts';
import type {BranchRecord} from '#service/backend/backend.ts';
import {isJsonTable} from '#service/link/object-fields.ts';
import type {ServedBranch} from './served-settings.ts';

const isMaster = (name: string): boolean => name === 'master' || name === 'main';

/** Given values win, table by table, so that a table with only one given field has the others too. */
export const fillIn = (given: unknown, neutral: unknown): unknown =>
  isJsonTable(given) && isJsonTable(neutral)
    ? Object.fromEntries(
        [...Object.entries(neutral), ...Object.entries(given)].map(([key, value]) => [
          key,
          fillIn(value, neutral[key]),
        ]),
      )
    : given;

/** A field with nothing set; null is in place of those that have no such value. */
const neutralValues: Readonly<Partial<Record<SimpleType, unknown>>> = {
  text: '',
  secret: '',
  flag: false,
  count: 0,
  object: {},
  variables: [],
};

type Times = {readonly [field: string]: string};

const neutralValue = (key: string, is: RecordFieldSpec['is'], times: Times): unknown => {
  if (typeof is === 'string') {
    return is === 'time' ? times[key] : (neutralValues[is] ?? null);
  }
  return 'table' in is ? neutralFields(is.table, times) : [];
};

const neutralFields = (fields: RecordFields, times: Times): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([key, {is}]) => [key, neutralValue(key, is, times)]));

const {customDomains: domainsSpec, ...otherFields} = branchRecord;

/** Returns the fields that a branch has, built out or not, with nothing set but what follows from its configuration. */
const makeNeutral = (siteId: string, branch: ServedBranch, times: Times): ReadonlyMap<string, unknown> => {
  const specs: readonly [string, RecordFieldSpec][] = Object.entries(otherFields);
  const fields = Object.fromEntries(
    specs.filter(([, {isBase, isAdded}]) => isBase || (branch.status !== null && !isAdded)),
  );
  const known = {
    ...neutralFields(fields, times),
    project: siteId,
    branchType: isMaster(branch.name) ? 'MASTER' : 'BRANCH',
    originBranch: isMaster(branch.name) ? branch.name : 'master',
  };
  const activity = neutralFields(branchRecord.lastActivity.is.table, times);
  const built = {
    applicationName: branch.name,
    namespace: siteId,
    replicas: branch.pods.length,
    lastActivity: {...activity, project: siteId, application: branch.id},
  };
  return new Map<string, unknown>(Object.entries(branch.status === null ? known : {...known, ...built}));
};

/**
 * Creates a branch record, interface specification sections 2.1 to 2.4. The configuration overrides these neutral
 * values, except for the four fields of the branch's identity and status: `_id`, `name`, `status`, `project`. A branch
 * that is not built out has only the base fields and what the configuration adds. A table or custom domain given in
 * part gets neutral values for the rest.
 */
export const makeBranchRecord = (
  siteId: string,
  branch: ServedBranch,
  known: {readonly createdAtMs: number; readonly updatedAtMs: number},
): BranchRecord => {
  const createdAt = new Date(known.createdAtMs).toISOString();
  const updatedAt = new Date(known.updatedAtMs).toISOString();
  const times = {createdAt, updatedAt};
  const neutral = makeNeutral(siteId, branch, times);
  const neutralDomain = {...neutralFields(domainsSpec.is.list, times), application: branch.id};
  const {customDomains} = branch.fields;
  const domains = Array.isArray(customDomains)
    ? customDomains.map((domain: unknown) => fillIn(domain, neutralDomain))
    : [];
  return {
    ...Object.fromEntries(neutral),
    ...Object.fromEntries(Object.entries(branch.fields).map(([key, value]) => [key, fillIn(value, neutral.get(key))])),
    customDomains: domains,
    project: siteId,
    _id: branch.id,
    name: branch.name,
    status: branch.status,
  };
};
