import {isTable, type TableReader} from '../values/table-reader.ts';

/**
 * Returns a value of the branch record as it is served, or throws a `ConfigError` that names the path and what was
 * expected.
 */
type Check = (branch: TableReader, path: string, given: unknown) => unknown;
/**
 * The fields' types in the interface (specification, sections 2.1 to 2.4). Fields that are not listed here pass
 * unchanged.
 */
type Fields = Readonly<Record<string, Check>>;

const check =
  (expected: string, accepts: (given: unknown) => boolean): Check =>
  (branch, path, given) =>
    accepts(given) ? given : branch.mistyped(path, expected, given);

const text = check('a string', given => typeof given === 'string');
const flag = check('true or false', given => typeof given === 'boolean');
const count = check('a whole number, 0 or more', given => Number.isInteger(given) && Number(given) >= 0);
const anyTable = check('a table', isTable);

/** Requires a time zone: without one it is not a definite moment. */
const timePattern = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

const time: Check = (branch, path, given) => {
  const ms = typeof given === 'string' && timePattern.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(ms)
    ? branch.mistyped(path, 'a time like 2026-11-22T01:59:00.000Z', given)
    : new Date(ms).toISOString();
};

const list =
  (item: Check): Check =>
  (branch, path, given) =>
    Array.isArray(given)
      ? given.map((each: unknown, index) => item(branch, `${path}[${index}]`, each))
      : branch.mistyped(path, 'an array', given);

const table =
  (fields: Fields): Check =>
  (branch, path, given) => {
    if (!isTable(given)) {
      return branch.mistyped(path, 'a table', given);
    }
    const dotted = Object.keys(given).find(name => name.includes('.') && fields[name.split('.')[0] ?? '']);
    if (dotted !== undefined) {
      branch.fail(path, `write ${dotted} without quotes: it is a table in a table`);
    }
    return Object.fromEntries(
      Object.entries(given).map(([name, each]) => [name, fields[name]?.(branch, `${path}.${name}`, each) ?? each]),
    );
  };

const allOf = (each: Check, names: string): Fields => Object.fromEntries(names.split(' ').map(name => [name, each]));

const variables = list(table(allOf(text, 'name value')));
const image = table({env: variables});

/** TOML has no null, so nullable fields need no special case. */
const recordFields: Fields = {
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
  replicas: count,
  appSettings: table(allOf(text, 'type adminUser adminPassword')),
  deploymentConfig: table({
    application: table(allOf(text, 'storage')),
    images: table({nginx: image, php: image}),
  }),
  lastActivity: table({
    ...allOf(text, '_id action createdBy workspace project application environment status taskName'),
    ...allOf(time, 'createdAt updatedAt'),
    lastResponse: table({...allOf(text, 'id status task'), payload: anyTable}),
  }),
  customDomains: list(
    table({
      ...allOf(text, '_id domain createdBy workspace application privateKey sslCertificate'),
      ...allOf(time, 'createdAt updatedAt'),
    }),
  ),
};

/**
 * Checks a field of a branch record against the interface and returns it as it is served: times are in UTC with
 * milliseconds. Fields without a type in the interface pass unchanged. Throws a `ConfigError`.
 */
export const checkRecordField = (branch: TableReader, key: string, value: unknown): unknown =>
  recordFields[key]?.(branch, key, value) ?? value;
