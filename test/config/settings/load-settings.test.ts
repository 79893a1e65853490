import {mkdirSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {ConfigError, loadSettings} from '#config/settings/load-settings.ts';
import type {SettingFlags} from '#config/settings/settings.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let home: TempFolder;
beforeEach(() => {
  home = createTempFolder('config');
});
afterEach(() => home.remove());

const configPath = (): string => join(home.path, '.config/branchlog/config.toml');

const write = (toml: string | Buffer): void => {
  mkdirSync(join(home.path, '.config/branchlog'), {recursive: true});
  writeFileSync(configPath(), toml);
};

const load = (flags: SettingFlags = {}, env: NodeJS.ProcessEnv = {}) =>
  loadSettings({flags, env, homeFolder: home.path});

/** The sentence of the ConfigError; `CONFIG` stands for the file. */
const complaint = async (flags: SettingFlags = {}, env: NodeJS.ProcessEnv = {}): Promise<string> => {
  try {
    await load(flags, env);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.message.replaceAll(configPath(), 'CONFIG');
    }
    throw error;
  }
  throw new Error('The settings were accepted.');
};

const prod = `
[contexts.prod]
base_url = "https://api.example.com/dev-v1/"
tenant = "acme"
auth_mode = "sso"
token_file = "~/.config/branchlog/token"
`;

const flags = {baseUrl: 'https://flag.example/dev-v1', tenant: 'ft', authMode: 'fa', tokenFile: '/flag/token'};

describe('a whole file', () => {
  test('is read with every setting', async () => {
    write(`default_context = "prod"
${prod}
proxy = "http://proxy.example:3128"
ca_file = "ca.pem"
window = "source"
sources = 4
[[contexts.prod.sites]]
id = "5f3c"
name = "shop"
[[contexts.prod.sites]]
id = "77aa"
[contexts.stage]
base_url = "https://stage.example/dev-v1"
token_command = ["vault", "read"]
[log]
interval = "500ms"
buffer_mb = 64
kube_buffer_mb = 32
kube_events = false
colour = "keep"
rows = "received"
columns = ["level", "req.id", "level"]
pulse = "5s"
[filters]
noise = ["-GET /healthz", "-re:^DEBUG"]
pay = "+payment"
`);
    expect(await load()).toEqual({
      configPath: configPath(),
      context: {
        name: 'prod',
        baseUrl: 'https://api.example.com/dev-v1',
        tenant: 'acme',
        authMode: 'sso',
        token: {kind: 'file', path: join(home.path, '.config/branchlog/token')},
        proxy: 'http://proxy.example:3128',
        caFile: join(home.path, '.config/branchlog/ca.pem'),
        window: 'source',
        sources: 4,
        sites: [
          {id: '5f3c', name: 'shop'},
          {id: '77aa', name: undefined},
        ],
      },
      contextNames: ['prod', 'stage'],
      log: {
        intervalMs: 500,
        bufferMb: 64,
        kubeBufferMb: 32,
        kubeEvents: false,
        colour: 'keep',
        rows: 'received',
        columns: ['level', 'req.id'],
        pulseMs: 5000,
      },
      ui: {theme: 'auto', mouse: false},
      notify: {bell: false, osc9: false, pattern: '', firstError: false, quietMs: 300_000},
      keys: {place: '', bindings: new Map()},
      filters: {
        place: `${configPath()}: filters`,
        named: new Map([
          ['noise', ['-GET /healthz', '-re:^DEBUG']],
          ['pay', ['+payment']],
        ]),
      },
      warnings: [],
    });
  });

  test('may leave [log] out, and give a bare number of seconds as interval', async () => {
    write(prod);
    expect((await load()).log).toEqual({
      intervalMs: 2000,
      bufferMb: 128,
      kubeBufferMb: 64,
      kubeEvents: true,
      colour: 'own',
      rows: 'laid-out',
      columns: [],
      pulseMs: 1000,
    });
    write(`${prod}[log]\ninterval = 3`);
    expect((await load()).log.intervalMs).toBe(3000);
  });

  test.each(['0', '"0s"', '"off"'])('pulse = %s asks for no log while branches are listed', async pulse => {
    write(`${prod}[log]\npulse = ${pulse}`);
    expect((await load()).log.pulseMs).toBeUndefined();
  });

  test('may leave out how the service cuts its windows', async () => {
    write(prod);
    const {context} = await load();
    expect([context.window, context.sources]).toEqual([undefined, undefined]);
  });

  test('takes a token command', async () => {
    write(prod.replace(/token_file.*/, 'token_command = ["vault", "read", "x"]'));
    expect((await load()).context.token).toEqual({kind: 'command', command: ['vault', 'read', 'x']});
  });
});

