import {describe, expect, test} from 'vitest';
import {decodeConfigFile, defaultLogSettings} from '#config/settings/config-file.ts';
import {
  addContext,
  formatContext,
  formatContextHeader,
  formatSite,
  type NewContext,
} from '#config/settings/context-text.ts';
import {findConfigPath, loadPreferences} from '#config/settings/load-settings.ts';
import {defaultNotifySettings} from '#config/settings/sections.ts';
import {flagOrVariable} from '#config/settings/settings.ts';
import {ConfigError, parseToml} from '#config/settings/table-reader.ts';

const decode = (toml: string) => decodeConfigFile(parseToml(toml, '/c.toml'), '/c.toml', '/home/ada');

const refusal = (toml: string): string => {
  try {
    decode(toml);
  } catch (error) {
    return error instanceof ConfigError ? error.message.replace('/c.toml: ', '') : String(error);
  }
  return 'it was taken';
};

test('an empty file says nothing', () => {
  expect(decode('')).toMatchObject({
    ...{defaultContext: undefined, contexts: new Map(), log: defaultLogSettings, notify: defaultNotifySettings},
    ...{ui: {theme: 'auto', mouse: false}, filters: {place: '', named: new Map()}},
  });
  expect(defaultLogSettings).toEqual({
    ...{intervalMs: 2000, bufferMb: 128, kubeBufferMb: 64, kubeEvents: true, colour: 'own', rows: 'laid-out'},
    ...{columns: [], pulseMs: 1000},
  });
  expect(defaultNotifySettings).toEqual({bell: false, osc9: false, pattern: '', firstError: false, quietMs: 300_000});
});

test('an empty table says as little', () => {
  expect(decode('[log]\n[notify]\n[ui]\n[keys]\n[filters]\n')).toMatchObject({
    ...{log: defaultLogSettings, notify: defaultNotifySettings, ui: {theme: 'auto', mouse: false}},
    filters: {place: '/c.toml: filters', named: new Map()},
  });
});

describe('how a log is read', () => {
  const log = (toml: string) => decode(`[log]\n${toml}`).log;

  test('may be said in full', () => {
    expect(
      log(`interval = "15s"\nbuffer_mb = 1\nkube_buffer_mb = 4096\nkube_events = false\ncolour = "keep"
columns = ["a", "b", "a"]\npulse = "2s"`),
    ).toMatchObject({
      ...{intervalMs: 15_000, bufferMb: 1, kubeBufferMb: 4096, kubeEvents: false, colour: 'keep'},
      ...{columns: ['a', 'b'], pulseMs: 2000},
    });
  });

  test.each([
    ['interval = "100ms"', {intervalMs: 100}],
    ['interval = "1h"', {intervalMs: 3_600_000}],
    ['interval = 0.5', {intervalMs: 500}],
    ['pulse = "100ms"', {pulseMs: 100}],
    ['pulse = "1h"', {pulseMs: 3_600_000}],
    ['pulse = "off"', {pulseMs: undefined}],
    ['pulse = 0', {pulseMs: undefined}],
    ['buffer_mb = 4096', {bufferMb: 4096}],
    ['kube_buffer_mb = 1', {kubeBufferMb: 1}],
  ])('%s is taken', (toml, settings) => {
    expect(log(toml)).toMatchObject(settings);
  });

  const interval = 'log.interval: expected a time from 100ms to 1h, like "500ms", "15s" or "5m"';
  const pulse = 'log.pulse: expected a time from 100ms to 1h, like "1s", or "off"';
  test.each([
    ['interval = "99ms"', interval],
    ['interval = "3601s"', interval],
    ['interval = "soon"', interval],
    ['pulse = "99ms"', pulse],
    ['pulse = "3601s"', pulse],
    ['pulse = "soon"', pulse],
    ['buffer_mb = 0', 'log.buffer_mb: expected a whole number from 1 to 4096, got 0'],
    ['buffer_mb = 4097', 'log.buffer_mb: expected a whole number from 1 to 4096, got 4097'],
    ['kube_buffer_mb = 4097', 'log.kube_buffer_mb: expected a whole number from 1 to 4096, got 4097'],
    ['colour = "none"', 'log.colour: expected "own" or "keep"'],
    ['color = "own"', 'log.color: no such setting: did you mean colour?'],
  ])('%s is refused', (toml, sentence) => {
    expect(refusal(`[log]\n${toml}`)).toBe(sentence);
  });

  test('with twenty columns at most', () => {
    const columns = (count: number) =>
      `[log]\ncolumns = ${JSON.stringify(Array.from({length: count}, (_, index) => `c${index}`))}`;
    expect(decode(columns(20)).log.columns).toHaveLength(20);
    expect(refusal(columns(21))).toBe('log.columns: expected at most 20 names of fields, got 21');
  });
});

