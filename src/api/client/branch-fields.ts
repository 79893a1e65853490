import {branchRecord, type RecordFieldSpec, type RecordFields, type SimpleType} from '#base/branch-record.ts';
import {Secret} from '#base/secret.ts';
import {isTable, type Table} from '#base/table.ts';
import {createFieldReader, decodeObjects, type FieldProblems, type FieldReader} from './field-reader.ts';

/** How a field is read. */
const readAs = {
  text: 'text',
  textOrNull: 'textOrNull',
  time: 'text',
  flag: 'flag',
  flagOrNull: 'flagOrNull',
  count: 'number',
  secret: 'secret',
  secretOrNull: 'secretOrNull',
  object: 'table',
  any: 'value',
  variables: 'value',
  own: 'value',
} as const satisfies Readonly<Record<SimpleType, keyof FieldReader>>;

/** The decoded field. A missing one is undefined, and so is one of another type. */
type Decoded<Type> = Type extends SimpleType
  ? ReturnType<FieldReader[(typeof readAs)[Type]]>
  : Type extends {readonly table: infer Fields}
    ? Readonly<DecodedFields<Fields>> | undefined
    : never;

type DecodedFields<Fields> = {
  [Field in keyof Fields]?: Fields[Field] extends {readonly is: infer Type} ? Decoded<Type> : never;
};

const decodeField = (read: FieldReader, key: string, {is}: RecordFieldSpec): unknown => {
  if (typeof is === 'string') {
    return read[readAs[is]](key);
  }
  const within = 'table' in is ? read.within(key) : undefined;
  return 'table' in is && within !== undefined ? decodeFields(within, is.table) : undefined;
};

const decodeFields = <Fields extends RecordFields>(read: FieldReader, fields: Fields): DecodedFields<Fields> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, spec]) => [key, decodeField(read, key, spec)]),
  ) as DecodedFields<Fields>;

const {_id, name, status, customDomains, deploymentConfig, workloads, release, releaseTool, troubles, ...plainFields} =
  branchRecord;

/**
 * Reads the fields of a masked branch record (sections 2.1 to 2.4), except those without which the record is skipped.
 * What is never requested from the reader is an unknown field. A field that the service leaves out is undefined, unless
 * its comment says otherwise.
 */
export const readBranchFields = (read: FieldReader, problems: FieldProblems): BranchFields => {
  const fields = decodeFields(read, plainFields);
  return {
    ...fields,
    branchType: fields.branchType ?? '',
    customDomains: decodeCustomDomains(read, problems),
    deploymentConfig: decodeDeploymentConfig(read.table('deploymentConfig'), read.pathOf('deploymentConfig'), problems),
    workloads: decodeWorkloads(read.value('workloads')),
    release: decodeWord(read.value('release')),
    releaseTool: decodeWord(read.value('releaseTool')),
    troubles: decodeTroubles(read.value('troubles')),
  };
};

/** The fields that `readBranchFields` reads, as `branchRecord` describes them; all but four may be missing. */
export type BranchFields = Readonly<
  Omit<DecodedFields<typeof plainFields>, 'branchType'> & {
    /** Empty if it is missing. */
    branchType: string;
    /** Empty if there are none. */
    customDomains: readonly CustomDomain[];
    deploymentConfig?: ReturnType<typeof decodeDeploymentConfig>;
    /** Empty if nothing is known, like `troubles`. */
    workloads: readonly string[];
    release: string | undefined;
    releaseTool: string | undefined;
    troubles: readonly BranchTrouble[];
  }
>;

/** Other services may use the name for something else. */
const decodeWord = (word: unknown): string | undefined => (typeof word === 'string' ? word : undefined);

/** A branch of a label has a few. */
const workloadsMax = 100;

const decodeWorkloads = (workloads: unknown): readonly string[] =>
  (Array.isArray(workloads) ? workloads.slice(0, workloadsMax) : []).filter(
    (name: unknown): name is string => typeof name === 'string',
  );

/** Why a pod, one of its containers, or the branch itself does not work. All strings are untrusted. */
export type BranchTrouble = {
  /** `now`: it does not work. `starting`: not yet. `past`: it ended badly, and works again. */
  readonly state: 'now' | 'starting' | 'past';
  readonly pod: string | undefined;
  readonly container: string | undefined;
  /** `CrashLoopBackOff ×7, OOMKilled exit 137` */
  readonly reason: string;
  readonly message: string | undefined;
  /** ISO 8601. */
  readonly since: string | undefined;
};

/** A record with more is cut: the worst come first. */
const troublesMax = 100;

const noProblems: FieldProblems = {add: () => undefined, addNote: () => undefined, list: () => []};