describe('the order is flag, environment, file', () => {
  const env = {
    BRANCHLOG_BASE_URL: 'https://env.example/dev-v1',
    BRANCHLOG_TENANT: 'et',
    BRANCHLOG_AUTH_MODE: 'ea',
    BRANCHLOG_TOKEN_FILE: '/env/token',
  };
  const summary = (settings: Awaited<ReturnType<typeof load>>) => {
    const {name, baseUrl, tenant, authMode, token} = settings.context;
    return [name, baseUrl, tenant, authMode, token];
  };

  test('flags win over both', async () => {
    write(prod);
    expect(summary(await load(flags, env))).toEqual([
      'prod',
      'https://flag.example/dev-v1',
      'ft',
      'fa',
      {kind: 'file', path: '/flag/token'},
    ]);
  });

  test('the environment wins over the file', async () => {
    write(prod);
    expect(summary(await load({}, env))).toEqual([
      'prod',
      'https://env.example/dev-v1',
      'et',
      'ea',
      {kind: 'file', path: '/env/token'},
    ]);
    expect((await load({}, env)).warnings).toEqual([
      'BRANCHLOG_BASE_URL: the context "prod" is used with another address, https://env.example/dev-v1',
    ]);
  });

  test('each setting is looked up by itself, and an empty variable counts as unset', async () => {
    write(prod);
    const settings = await load({tenant: 'ft'}, {BRANCHLOG_AUTH_MODE: 'ea', BRANCHLOG_BASE_URL: ''});
    expect(summary(settings).slice(0, 4)).toEqual(['prod', 'https://api.example.com/dev-v1', 'ft', 'ea']);
  });

  test('a token of the environment is used where no file is named there', async () => {
    write(prod);
    expect((await load({}, {BRANCHLOG_TOKEN: 'canary'})).context.token).toEqual({
      kind: 'environment',
      variable: 'BRANCHLOG_TOKEN',
    });
    const both = await load({}, {BRANCHLOG_TOKEN: 'canary', BRANCHLOG_TOKEN_FILE: 'rel/token'});
    expect(both.context.token).toEqual({kind: 'file', path: resolve('rel/token')});
    expect(both.warnings).toEqual(['BRANCHLOG_TOKEN_FILE and BRANCHLOG_TOKEN are both set: the file is used']);
    expect(JSON.stringify(both)).not.toContain('canary');
  });
});