describe('when to call', () => {
  const notify = (toml: string) => decode(`[notify]\n${toml}`).notify;
  const quiet = 'notify.quiet: expected a time from 1s to 24h, like "30s", "5m" or "1h"';

  test('may be said in full', () => {
    expect(
      notify('bell = true\nosc9 = true\npattern = "x"\nfirst_error = true\nquiet = "1h"\ncommand = ["a", "b"]'),
    ).toEqual({
      ...{bell: true, osc9: true, pattern: 'x', firstError: true, quietMs: 3_600_000, command: ['a', 'b']},
    });
    expect(notify('pattern = ""').pattern).toBe('');
    expect([notify('quiet = "1s"').quietMs, notify('quiet = "24h"').quietMs]).toEqual([1000, 86_400_000]);
    expect(notify(`pattern = "${'x'.repeat(500)}"`).pattern).toHaveLength(500);
  });

  test.each([
    ['quiet = "999ms"', quiet],
    ['quiet = "86401s"', quiet],
    ['quiet = "soon"', quiet],
    [`pattern = "${'x'.repeat(501)}"`, 'notify.pattern: expected at most 500 characters'],
    ['command = []', 'notify.command: expected a program and its arguments, got an empty array'],
    ['ring = true', 'notify.ring: no such setting; valid settings: bell, osc9, pattern, first_error, quiet, command'],
  ])('%s is refused', (toml, sentence) => {
    expect(refusal(`[notify]\n${toml}`)).toBe(sentence);
  });
});

describe('filters by name', () => {
  const filters = (toml: string) => [...decode(`[filters]\n${toml}`).filters.named];
  const shape = 'expected + and what to show, or - and what to hide: "-GET /healthz"';

  test('are one or several', () => {
    expect(filters('a = "-x"\nb = ["+y", "-z"]')).toEqual([
      ['a', ['-x']],
      ['b', ['+y', '-z']],
    ]);
    expect(filters(`${'n'.repeat(30)} = "+${'x'.repeat(500)}"`)).toHaveLength(1);
    expect(filters(`a = ${JSON.stringify(Array(20).fill('+x'))}`)[0]?.[1]).toHaveLength(20);
  });

  test.each([
    ['a = "x"', `filters.a: ${shape}`],
    ['a = "+"', `filters.a: ${shape}`],
    [`a = "+${'x'.repeat(501)}"`, `filters.a: ${shape}`],
    ['a = []', 'filters.a: expected a filter, or an array of up to 20'],
    [`a = ${JSON.stringify(Array(21).fill('+x'))}`, 'filters.a: expected a filter, or an array of up to 20'],
    [`${'n'.repeat(31)} = "+x"`, `filters.${'n'.repeat(31)}: expected a name of at most 30 characters`],
    ['a = 7', 'filters.a: expected a string, got a number'],
  ])('%s is refused', (toml, sentence) => {
    expect(refusal(`[filters]\n${toml}`)).toBe(sentence);
  });
});

