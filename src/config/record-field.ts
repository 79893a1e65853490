import type {TableReader} from './table-reader.ts';

/** What the interface says of a field (specification, sections 2.1 to 2.4); `any` where it does not say. */
type Shape =
  | {readonly kind: 'any' | 'text' | 'flag' | 'count' | 'time' | 'object'}
  | {readonly kind: 'table'; readonly fields: Readonly<Record<string, Shape>>}
  | {readonly kind: 'list'; readonly item: Shape};

const any: Shape = {kind: 'any'};
const text: Shape = {kind: 'text'};
const flag: Shape = {kind: 'flag'};
const count: Shape = {kind: 'count'};
const time: Shape = {kind: 'time'};

const allOf = (shape: Shape, names: string): Readonly<Record<string, Shape>> =>
  Object.fromEntries(names.split(' ').map(name => [name, shape]));

const variables: Shape = {kind: 'list', item: {kind: 'table', fields: allOf(text, 'name value')}};
const image: Shape = {kind: 'table', fields: {env: variables}};

/** Null cannot be written in TOML, so nullable fields need no word here. */
const recordFields: Readonly<Record<string, Shape>> = {
  ...allOf(
    flag,
    'isEnableEditor isEnablePMA lock doNotIndex secureConnection isEnablePolymorphing isEnablePolyscripting',
  ),
  ...allOf(
    text,
    'project branchType originBranch applicationName appserverImage appserverTag webserverImage webserverTag',
  ),
  ...allOf(
    text,
    'dbName dbUser dbPassword deployedBy editorHostname editorPwd environment fromApplicationName hostname',
  ),
  ...allOf(text, 'namespace pmaHostname elb'),
  ...allOf(time, 'createdAt updatedAt'),
  ...allOf(any, 'backupInterval copyDatabaseFilesApplication copyDatabaseFilesType copyDatabaseUrl copyFilesUrl'),
  ...allOf(any, 'customDomain fromDB lockPassword lockUsername oldHostname'),
  replicas: count,
  appSettings: {kind: 'table', fields: allOf(text, 'type adminUser adminPassword')},
  deploymentConfig: {
    kind: 'table',
    fields: {
      application: {kind: 'table', fields: {storage: text}},
      images: {kind: 'table', fields: {nginx: image, php: image}},
    },
  },
  lastActivity: {
    kind: 'table',
    fields: {
      ...allOf(text, '_id action createdBy workspace project application environment status taskName'),
      ...allOf(time, 'createdAt updatedAt'),
      lastResponse: {kind: 'table', fields: {...allOf(text, 'id status task'), payload: {kind: 'object'}}},
    },
  },
  customDomains: {
    kind: 'list',
    item: {
      kind: 'table',
      fields: {
        ...allOf(text, '_id domain createdBy workspace application privateKey sslCertificate'),
        ...allOf(time, 'createdAt updatedAt'),
      },
    },
  },
};

const expectations = {
  text: 'a string',
  flag: 'true or false',
  count: 'a whole number, 0 or more',
  time: 'a time like 2026-11-22T01:59:00.000Z',
  object: 'a table',
};

/** With a zone, or it is not one moment. */
const timePattern = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** The interface's form, in UTC with milliseconds; undefined where the value is no time. */
const formatTime = (value: unknown): string | undefined => {
  const ms = typeof value === 'string' && timePattern.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const accepts = (kind: 'text' | 'flag' | 'count' | 'object', value: unknown): boolean => {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'count':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0;
    case 'object':
      return isObject(value);
  }
};

/**
 * Checks a field of a branch record against the interface and answers it as it is served: times in UTC with
 * milliseconds. Fields that the interface doesn't know pass as they are. Throws a `ConfigError`.
 */
export const checkRecordField = (branch: TableReader, key: string, value: unknown): unknown => {
  const check = (shape: Shape, path: string, given: unknown): unknown => {
    switch (shape.kind) {
      case 'any':
        return given;
      case 'time':
        return formatTime(given) ?? branch.mistyped(path, expectations.time, given);
      case 'list':
        return Array.isArray(given)
          ? given.map((item: unknown, index) => check(shape.item, `${path}[${index}]`, item))
          : branch.mistyped(path, 'an array', given);
      case 'table':
        return isObject(given) ? checkTable(shape.fields, path, given) : branch.mistyped(path, 'a table', given);
      default:
        return accepts(shape.kind, given) ? given : branch.mistyped(path, expectations[shape.kind], given);
    }
  };
  const checkTable = (
    fields: Readonly<Record<string, Shape>>,
    path: string,
    given: Readonly<Record<string, unknown>>,
  ): unknown => {
    const dotted = Object.keys(given).find(name => name.includes('.') && fields[name.split('.')[0] ?? '']);
    if (dotted !== undefined) {
      branch.fail(path, `write ${dotted} without quotes: it is a table in a table`);
    }
    return Object.fromEntries(
      Object.entries(given).map(([name, item]) => [name, check(fields[name] ?? any, `${path}.${name}`, item)]),
    );
  };
  return check(recordFields[key] ?? any, key, value);
};
