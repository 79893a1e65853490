import type {Secret} from './secret.ts';

/**
 * The branch record, interface specification sections 2.1 to 2.4. Field names are the specification's. Every string is
 * foreign text: it is sanitised before it reaches a cell. Timestamps are ISO 8601 in UTC, kept as received.
 */
export type Branch = BranchBase &
  BranchDetails & {
    /** Fields the specification does not name, secrets wrapped. */
    readonly unknownFields: Readonly<Record<string, unknown>>;
    /** The whole record as received, secrets wrapped: any field whose name or value looks like one too. */
    readonly record: Readonly<Record<string, unknown>>;
  };

/**
 * Base fields, "present on every branch record" (section 2.1). Without `_id` or `name` a record is of no use and is
 * skipped; any other may be missing from a service that is not exact, and is then undefined (or null, empty, as said).
 */
export type BranchBase = {
  /** The branch's identifier: the last part of the address of its log. */
  readonly _id: string;
  /** The in-browser code editor is enabled. */
  readonly isEnableEditor?: boolean | undefined;
  /** The database administration tool is enabled. */
  readonly isEnablePMA?: boolean | undefined;
  /** Access lock on the branch. */
  readonly lock?: boolean | undefined;
  /** Search engines are asked to stay away; null occurs. */
  readonly doNotIndex?: boolean | null | undefined;
  readonly secureConnection?: boolean | undefined;
  /** Identifier of the owning site. */
  readonly project?: string | undefined;
  readonly name: string;
  /** `MASTER` for the master branch; other values are not listed. Empty where it is missing. */
  readonly branchType: string;
  /** Name of the branch this one derives from. */
  readonly originBranch?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  /** Empty when there are none. */
  readonly customDomains: readonly CustomDomain[];
  /** null: not built out yet. `DEPLOY_APPLICATION_SUCCESS`: deployed (section 3); others are not listed and are shown as they are. */
  readonly status: string | null;
};

/** Additional fields on the full record of a built-out branch (section 2.1). */
export type BranchDetails = {
  readonly appSettings?: AppSettings | undefined;
  /** Deployment name of the branch. */
  readonly applicationName?: string | undefined;
  /** Application server image name. */
  readonly appserverImage?: string | undefined;
  /** Application server image tag. */
  readonly appserverTag?: string | undefined;
  /** Web server image name. */
  readonly webserverImage?: string | undefined;
  /** Web server image tag. */
  readonly webserverTag?: string | undefined;
  /** The type of a value that is not null is not specified; so for the `unknown` ones below. Secrets in them are wrapped. */
  readonly backupInterval?: unknown;
  readonly copyDatabaseFilesApplication?: unknown;
  readonly copyDatabaseFilesType?: unknown;
  readonly copyDatabaseUrl?: unknown;
  readonly copyFilesUrl?: unknown;
  readonly customDomain?: unknown;
  readonly dbName?: string | undefined;
  readonly dbUser?: string | undefined;
  readonly dbPassword?: Secret | undefined;
  /** Identifier of the user that deployed. */
  readonly deployedBy?: string | undefined;
  readonly deploymentConfig?: DeploymentConfig | undefined;
  /** Hostname of the code editor. */
  readonly editorHostname?: string | undefined;
  /** Password of the code editor. */
  readonly editorPwd?: Secret | undefined;
  /** Environment identifier. */
  readonly environment?: string | undefined;
  readonly fromApplicationName?: string | undefined;
  readonly fromDB?: unknown;
  /** Hostname of the branch. */
  readonly hostname?: string | undefined;
  readonly isEnablePolymorphing?: boolean | undefined;
  readonly isEnablePolyscripting?: boolean | undefined;
  readonly lockPassword?: Secret | null | undefined;
  readonly lockUsername?: unknown;
  readonly namespace?: string | undefined;
  readonly oldHostname?: unknown;
  /** Hostname of the database administration tool. */
  readonly pmaHostname?: string | undefined;
  /** Number of replicas, an integer. */
  readonly replicas?: number | undefined;
  readonly lastActivity?: LastActivity | undefined;
  /** Hostname of the load balancer in front of the branch. */
  readonly elb?: string | undefined;
};

export type AppSettings = {
  /** Application type. */
  readonly type?: string | undefined;
  readonly adminUser?: string | undefined;
  readonly adminPassword?: Secret | undefined;
};

/** Section 2.2. The specification's dotted names may arrive as keys with dots or as nested objects; here they are flat. */
export type DeploymentConfig = {
  /** `application.storage`: a size with its unit. */
  readonly applicationStorage?: string | undefined;
  /** `images.nginx.env`: environment of the web server. */
  readonly nginxEnv: readonly EnvironmentVariable[];
  /** `images.php.env`: environment of the application server. */
  readonly phpEnv: readonly EnvironmentVariable[];
};

export type EnvironmentVariable = {
  readonly name: string;
  /** A `Secret` where the name or the value looks like one. */
  readonly value: string | Secret;
};

/** Section 2.3. */
export type LastActivity = {
  readonly _id?: string | undefined;
  /** `UPDATE_CONFIG_APPLICATION` occurs; the full list is not specified. */
  readonly action?: string | undefined;
  /** User identifier. */
  readonly createdBy?: string | undefined;
  readonly workspace?: string | undefined;
  /** Site identifier. */
  readonly project?: string | undefined;
  /** Branch identifier. */
  readonly application?: string | undefined;
  readonly environment?: string | undefined;
  /** `SUCCESS` occurs; the full list is not specified. */
  readonly status?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly lastResponse?: LastResponse | undefined;
  /** null occurs. */
  readonly taskName?: string | null | undefined;
};

/** `lastActivity.lastResponse`, section 2.3. */
export type LastResponse = {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  /** May be empty; secrets wrapped. */
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  readonly task?: string | undefined;
};

/** An element of `customDomains`, section 2.4. */
export type CustomDomain = {
  readonly _id?: string | undefined;
  /** The domain's name. */
  readonly domain: string;
  /** User identifier. */
  readonly createdBy?: string | undefined;
  readonly workspace?: string | undefined;
  /** Branch identifier. */
  readonly application?: string | undefined;
  /** Never shown, not even on request. Missing where the record has an empty string. */
  readonly privateKey?: Secret | undefined;
  /** May be an empty string. A `Secret` only where a private key was put into it. */
  readonly sslCertificate?: string | Secret | undefined;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
};