describe('without a file', () => {
  test('flags suffice, and the context is named after the host', async () => {
    expect(await load(flags)).toMatchObject({
      configPath: undefined,
      context: {name: 'flag.example', sites: []},
      contextNames: [],
    });
  });

  test('it runs without a home folder too', async () => {
    expect((await loadSettings({flags, env: {}, homeFolder: undefined})).context.tenant).toBe('ft');
  });

  test('what is missing is named with the ways to give it', async () => {
    expect(await complaint({tenant: 'x', authMode: 'y'})).toBe(
      'missing: the address of the service (--base-url, BRANCHLOG_BASE_URL or base_url), a token (--token-file, BRANCHLOG_TOKEN_FILE, BRANCHLOG_TOKEN or token_file); the last named of each is a key in [contexts.NAME] of CONFIG',
    );
  });

  test.each([
    ['baseUrl', 'the address of the service (--base-url, BRANCHLOG_BASE_URL or base_url)'],
    ['tenant', 'the tenant (--tenant, BRANCHLOG_TENANT or tenant)'],
    ['authMode', 'the auth mode (--auth-mode, BRANCHLOG_AUTH_MODE or auth_mode)'],
    ['tokenFile', 'a token (--token-file, BRANCHLOG_TOKEN_FILE, BRANCHLOG_TOKEN or token_file)'],
  ] as const)('%s alone is missed, too', async (name, ways) => {
    const {[name]: _, ...others} = flags;
    expect(await complaint(others)).toBe(
      `missing: ${ways}; the last named of each is a key in [contexts.NAME] of CONFIG`,
    );
  });

  test('where nothing at all is given, the ways to begin are named', async () => {
    expect(await complaint()).toMatch(/^nothing is configured yet: try branchlog demo, .* --token-file$/);
  });

  test('there is no context to choose', async () => {
    expect(await complaint({context: 'prod'})).toBe(
      '--context: there is no context "prod", as there is no config file',
    );
    write('');
    expect(await complaint({context: 'prod'})).toBe(
      '--context: there is no context "prod", as the config file has none',
    );
  });

  test('a file that was named must exist', async () => {
    expect(await complaint({config: '/nowhere/c.toml'})).toBe('there is no config file /nowhere/c.toml');
    expect(await complaint({}, {BRANCHLOG_CONFIG: '~/c.toml'})).toBe(
      `there is no config file ${join(home.path, 'c.toml')}`,
    );
  });

  test('"~" needs a home folder', async () => {
    await expect(loadSettings({flags: {...flags, tokenFile: '~/t'}, env: {}, homeFolder: undefined})).rejects.toThrow(
      '--token-file: "~" stands for the home folder, which is not known here: write the whole path',
    );
  });

  test('an empty flag is a mistake', async () => {
    expect(await complaint({tenant: ''})).toBe('--tenant: expected a value, got an empty one');
  });
});

describe('where the file is looked for', () => {
  test('in XDG_CONFIG_HOME, unless that is relative', async () => {
    write(prod);
    const folder = join(home.path, 'xdg');
    mkdirSync(join(folder, 'branchlog'), {recursive: true});
    writeFileSync(join(folder, 'branchlog/config.toml'), prod.replace('acme', 'xdg'));
    expect((await load({}, {XDG_CONFIG_HOME: folder})).context.tenant).toBe('xdg');
    expect((await load({}, {XDG_CONFIG_HOME: 'xdg'})).context.tenant).toBe('acme');
    expect((await load({config: configPath()}, {XDG_CONFIG_HOME: folder})).context.tenant).toBe('acme');
  });
});

describe('contexts', () => {
  const two = `${prod}${prod.replaceAll('prod', 'stage').replace('acme', 'beta')}`;

  test('a named one is taken, by flag or variable', async () => {
    write(two);
    expect((await load({context: 'stage'}, {BRANCHLOG_CONTEXT: 'prod'})).context.tenant).toBe('beta');
    expect((await load({}, {BRANCHLOG_CONTEXT: 'prod'})).context.tenant).toBe('acme');
  });

  test('an unknown one is answered with the names', async () => {
    write(two);
    expect(await complaint({context: 'stagge'})).toBe(
      '--context: there is no context "stagge", only "prod", "stage": did you mean "stage"?',
    );
    write(`default_context = "x"\n${two}`);
    expect(await complaint()).toBe('CONFIG: default_context: there is no context "x", only "prod", "stage"');
  });

  test('of two, one must be chosen, unless flags say everything', async () => {
    write(two);
    expect(await complaint()).toBe(
      'no context is chosen: give one of "prod", "stage" as --context, BRANCHLOG_CONTEXT or default_context in CONFIG',
    );
    expect((await load(flags)).context.name).toBe('flag.example');
  });

  test('one that is given twice is named with the others', async () => {
    write(`${two}${prod}`);
    expect(await complaint()).toBe(
      'CONFIG, line 14, column 2: [contexts.prod] is given twice: keep one of them; contexts of this file: prod, stage',
    );
  });

  test('a name that a prototype has is none', async () => {
    write(two);
    expect(await complaint({context: 'constructor'})).toMatch(/^--context: there is no context "constructor", only/);
  });
});

