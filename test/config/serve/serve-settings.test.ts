import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {lineSources} from '#cli/line-sources.ts';
import {readServeSettings} from '#config/serve/serve-settings.ts';
import {ConfigError} from '#config/settings/table-reader.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('serve');
});
afterEach(() => folder.remove());

const path = (): string => join(folder.path, 'serve.toml');

const read = (toml: string) => {
  writeFileSync(path(), toml);
  return readServeSettings(path(), lineSources, '/home/op');
};

/** What is said of a file that is refused; where a line is named, it is in the tests about lines. */
const complaint = async (toml: string): Promise<string> =>
  (await fullComplaint(toml)).replace(/^CONFIG, line \d+:/, 'CONFIG:');

const fullComplaint = async (toml: string): Promise<string> => {
  try {
    await read(toml);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.message.replaceAll(path(), 'CONFIG');
    }
    throw error;
  }
  throw new Error('The settings were accepted.');
};

test('a whole file is read, its paths from its own folder', async () => {
  const settings = await read(`
listen = "127.0.0.1:8787"
tenant = "acme"
auth_mode = "sso"
token_file = "secret/token"
window_lines = 500
window_per_pod = true
stamps = "read"
state = "/var/lib/branchlog"
roots = ["/var/log", "shared"]
[[sites]]
id = "shop"
token_file = "~/shop-token"
[[sites.branches]]
name = "master"
status = "DEPLOY_APPLICATION_SUCCESS"
hostname = "shop.example.com"
replicas = 2
createdAt = 2026-01-02T03:04:05+01:00
customDomains = [{domain = "a.example"}]
somethingNew = true
[[sites.branches.pods]]
name = "web-0"
files = ["/var/log/nginx/access.log", "logs/php*.log", "~/x.log"]
format = "plain"
stamps = "own"
[[sites.branches]]
_id = "b2"
name = "draft"
`);
  expect(settings).toEqual({
    host: '127.0.0.1',
    port: 8787,
    tls: undefined,
    tenant: 'acme',
    authMode: 'sso',
    tokenFile: join(folder.path, 'secret/token'),
    windowLines: 500,
    windowPerPod: true,
    stamps: 'read',
    stateFolder: '/var/lib/branchlog',
    sites: [
      {
        id: 'shop',
        tokenFile: '/home/op/shop-token',
        branches: [
          {
            id: '49a70d2d21535101900bac55',
            name: 'master',
            status: 'DEPLOY_APPLICATION_SUCCESS',
            fields: {
              hostname: 'shop.example.com',
              replicas: 2,
              createdAt: '2026-01-02T02:04:05.000Z',
              customDomains: [{domain: 'a.example'}],
              somethingNew: true,
            },
            pods: [
              {
                name: 'web-0',
                source: {
                  kind: 'files',
                  files: ['/var/log/nginx/access.log', join(folder.path, 'logs/php*.log'), '/home/op/x.log'],
                  format: 'plain',
                  hasFiles: true,
                  roots: ['/var/log', join(folder.path, 'shared')],
                  open: expect.any(Function),
                },
                stamps: 'own',
              },
            ],
          },
          {id: 'b2', name: 'draft', status: null, fields: {}, pods: []},
        ],
      },
    ],
    kubernetes: {kubeconfig: undefined, context: undefined},
    kubeSites: [],
  });
});

test('a pod has files or a command, which runs in the folder of the file', async () => {
  const settings = await read(
    `${branchHead}[[sites.branches.pods]]\nname = "p"\ncommand = ["journalctl", "-f"]\nstamps = "read"`,
  );
  expect(settings.sites[0]?.branches[0]?.pods).toEqual([
    {
      name: 'p',
      source: {
        kind: 'command',
        format: 'plain',
        command: ['journalctl', '-f'],
        folder: folder.path,
        open: expect.any(Function),
      },
      stamps: 'read',
    },
  ]);
});

test('all but the tenant has a default', async () => {
  expect(await read('tenant = "acme"')).toEqual({
    host: '127.0.0.1',
    port: 8787,
    tls: undefined,
    tenant: 'acme',
    authMode: 'local',
    tokenFile: join(folder.path, 'token'),
    windowLines: 1000,
    windowPerPod: false,
    stamps: 'own',
    stateFolder: join(folder.path, 'state'),
    kubernetes: {kubeconfig: undefined, context: undefined},
    sites: [],
    kubeSites: [],
  });
});