/** The field is an addition to the interface: what is not as expected is passed over. */
const decodeTroubles = (troubles: unknown): readonly BranchTrouble[] =>
  (Array.isArray(troubles) ? troubles.slice(0, troublesMax) : []).flatMap((item: unknown) => {
    const read = createFieldReader(isTable(item) ? item : {}, '', noProblems);
    const [reason, state] = [read.text('reason'), read.text('state')];
    return reason === undefined || reason === ''
      ? []
      : [
          {
            state: state === 'starting' || state === 'past' ? state : 'now',
            pod: read.text('pod'),
            container: read.text('container'),
            reason,
            message: read.text('message'),
            since: read.text('since'),
          },
        ];
  });

const {domain: _domain, sslCertificate, ...plainDomainFields} = customDomains.is.list;

/** An element of `customDomains`, section 2.4. */
export type CustomDomain = Readonly<
  {domain: string; sslCertificate?: string | Secret | undefined} & DecodedFields<typeof plainDomainFields>
>;

const decodeCustomDomain = (domain: string, read: FieldReader): CustomDomain => {
  const isSecret = read.value('sslCertificate') instanceof Secret;
  return {
    domain,
    ...decodeFields(read, plainDomainFields),
    sslCertificate: isSecret ? read.secret('sslCertificate') : read.text('sslCertificate'),
  };
};

const decodeCustomDomains = (parent: FieldReader, problems: FieldProblems): readonly CustomDomain[] =>
  decodeObjects(parent.items('customDomains'), parent.pathOf('customDomains'), problems, (item, path) =>
    typeof item.domain === 'string'
      ? decodeCustomDomain(item.domain, createFieldReader(item, path, problems))
      : problems.add(`${path}.domain`, 'a string', item.domain),
  );

/**
 * Section 2.2. The specification's dotted names may arrive as keys with dots or as nested objects; here they are flat.
 */
type DeploymentConfig = {
  /** `application.storage`: a size with its unit. */
  readonly applicationStorage?: string | undefined;
  /** `images.nginx.env`: environment of the web server. */
  readonly nginxEnv: readonly EnvironmentVariable[];
  /** `images.php.env`: environment of the application server. */
  readonly phpEnv: readonly EnvironmentVariable[];
};

type EnvironmentVariable = {
  readonly name: string;
  /** A `Secret` if the name or the value looks like one. */
  readonly value: string | Secret;
};

/**
 * Decodes `deploymentConfig` (section 2.2) from a masked record. The specification writes `images.nginx.env` and does
 * not say whether that is a key with dots or a path of objects, so both are accepted, as are mixtures.
 */
const decodeDeploymentConfig = (
  table: Table | undefined,
  path: string,
  problems: FieldProblems,
): DeploymentConfig | undefined => {
  if (!table) {
    return undefined;
  }
  const storage = findDotted(table, ['application', 'storage']);
  if (storage !== undefined && storage !== null && typeof storage !== 'string' && !(storage instanceof Secret)) {
    problems.add(`${path}.application.storage`, 'a string', storage);
  }
  const readEnv = (image: string) =>
    decodeEnv(findDotted(table, ['images', image, 'env']), `${path}.images.${image}.env`, problems);
  return {
    applicationStorage: typeof storage === 'string' ? storage : undefined,
    nginxEnv: readEnv('nginx'),
    phpEnv: readEnv('php'),
  };
};

/** Finds `a.b.c` as `{'a.b.c': …}`, `{a: {b: {c: …}}}` or any mixture; the first own key that leads to a value wins. */
const findDotted = (table: Table, parts: readonly string[]): unknown => {
  for (let count = parts.length; count > 0; count -= 1) {
    const key = parts.slice(0, count).join('.');
    if (!Object.hasOwn(table, key)) {
      continue;
    }
    const value = table[key];
    if (count === parts.length) {
      return value;
    }
    const below = isTable(value) ? findDotted(value, parts.slice(count)) : undefined;
    if (below !== undefined) {
      return below;
    }
  }
  return undefined;
};

const decodeEnv = (value: unknown, path: string, problems: FieldProblems): readonly EnvironmentVariable[] => {
  if (value === undefined || value === null) {
    return [];
  }
  if (!Array.isArray(value)) {
    problems.add(path, 'an array', value);
    return [];
  }
  return decodeObjects(value, path, problems, ({name, value: text}, at) => {
    if (typeof name !== 'string') {
      return problems.add(`${at}.name`, 'a string', name);
    }
    return typeof text === 'string' || text instanceof Secret
      ? {name, value: text}
      : problems.add(`${at}.value`, 'a string', text);
  });
};