describe('mistakes in the file', () => {
  test.each([
    ['tenant = "a"\n[contexts.x', /^CONFIG, line 2, column \d+: \w.*$/],
    ['x = canary', /^CONFIG, line 1, column 5: invalid value$/],
    ['defaultcontext = "a"', 'CONFIG: defaultcontext: no such setting: did you mean default_context?'],
    ['[contexts.a]\ntennant = "x"', 'CONFIG: contexts.a.tennant: no such setting: did you mean tenant?'],
    [
      '[contexts.a]\nwhatever = "x"',
      'CONFIG: contexts.a.whatever: no such setting; valid settings: base_url, tenant, auth_mode, token_file, token_command, proxy, ca_file, window, sources, sites',
    ],
    ['[contexts.a]\ntenant = 5', 'CONFIG: contexts.a.tenant: expected a string, got a number'],
    ['[contexts.a]\ntenant = ""', 'CONFIG: contexts.a.tenant: expected a string, got an empty string'],
    [
      '[contexts.a]\ntenant = "a\\nb"',
      /^CONFIG: contexts\.a\.tenant: the character at offset 1 cannot be sent in a header/,
    ],
    [
      '[contexts.a]\ntoken = "canary"',
      'CONFIG: contexts.a.token: a token does not belong in this file: put it in a file of its own, and set token_file to its path',
    ],
    [
      '[contexts.a]\ntoken_file = "x"\ntoken_command = ["y"]',
      'CONFIG: contexts.a.token_command: there is a token_file too: keep one of them',
    ],
    [
      '[contexts.a]\ntoken_command = "vault read"',
      'CONFIG: contexts.a.token_command: expected an array of strings, got a string',
    ],
    [
      '[contexts.a]\nproxy = "socks5://user:canary@h:1"',
      'CONFIG: contexts.a.proxy: expected an address like http://proxy.example:3128',
    ],
    [
      '[contexts.a]\nbase_url = "unix:/run/x.sock:/dev-v1"\nproxy = "http://proxy.example:3128"',
      'CONFIG: contexts.a.proxy: base_url is a socket of this machine, which is reached without a proxy: remove one of them',
    ],
    [
      '[contexts.a]\nwindow = "pods"',
      'CONFIG: contexts.a.window: expected "branch" or "pod" or "source": did you mean "pod"?',
    ],
    ['[contexts.a]\nwindow = "canary"', 'CONFIG: contexts.a.window: expected "branch" or "pod" or "source"'],
    [
      '[contexts.a]\nwindow = "source"\nsources = 0',
      'CONFIG: contexts.a.sources: expected a whole number from 1 to 100, got 0',
    ],
    [
      '[contexts.a]\nwindow = "source"\nsources = "3"',
      'CONFIG: contexts.a.sources: expected a whole number from 1 to 100, got a string',
    ],
    [
      '[contexts.a]\nwindow = "pod"\nsources = 3',
      'CONFIG: contexts.a.sources: only applies with window = "source": add that, or remove this',
    ],
    [
      '[contexts.a]\nsources = 3',
      'CONFIG: contexts.a.sources: only applies with window = "source": add that, or remove this',
    ],
    ['[contexts.a]\nwindow = 1', 'CONFIG: contexts.a.window: expected a string, got a number'],
    ['[[contexts.a.sites]]\nname = "x"', 'CONFIG: contexts.a.sites[0].id: missing: give the identifier of the site'],
    [
      '[[contexts.a.sites]]\nid = "x"\n[[contexts.a.sites]]\nid = "y"\nname = "x"',
      'CONFIG: contexts.a.sites[1].name: "x" is used by sites[0].id already: ids and names of sites must differ',
    ],
    ['contexts = []', 'CONFIG: contexts: expected a table, got an array'],
    ['[log]\ncolor = "own"', 'CONFIG: log.color: no such setting: did you mean colour?'],
    ['[log]\ncolour = "red"', 'CONFIG: log.colour: expected "own" or "keep"'],
    [
      '[log]\nrows = "recieved"',
      'CONFIG: log.rows: expected "laid-out" or "received" or "escaped": did you mean "received"?',
    ],
    ['[log]\ncolumns = "level"', 'CONFIG: log.columns: expected an array of strings, got a string'],
    [`[log]\ncolumns = [${'"a", '.repeat(21)}]`, 'CONFIG: log.columns: expected at most 20 names of fields, got 21'],
    [
      '[filters]\nnoise = ["healthz"]',
      'CONFIG: filters.noise: expected + and what to show, or - and what to hide: "-GET /healthz"',
    ],
    ['[filters]\nnoise = "-"', /^CONFIG: filters\.noise: expected \+ and what to show/],
    ['[filters]\nnoise = []', 'CONFIG: filters.noise: expected a filter, or an array of up to 20'],
    ['[filters]\nnoise = 3', 'CONFIG: filters.noise: expected a string, got a number'],
    ['[log]\nbuffer_mb = 0', 'CONFIG: log.buffer_mb: expected a whole number from 1 to 4096, got 0'],
    ['[log]\nkube_buffer_mb = 0', 'CONFIG: log.kube_buffer_mb: expected a whole number from 1 to 4096, got 0'],
    ['[log]\ninterval = "soon"', /^CONFIG: log\.interval: expected a time from 100ms to 1h/],
    ['[log]\ninterval = "1ms"', /^CONFIG: log\.interval: expected a time from 100ms to 1h/],
    ['[__proto__]\nx = 1', /^CONFIG, line 1, column \d+: document contains an unsafe property$/],
  ])('%j', async (toml, words) => {
    write(toml);
    const message = await complaint(flags);
    expect(message).toEqual(words instanceof RegExp ? expect.stringMatching(words) : words);
    expect(message).not.toMatch(/canary|\n/);
  });

  test('a file that is no text is told of', async () => {
    write(Buffer.from([0x61, 0xff, 0xfe]));
    expect(await complaint()).toBe('the config file CONFIG is not UTF-8: save it as UTF-8');
    expect(await complaint({config: home.path})).toBe(`the config file ${home.path} is a folder, not a file`);
  });

  test('a byte order mark is none', async () => {
    write(`\u{feff}${prod}`);
    expect((await load()).context.tenant).toBe('acme');
  });
});