describe('mistakes', () => {
  const branch = (lines: string): string => `tenant = "a"\n[[sites]]\nid = "s"\n[[sites.branches]]\n${lines}`;
  const pod = (lines: string): string => branch(`name = "b"\n[[sites.branches.pods]]\n${lines}`);

  test.each([
    ['', 'CONFIG: tenant: missing: give the tenant that requests must name'],
    ['tenant = "a"\nlissten = "x"', 'CONFIG: lissten: no such setting: did you mean listen?'],
    [
      'tenant = "a"\nlisten = ":8787"',
      'CONFIG: listen: expected a host and a port, like "127.0.0.1:8787" or "[::1]:8787", or a Unix socket, like "unix:/run/branchlog/serve.sock"',
    ],
    ['tenant = "a"\nwindow_lines = 0', 'CONFIG: window_lines: expected a whole number from 1 to 100000, got 0'],
    ['tenant = "a"\nwindow_per_pod = "yes"', 'CONFIG: window_per_pod: expected true or false, got a string'],
    [
      'tenant = "a"\n[[sites]]\nname = "s"',
      /^CONFIG: sites\[0\]\.name: no such setting; valid settings: id, token_file, kubernetes, branches$/,
    ],
    ['tenant = "a"\nstamps = "now"', 'CONFIG: stamps: expected "own" or "read"'],
    ['tenant = "a"\n[[sites]]\nid = "s"\n[[sites]]\nid = "s"', 'CONFIG: sites[1].id: "s" is given twice'],
    ['tenant = "a"\n[sites]\nid = "s"', 'CONFIG: sites: expected a list of tables ([[sites]]), got a table'],
    [branch('status = "x"'), 'CONFIG: sites[0].branches[0].name: missing: give the name of the branch'],
    [branch('name = "b"\nstauts = "x"'), 'CONFIG: sites[0].branches[0].stauts: no such setting: did you mean status?'],
    [branch('name = "b"\npod = "x"'), 'CONFIG: sites[0].branches[0].pod: no such setting: did you mean pods?'],
    [branch('nmae = "b"'), 'CONFIG: sites[0].branches[0].nmae: no such setting: did you mean name?'],
    [branch('name = "b"\nstatus = ""'), 'CONFIG: sites[0].branches[0].status: expected a string, got an empty string'],
    [branch('name = "b"\nreplicas = nan'), 'CONFIG: sites[0].branches[0].replicas: nan and inf cannot be sent as JSON'],
    [branch('name = "b"\nid = "."'), 'CONFIG: sites[0].branches[0].id: "." cannot be part of an address'],
    ['tenant = "a"\n[[sites]]\nid = "."', 'CONFIG: sites[0].id: "." cannot be part of an address'],
    [branch('name = "b"\nid = ".."'), 'CONFIG: sites[0].branches[0].id: ".." cannot be part of an address'],
    [branch('name = "b"\n[[sites.branches]]\nname = "b"'), 'CONFIG: sites[0].branches[1].name: "b" is given twice'],
    [
      branch('name = "b"\nid = "x"\n[[sites.branches]]\nname = "c"\nid = "x"'),
      'CONFIG: sites[0].branches[1].id: "x" is given twice',
    ],
    [pod('files = ["x"]'), 'CONFIG: sites[0].branches[0].pods[0].name: missing: give the name of the pod'],
    [
      pod('name = "p"'),
      "CONFIG: sites[0].branches[0].pods[0].files: missing: give the log files of the pod (files) or a command that prints the log of the pod (command) or journald for systemd's journal (source)",
    ],
    [pod('name = "p"\nfile = "x"'), 'CONFIG: sites[0].branches[0].pods[0].file: no such setting: did you mean files?'],
    [
      pod('name = "p"\nfiles = ["/var/*/x.log"]'),
      'CONFIG: sites[0].branches[0].pods[0].files[0]: "*" and "?" may stand in the last part of a path only, not in a folder',
    ],
    [
      pod('name = "p"\nfiles = ["/var/log/"]'),
      'CONFIG: sites[0].branches[0].pods[0].files[0]: expected a file, got a folder',
    ],
    [
      pod('name = "p"\nfiles = ["x"]\nformat = "json"'),
      'CONFIG: sites[0].branches[0].pods[0].format: expected "container" or "plain"',
    ],
    [
      pod('name = "p"\nfiles = []'),
      'CONFIG: sites[0].branches[0].pods[0].files: missing: give the log files of the pod',
    ],
    [
      pod('name = "p"\ncomand = ["x"]'),
      'CONFIG: sites[0].branches[0].pods[0].comand: no such setting: did you mean command?',
    ],
    [
      pod('name = "p"\nfiles = ["x"]\ncommand = ["x"]'),
      'CONFIG: sites[0].branches[0].pods[0].command: a pod has files or command, not both: give each a pod of its own',
    ],
    [
      pod('name = "p"\ncommand = ["x"]\nformat = "plain"'),
      'CONFIG: sites[0].branches[0].pods[0].format: belongs to files, but this pod has command: leave it out',
    ],
    [
      pod('name = "p"\ncommand = []'),
      'CONFIG: sites[0].branches[0].pods[0].command: missing: give the program and its arguments',
    ],
    [
      pod('name = "p"\ncommand = "journalctl -f"'),
      'CONFIG: sites[0].branches[0].pods[0].command: expected the program and each of its arguments as separate strings, like ["journalctl", "-f"], got one string',
    ],
    [
      pod('name = "p"\ncommand = ["journalctl -f -n 0"]'),
      'CONFIG: sites[0].branches[0].pods[0].command: expected the program and each of its arguments as separate strings: did you mean ["journalctl", "-f", "-n", "0"]?',
    ],
    [
      pod('name = "p"\ncommand = ["journalctl", 7]'),
      'CONFIG: sites[0].branches[0].pods[0].command[1]: expected a string, got a number',
    ],
    [pod('name = "p"\nfiles = [7]'), 'CONFIG: sites[0].branches[0].pods[0].files[0]: expected a string, got a number'],
  ])('%j', async (toml, words) => {
    expect(await complaint(toml)).toEqual(words instanceof RegExp ? expect.stringMatching(words) : words);
  });

  test('a file that is not there is named', async () => {
    await expect(readServeSettings('/nowhere/serve.toml', lineSources)).rejects.toThrow(
      'there is no config file /nowhere/serve.toml',
    );
  });
});