describe('a context', () => {
  const context = (toml: string) => decode(`[contexts.prod]\n${toml}`).contexts.get('prod');

  test('has what it says, with paths from the folder of the file', () => {
    expect(
      context('base_url = "https://a.example/dev-v1"\ntenant = " acme "\ntoken_file = "token"\nca_file = "~/ca.pem"'),
    ).toEqual({
      ...{baseUrl: {value: 'https://a.example/dev-v1', where: '/c.toml: contexts.prod.base_url'}, tenant: 'acme'},
      ...{authMode: undefined, token: {kind: 'file', path: '/token'}, proxy: undefined, caFile: '/home/ada/ca.pem'},
      ...{window: undefined, sources: undefined, sites: []},
    });
    expect(context('window = "source"\nsources = 4')).toMatchObject({window: 'source', sources: 4, token: undefined});
    expect(context('token_command = ["pass", "x"]')?.token).toEqual({kind: 'command', command: ['pass', 'x']});
    expect(context('proxy = "https://p.example"')?.proxy).toBe('https://p.example');
    expect(context('sites = [{id = "1", name = "shop"}, {id = "2"}]')?.sites).toEqual([
      {id: '1', name: 'shop'},
      {id: '2', name: undefined},
    ]);
  });

  test.each([
    [
      'token = "x"',
      'token: a token does not belong in this file: put it in a file of its own, and set token_file to its path',
    ],
    ['sources = 4', 'sources: only applies with window = "source": add that, or remove this'],
    ['window = "pod"\nsources = 4', 'sources: only applies with window = "source": add that, or remove this'],
    ['token_file = "a"\ntoken_command = ["b"]', 'token_command: there is a token_file too: keep one of them'],
    ['token_command = []', 'token_command: expected a program and its arguments, got an empty array'],
    ['proxy = "ftp://x"', 'proxy: expected an address like http://proxy.example:3128'],
    ['proxy = "pw"', 'proxy: expected an address like http://proxy.example:3128'],
    [
      'base_url = "unix:/x.sock:/dev-v1"\nproxy = "http://p.example"',
      'proxy: base_url is a socket of this machine, which is reached without a proxy: remove one of them',
    ],
    ['sites = [{name = "x"}]', 'sites[0].id: missing: give the identifier of the site'],
    ['sites = [{id = ".."}]', 'sites[0].id: ".." is not a site identifier'],
    ['sites = [{id = "."}]', 'sites[0].id: "." is not a site identifier'],
    [
      'sites = [{id = "1"}, {id = "1"}]',
      'sites[1].id: "1" is used by sites[0].id already: ids and names of sites must differ',
    ],
    [
      'sites = [{id = "1", name = "a"}, {id = "a"}]',
      'sites[1].id: "a" is used by sites[0].name already: ids and names of sites must differ',
    ],
    [
      'sites = [{id = "1"}, {id = "2", name = "1"}]',
      'sites[1].name: "1" is used by sites[0].id already: ids and names of sites must differ',
    ],
  ])('with %j is refused', (toml, sentence) => {
    expect(refusal(`[contexts.prod]\n${toml}`)).toBe(`contexts.prod.${sentence}`);
  });
});

const fresh: NewContext = {
  ...{name: 'new.one', baseUrl: 'https://b.example/dev-v1', tenant: 't', authMode: 'sso', tokenFile: undefined},
  ...{caFile: undefined, sites: []},
};

