import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {ApiError} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {parseArguments} from '#cli/arguments/args.ts';
import {chooseBranches, explainSiteError, resolveSiteId} from '#cli/connection/choose-branches.ts';
import {contextChoices, knownSites, readContexts} from '#cli/connection/read-contexts.ts';
import {readPreferences, readSettings, settingFlags} from '#cli/connection/read-settings.ts';
import {NotFoundError, UsageError} from '#cli/io/exit-codes.ts';
import {processIo} from '#cli/io/io.ts';
import {makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const sites = [
  {id: 's1', name: 'shop'},
  {id: 's2', name: 'twice'},
  {id: 's3', name: 'twice'},
  {id: 's4', name: undefined},
];

test('a site is known by its id or its name, and any other word is an id', () => {
  expect(['s1', 'shop', 's4', 'other'].map(word => resolveSiteId(sites, word))).toEqual(['s1', 's1', 's4', 'other']);
  expect(() => resolveSiteId(sites, 'twice')).toThrow(new UsageError('"twice" names 2 sites: give the id, s2 or s3'));
});

test('a site that the service does not know is told with those that are near', () => {
  const notFound = new ApiError('notFound', 'There is no site.');
  expect(explainSiteError(notFound, sites, 'shpo')).toMatchObject({
    name: 'NotFoundError',
    message: 'There is no site. Did you mean shop?',
    cause: notFound,
  });
  expect(explainSiteError(notFound, sites, 'nothing-alike')).toBe(notFound);
  // It is configured: the name is right.
  expect([explainSiteError(notFound, sites, 'shop'), explainSiteError(notFound, sites, 's1')]).toEqual([
    notFound,
    notFound,
  ]);
  const other = new ApiError('server', 'Out of order.');
  expect([explainSiteError(other, sites, 'shpo'), explainSiteError('x', sites, 'shpo')]).toEqual([other, 'x']);
});

const records = [
  makeBuiltBranch('b1', 'master'),
  makeBuiltBranch('b2', 'feature-1'),
  makeBuiltBranch('b3', 'feature-2'),
  makeBranch('b4', 'feature-new'),
  makeBuiltBranch('b5', 'same'),
  makeBuiltBranch('b6', 'same'),
];

const choose = async (
  branchWords: readonly string[],
  {given = records as readonly object[], mustHaveLog = false, siteWord = 'shop'} = {},
) => {
  const said: string[] = [];
  const client = {listBranches: async () => decodeBranches(given)} as unknown as Client;
  const chosen = await chooseBranches({
    ...{client, sites, siteId: 's1', siteWord, branchWords, mustHaveLog},
    say: sentence => said.push(sentence),
    signal: new AbortController().signal,
  });
  return {names: chosen.map(({_id}) => _id), said};
};

test.each<readonly [words: readonly string[], ids: readonly string[]]>([
  [['master'], ['b1']],
  [['b5'], ['b5']],
  [
    ['b2', 'master'],
    ['b2', 'b1'],
  ],
  [['feature-*'], ['b2', 'b3']],
  [
    ['m?ster', 'feature-2'],
    ['b1', 'b3'],
  ],
])('%j are the branches %j', async (words, ids) => {
  expect(await choose(words)).toEqual({names: ids, said: []});
});

test('a branch that is not built out has no log, which is told, or refused where a line is waited for', async () => {
  const words = 'branch feature-new of site shop is not built out: it has no log';
  expect(await choose(['feature-new', 'master'])).toEqual({names: ['b1'], said: [words]});
  await expect(choose(['feature-new'], {mustHaveLog: true})).rejects.toThrow(new NotFoundError(words));
});

test.each<readonly [words: readonly string[], error: Error]>([
  [['mastr'], new NotFoundError('site shop has no branch "mastr", did you mean master?')],
  [
    ['nothing-alike'],
    new NotFoundError(
      'site shop has no branch "nothing-alike": it has master, feature-1, feature-2, feature-new, same, same',
    ),
  ],
  [['x*'], new NotFoundError('no branch of site shop that is built out matches "x*"')],
  [['same'], new UsageError('"same" names 2 branches of site shop: give the id, b5 or b6')],
  [['master', 'b1'], new UsageError('branch master of site shop is given twice: remove one of them')],
])('%j are refused', async (words, error) => {
  await expect(choose(words)).rejects.toThrow(error);
});

test('the namespace of the context is named by what it is called', async () => {
  await expect(choose(['.*x'], {siteWord: '.', given: []})).rejects.toThrow(
    'no branch of site s1 that is built out matches ".*x"',
  );
});

test('where no name is near, eight are listed', async () => {
  const given = (count: number) =>
    Array.from({length: count}, (_, index) => makeBuiltBranch(`id-${index}`, `n${index}`));
  await expect(choose(['nothing-alike'], {given: given(8)})).rejects.toThrow(/: it has n0, .*, n7$/);
  await expect(choose(['nothing-alike'], {given: given(10)})).rejects.toThrow(/: it has n0, .*, n7 and 2 more$/);
  await expect(choose(['nothing-alike'], {given: []})).rejects.toThrow(
    'has no branch "nothing-alike": it has no branches at all',
  );
});

test('more branches than can be watched are refused', async () => {
  const given = Array.from({length: 9}, (_, index) => makeBuiltBranch(`id-${index}`, `n${index}`));
  expect((await choose(['n*'], {given: given.slice(0, 8)})).names).toHaveLength(8);
  await expect(choose(['n*'], {given})).rejects.toThrow(/^9 branches match, at most 8 can be watched together: n0, n1/);
});

test('what does not work of a branch now is said with the worst of it, what did not is not', async () => {
  const trouble = (state: string) => ({state, reason: 'CrashLoopBackOff', pod: 'web-0'});
  const withTroubles = (...states: readonly string[]) => ({
    given: [{...makeBuiltBranch('b1', 'master'), troubles: states.map(trouble)}],
  });
  expect((await choose(['master'], withTroubles('past'))).said).toEqual([]);
  expect((await choose(['master'], withTroubles('now'))).said).toEqual([
    expect.stringMatching(/^branch master: .*CrashLoopBackOff[^;]*$/),
  ]);
  expect((await choose(['master'], withTroubles('now', 'past', 'past'))).said).toEqual([
    expect.stringMatching(/; 2 troubles more: see branchlog branches$/),
  ]);
});

const config = `default_context = "prod"
[contexts.prod]
base_url = "https://prod.example/dev-v1"
tenant = "acme"
auth_mode = "local"
token_command = ["echo", "t"]
sites = [{id = "s1", name = "shop"}]
[contexts.stage]
base_url = "https://stage.example:8443/dev-v1"
tenant = "acme"
auth_mode = "local"
token_command = ["echo", "t"]
[contexts.broken]
base_url = "https://broken.example/dev-v1"
`;

const openConfig = (text: string, env: NodeJS.ProcessEnv = {}) => {
  const folder = createTempFolder('contexts');
  onTestFinished(folder.remove);
  const path = join(folder.path, 'config.toml');
  writeFileSync(path, text, {mode: 0o600});
  const parsed = parseArguments(['sites', '--config', path]);
  return {parsed, io: {...processIo(folder.path), env}};
};

test('contexts are those of the file, in its order, each with its sites or with what is wrong', async () => {
  const {parsed, io} = openConfig(config, {BRANCHLOG_TENANT: 'mine'});
  const settings = await readSettings(parsed, io);
  const contexts = await readContexts(settings, parsed, io);
  expect(
    contexts.map(each =>
      each.kind === 'settings' ? [each.settings.context.name, each.settings.context.tenant] : [each.name],
    ),
  ).toEqual([
    ['prod', 'mine'],
    // What the environment says was meant for the chosen one.
    ['stage', 'acme'],
    ['broken'],
  ]);
  const [prod, stage, broken] = contextChoices(contexts, [
    {contextName: 'stage', siteId: 's9', name: 'old', openedAtMs: 5},
  ]);
  expect(prod).toEqual({
    label: {name: 'prod', host: 'prod.example', cutSaidBy: undefined},
    sites: [{id: 's1', name: 'shop', openedAtMs: undefined}],
  });
  expect(stage).toMatchObject({
    label: {name: 'stage', host: 'stage.example:8443'},
    sites: [{id: 's9', name: 'old', openedAtMs: 5}],
  });
  expect(broken).toMatchObject({
    label: {name: 'broken', host: ''},
    sites: [],
    fault: expect.stringMatching(/^the context broken can't be used: .*tenant/),
  });
});

test('a context that is not in the file comes first', async () => {
  const {parsed, io} = openConfig(config, {
    BRANCHLOG_BASE_URL: 'https://other.example/dev-v1',
    BRANCHLOG_TENANT: 't',
    BRANCHLOG_AUTH_MODE: 'a',
    BRANCHLOG_TOKEN: 'x',
  });
  const settings = await readSettings(parsed, io);
  const contexts = await readContexts(settings, parsed, io);
  expect(contexts.map(each => (each.kind === 'settings' ? each.settings.context.name : each.name)).slice(-3)).toContain(
    'stage',
  );
  expect(contexts[0]).toEqual({kind: 'settings', settings});
});

test('configured sites come first, then those that were opened before', () => {
  const recent = [
    {contextName: 'prod', siteId: 's2', name: undefined, openedAtMs: 7},
    {contextName: 'prod', siteId: 's1', name: 'old name', openedAtMs: 5},
    {contextName: 'stage', siteId: 's3', name: undefined, openedAtMs: 9},
  ];
  expect(knownSites({name: 'prod', sites: [{id: 's1', name: 'shop'}]} as never, recent)).toEqual([
    {id: 's1', name: 'shop', openedAtMs: 5},
    {id: 's2', name: undefined, openedAtMs: 7},
  ]);
});

test('what only the screens use is refused by every command', async () => {
  const keys = openConfig(`${config}[keys]\nnoSuchCommand = "x"\n`);
  await expect(readSettings(keys.parsed, keys.io)).rejects.toThrow(UsageError);
  await expect(readPreferences(keys.parsed, keys.io)).rejects.toThrow(UsageError);
  const filters = openConfig(`${config}[filters]\nnoise = ["-re:("]\n`);
  await expect(readSettings(filters.parsed, filters.io)).rejects.toThrow(UsageError);
  const broken = openConfig('nonsense');
  await expect(readSettings(broken.parsed, broken.io)).rejects.toThrow(UsageError);
});

test('global flags are those of the configuration', () => {
  const words = [
    '--context',
    'c',
    '--base-url',
    'u',
    '--tenant',
    't',
    '--auth-mode',
    'a',
    '--token-file',
    'f',
    '--config',
    'p',
  ];
  expect(settingFlags(parseArguments(['sites', ...words]))).toEqual({
    context: 'c',
    baseUrl: 'u',
    tenant: 't',
    authMode: 'a',
    tokenFile: 'f',
    config: 'p',
  });
});