test('no field of the interface is taken for a misspelled setting', async () => {
  const fields = `isEnableEditor isEnablePMA lock doNotIndex secureConnection project branchType originBranch createdAt
    updatedAt customDomains appSettings applicationName appserverImage appserverTag webserverImage webserverTag
    backupInterval copyDatabaseFilesApplication copyDatabaseFilesType copyDatabaseUrl copyFilesUrl customDomain dbName
    dbUser dbPassword deployedBy deploymentConfig editorHostname editorPwd environment fromApplicationName fromDB hostname
    isEnablePolymorphing isEnablePolyscripting lockPassword lockUsername namespace oldHostname pmaHostname replicas
    lastActivity elb node`.split(/\s+/);
  // A value that some field takes: no message may call the field unknown.
  for (const field of fields) {
    for (const value of ['"x"', 'true', '1', '2026-01-02T03:04:05Z', '{}', '[]']) {
      try {
        const settings = await read(`${branchHead}${field} = ${value}`);
        expect(Object.keys(settings.sites[0]?.branches[0]?.fields ?? {})).toEqual([field]);
      } catch (error) {
        expect(String(error)).toContain(`${field}: expected `);
      }
    }
  }
});

const branchHead = 'tenant = "a"\n[[sites]]\nid = "s"\n[[sites.branches]]\nname = "b"\n';

test.each([
  ['replicas = "three"', 'replicas: expected a whole number, 0 or more, got a string'],
  ['replicas = 1.5', 'replicas: expected a whole number, 0 or more, got a number'],
  ['lock = "yes"', 'lock: expected true or false, got a string'],
  ['doNotIndex = 0', 'doNotIndex: expected true or false, got a number'],
  ['hostname = 7', 'hostname: expected a string, got a number'],
  ['dbPassword = true', 'dbPassword: expected a string, got a boolean'],
  ['createdAt = "yesterday"', 'createdAt: expected a time like 2026-11-22T01:59:00.000Z, got a string'],
  ['updatedAt = 2026-01-02', 'updatedAt: expected a time like 2026-11-22T01:59:00.000Z, got a string'],
  ['customDomains = "a.example"', 'customDomains: expected an array, got a string'],
  ['customDomains = [{domain = 7}]', 'customDomains[0].domain: expected a string, got a number'],
  ['appSettings = "php"', 'appSettings: expected a table, got a string'],
  ['deploymentConfig.application.storage = 5', 'deploymentConfig.application.storage: expected a string, got a number'],
  [
    'deploymentConfig.images.php.env = [{name = "A", value = 1}]',
    'deploymentConfig.images.php.env[0].value: expected a string, got a number',
  ],
  [
    'deploymentConfig = {"images.php.env" = []}',
    'deploymentConfig: write images.php.env without quotes: it is a table in a table',
  ],
  ['lastActivity.lastResponse.payload = "x"', 'lastActivity.lastResponse.payload: expected a table, got a string'],
])('a field of the record has the type of the interface: %s', async (field, words) => {
  expect(await fullComplaint(`${branchHead}${field}`)).toBe(`CONFIG, line 6: sites[0].branches[0].${words}`);
});

test('a time is served in UTC with milliseconds, however it is written', async () => {
  const settings = await read(`${branchHead}createdAt = "2026-01-02T03:04:05+01:00"\nupdatedAt = 2026-01-02T03:04:05Z`);
  expect(settings.sites[0]?.branches[0]?.fields).toEqual({
    createdAt: '2026-01-02T02:04:05.000Z',
    updatedAt: '2026-01-02T03:04:05.000Z',
  });
});