describe('a context that is added', () => {
  const add = (text: string | undefined) => addContext({path: '/c.toml', text, homeFolder: undefined}, fresh);
  const block = formatContext(fresh);

  test('is all of a new file, and goes to the end of another', () => {
    expect(add(undefined)).toBe(block);
    expect(add('[log]\n')).toBe(`[log]\n\n${block}`);
    expect(add('[log]')).toBe(`[log]\n\n${block}`);
  });

  test('leaves the only other one the default', () => {
    expect(add('[contexts.a]\n')).toBe(`default_context = "a"\n\n[contexts.a]\n\n${block}`);
    expect(add('default_context = "a"\n[contexts.a]\n')).toBe(`default_context = "a"\n[contexts.a]\n\n${block}`);
    expect(add('[contexts.a]\n[contexts.b]\n')).toBe(`[contexts.a]\n[contexts.b]\n\n${block}`);
  });

  test('is refused where it cannot be added, and where the file is wrong already', () => {
    expect(() => add('contexts = {a = {}}\n')).toThrow(
      'cannot add a context to /c.toml, so nothing was written: write the existing ones as [contexts.NAME]',
    );
    expect(() => add('[lok]\n')).toThrow('/c.toml: lok: no such setting: did you mean log?');
  });

  test('is written as it is read', () => {
    expect(formatContextHeader('new.one')).toBe('[contexts."new.one"]');
    const whole = {
      ...fresh,
      tokenFile: '/t',
      caFile: '/ca',
      sites: [
        {id: '1', name: 'shop'},
        {id: '2', name: undefined},
      ],
    };
    expect(decode(formatContext(whole)).contexts.get('new.one')).toMatchObject({
      ...{tenant: 't', authMode: 'sso', token: {kind: 'file', path: '/t'}, caFile: '/ca', sites: whole.sites},
    });
    expect(block).not.toContain('sites');
    expect(formatSite('prod', {id: '2', name: undefined})).toBe('[[contexts.prod.sites]]\nid = "2"\n');
  });
});

test('a setting is given by its flag, or else by its variable', () => {
  const give = (flag: string | undefined, variable?: string) =>
    flagOrVariable('baseUrl', {flags: {baseUrl: flag}, env: {BRANCHLOG_BASE_URL: variable}});
  expect(give('a', 'b')).toEqual({value: 'a', where: '--base-url'});
  expect(give(undefined, 'b')).toEqual({value: 'b', where: 'BRANCHLOG_BASE_URL'});
  expect([give(undefined, ''), give(undefined)]).toEqual([undefined, undefined]);
  expect(() => give('', 'b')).toThrow('--base-url: expected a value, got an empty one');
});

test('the config file is where it is said to be, or in the folder of the user', async () => {
  const find = (config: string | undefined, homeFolder?: string) =>
    findConfigPath({flags: {config}, env: {}, homeFolder});
  expect(find('/x/c.toml')).toEqual({configPath: '/x/c.toml', isNamed: true});
  expect(find(undefined, '/home/ada')).toEqual({configPath: '/home/ada/.config/branchlog/config.toml', isNamed: false});
  expect(find(undefined)).toEqual({configPath: undefined, isNamed: false});
  expect(await loadPreferences({flags: {}, env: {}, homeFolder: undefined})).toMatchObject({
    ...{configPath: undefined, log: defaultLogSettings, ui: {theme: 'auto', mouse: false}},
  });
  await expect(loadPreferences({flags: {config: '/nowhere/c.toml'}, env: {}, homeFolder: undefined})).rejects.toThrow(
    'there is no config file /nowhere/c.toml',
  );
});

test('a command has sixteen keys at most, and a pod a hundred sources', () => {
  const keys = (count: number) => `[keys]\nopen = ${JSON.stringify(Array(count).fill('x'))}`;
  expect(decode(keys(16)).keys.bindings.get('open')).toHaveLength(16);
  expect(decode('[keys]\nopen = "o"').keys).toEqual({place: '/c.toml: keys', bindings: new Map([['open', ['o']]])});
  expect(refusal(keys(17))).toBe('keys.open: expected a key, or an array of up to 16');
  const sources = (count: number) => `[contexts.a]\nwindow = "source"\nsources = ${count}`;
  expect(decode(sources(100)).contexts.get('a')?.sources).toBe(100);
  expect(refusal(sources(101))).toBe('contexts.a.sources: expected a whole number from 1 to 100, got 101');
});