describe('the address', () => {
  const withAddress = (baseUrl: string) => load({...flags, baseUrl});

  test.each([
    ['https://h.example/dev-v1/', 'https://h.example/dev-v1', []],
    ['https://H.Example:8443/a/dev-v1//', 'https://h.example:8443/a/dev-v1', []],
    ['http://127.0.0.1:8787/dev-v1', 'http://127.0.0.1:8787/dev-v1', []],
    ['http://[::1]/dev-v1', 'http://[::1]/dev-v1', []],
    ['http://localhost/dev-v1', 'http://localhost/dev-v1', []],
    [
      'https://h.example',
      'https://h.example',
      ['--base-url: the address https://h.example does not end in the version segment dev-v1'],
    ],
    [
      'http://h.example/dev-v1',
      'http://h.example/dev-v1',
      ['--base-url: the token goes over plain http to h.example, where anyone on the way can read it'],
    ],
  ])('%s', async (text, baseUrl, warnings) => {
    const settings = await withAddress(text);
    expect([settings.context.baseUrl, settings.warnings]).toEqual([baseUrl, warnings]);
  });

  const addresses = 'an address like https://api.example.com/dev-v1, or unix:/run/branchlog/serve.sock:/dev-v1';

  test.each([
    ['h.example/dev-v1', `expected ${addresses}`],
    ['ftp://h.example/', `expected ${addresses}`],
    ['https://user:canary@h.example/dev-v1', 'an address must not contain a name and password; the token authorises'],
    [
      'https://h.example/dev-v1?key=canary',
      'an address like https://api.example.com/dev-v1 has no part after "?" or "#"',
    ],
    ['https://h.example/dev-v1?', 'an address like https://api.example.com/dev-v1 has no part after "?" or "#"'],
  ])('%s is refused', async (text, words) => {
    expect(await complaint({...flags, baseUrl: text})).toBe(`--base-url: ${words}`);
  });
});