test('a refusal names the line, among many tables of the same form', async () => {
  const branches = Array.from({length: 40}, (_, index) => {
    const replicas = index === 30 ? '"three"' : '3';
    return `[[sites.branches]]\nname = "b${index}"\ncustomDomains = [\n  {domain = "replicas"},\n]\nreplicas = ${replicas}\n`;
  });
  const toml = `tenant = "a"\n[[sites]]\nid = "s"\n${branches.join('')}`;
  const line = toml.split('\n').indexOf('replicas = "three"') + 1;
  expect(await fullComplaint(toml)).toBe(
    `CONFIG, line ${line}: sites[0].branches[30].replicas: expected a whole number, 0 or more, got a string`,
  );
});

test.each([
  ['tenant = "a"\nroots = "/var/log"', 'CONFIG, line 2: roots: expected an array of strings, got a string'],
  ['tenant = "a"\nroots = ["/var/log", 7]', 'CONFIG, line 2: roots[1]: expected a string, got a number'],
  ['tenant = "a"\nroot = "/"', 'CONFIG, line 2: root: no such setting: did you mean roots?'],
  [
    'tenant = "a"\n[[sites]]\nid = "s"\ntoken_file = 5',
    'CONFIG, line 4: sites[0].token_file: expected a string, got a number',
  ],
])("a refusal of roots and of a site's token_file names the line: %j", async (toml, words) => {
  expect(await fullComplaint(toml)).toBe(words);
});

test('a refusal of what is missing names the line of the table', async () => {
  expect(await fullComplaint('tenant = "a"\n\n[[sites]]\nid = "s"\n[[sites.branches]]\nstatus = "x"')).toBe(
    'CONFIG, line 5: sites[0].branches[0].name: missing: give the name of the branch',
  );
});

test.each([
  ['[::1]:8787', '::1', 8787],
  ['127.8.8.8:1', '127.8.8.8', 1],
  ['localhost:65535', 'localhost', 65535],
])('listens at %s', async (listen, host, port) => {
  expect(await read(`tenant = "a"\nlisten = "${listen}"`)).toMatchObject({host, port, tls: undefined});
});

const networkRefusal = (host: string): string =>
  `CONFIG, line 1: listen: without TLS, whoever can listen in on the network gets the token and the logs: give tls_cert and tls_key; or listen on 127.0.0.1 or a Unix socket, behind a proxy that has TLS; or, if the way to ${host} is protected otherwise, say insecure = true`;

test.each([
  ['0.0.0.0', '0.0.0.0'],
  ['[::]', '::'],
  ['10.0.0.7', '10.0.0.7'],
  ['logs.example.com', 'logs.example.com'],
])('refuses to listen at %s without TLS, unless insecure says that this is meant', async (given, host) => {
  const listen = `listen = "${given}:8787"\ntenant = "a"\n`;
  expect(await fullComplaint(listen)).toBe(networkRefusal(host));
  expect(await fullComplaint(`${listen}insecure = false`)).toBe(networkRefusal(host));
  expect(await read(`${listen}insecure = true`)).toMatchObject({host, tls: undefined});
  expect(await read(`${listen}tls_cert = "c.pem"\ntls_key = "/etc/k.pem"`)).toMatchObject({
    host,
    tls: {cert: join(folder.path, 'c.pem'), key: '/etc/k.pem'},
  });
});

test('listens on a Unix socket, whose path is relative to the folder of the file', async () => {
  expect(await read('tenant = "a"\nlisten = "unix:/run/b/serve.sock"')).toMatchObject({
    socketPath: '/run/b/serve.sock',
  });
  expect(await read('tenant = "a"\nlisten = "unix:s.sock"')).toMatchObject({socketPath: join(folder.path, 's.sock')});
});

test.each([
  ['tls_cert = "c.pem"', 'CONFIG, line 2: tls_cert: needs tls_key: give the key, too'],
  ['tls_key = "k.pem"', 'CONFIG, line 2: tls_key: needs tls_cert: give the certificate, too'],
  [
    'listen = "unix:/s"\ntls_cert = "c"\ntls_key = "k"',
    'CONFIG, line 3: tls_cert: a Unix socket has no TLS: leave out tls_cert and tls_key, or listen on a host and a port',
  ],
  [`listen = "unix:/${'s'.repeat(107)}"`, 'CONFIG, line 2: listen: the path of a Unix socket has at most 107 bytes'],
])('refuses %s', async (lines, words) => {
  expect(await fullComplaint(`tenant = "a"\n${lines}`)).toBe(words);
});
