import {execFile} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {builtProgram, compiledOnce} from '../support/built-program.ts';
import {makeBuiltBranch} from '../support/fake-records.ts';
import {type FakeService, fakeToken, startFakeService} from '../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';

const document = readFileSync('docs/recipes.md', 'utf8');

/** The commands below a heading, in the order of the blocks. */
const blocksOf = (heading: string): readonly string[] => {
  const [, section = ''] =
    new RegExp(`^## ${heading}\\n(.*?)^## `, 'ms').exec(document) ?? expect.fail(`${heading} is no heading`);
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
};
const [gate = ''] = blocksOf('Gate a deployment');
const [chatScript = '', chat = ''] = blocksOf('Post to a chat');
const [ticket = ''] = blocksOf('Fill in a ticket');

/** So long before now the log begins, seconds. */
const heldSeconds = 3600;

type Scenario = {
  /** When every other line is an error, seconds before now. */
  readonly errors?: readonly [from: number, to: number];
  /** When the last line was written, seconds before now. */
  readonly end?: number;
  /** When the pods were replaced. */
  readonly rollOut?: number;
  readonly more?: Readonly<Record<string, unknown>>;
  /** Lines of which an answer has none, as of a service that does not number them; between two answers of a recording. */
  readonly gap?: readonly [from: number, to: number];
};

/** By the clock of the service. */
const nowMs = Math.floor(Date.now() / 1000) * 1000;
const stamp = (ago: number): string => new Date(nowMs - ago * 1000).toISOString();

/** A line a second, of two pods by turns. */
const linesOf = ({errors = [0, 0], end = 0}: Scenario): readonly (readonly [ago: number, line: string])[] =>
  Array.from({length: heldSeconds - end}, (_, index) => {
    const ago = heldSeconds - index;
    const isError = ago <= errors[0] && ago > errors[1] && index % 2 === 0;
    const text = isError
      ? `level=error msg="tax service rejected quote" order=${index}`
      : `level=info msg="order stored" id=${index}`;
    return [ago, `${stamp(ago)} ${text}`] as const;
  });

/** A service that numbers its lines and says who wrote them. */
const windowOf = (scenario: Scenario) => {
  const {rollOut, more} = scenario;
  const lines = linesOf(scenario);
  const isNew = (ago: number): boolean => rollOut !== undefined && ago <= rollOut;
  const runs = lines.map(([ago], index) => [(isNew(ago) ? 2 : 0) + (index % 2), 1]);
  const sources = ['web-1', 'web-2', 'web-3', 'web-4'].map(pod => ({pod}));
  const names = rollOut === undefined ? ['web-1', 'web-2'] : ['web-3', 'web-4'];
  return {
    lines: lines.map(([, line]) => line),
    pods: names.map(name => ({name, createdAt: stamp(rollOut ?? 86_400)})),
    more: {branchlog: {series: 'a', first: 1, runs, sources, losses: [], ...more}},
  };
};

let service: FakeService;
let folder: TempFolder;
let posts: {readonly text: string}[] = [];
const webhook = createServer((request, response) => {
  let body = '';
  request.on('data', piece => {
    body += piece;
  });
  request.on('end', () => {
    posts.push(JSON.parse(body));
    response.end('ok');
  });
});

beforeAll(async () => {
  service = await startFakeService({tenant: 'acme', authMode: 'idp'});
  service.setDate(new Date(nowMs).toUTCString());
  service.setBranches('shop', [makeBuiltBranch('master', 'master')]);
  folder = createTempFolder('incident-recipes');
  const bin = join(folder.path, 'bin');
  mkdirSync(bin);
  const {command, launcher} = builtProgram;
  writeFileSync(join(bin, 'branchlog'), `#!/bin/sh\nexec '${command}' '${launcher}' "$@"\n`, {mode: 0o755});
  writeFileSync(join(folder.path, 'chat'), chatScript, {mode: 0o755});
  await new Promise<void>(resolve => {
    webhook.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(async () => {
  await service.close();
  webhook.close();
  folder.remove();
});

const run = (script: string): Promise<{readonly code: unknown; readonly stdout: string; readonly stderr: string}> => {
  const env = {
    ...{PATH: `${join(folder.path, 'bin')}:${process.env.PATH}`, HOME: folder.path, SOAK: '0', ...compiledOnce},
    ...{BRANCHLOG_BASE_URL: service.baseUrl, BRANCHLOG_TENANT: 'acme', BRANCHLOG_AUTH_MODE: 'idp'},
    ...{BRANCHLOG_TOKEN: fakeToken, CHAT_WEBHOOK: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`},
  };
  return new Promise(resolve => {
    execFile('bash', ['-c', script], {env, cwd: folder.path}, (error, stdout, stderr) =>
      resolve({code: error?.code ?? 0, stdout, stderr}),
    );
  });
};

/** Records two answers between which lines are missing. */
const record = async (gap: readonly [from: number, to: number], name: string): Promise<string> => {
  const lines = linesOf({});
  let answers = 0;
  service.setLog('master', () => {
    answers += 1;
    const isFirst = answers === 1;
    return {
      header: 'branch',
      pods: [{name: 'web-1'}],
      lines: lines.flatMap(([ago, line]) => ((isFirst ? ago > gap[0] : ago < gap[1]) ? [line] : [])),
    };
  });
  await run(
    `branchlog logs shop master --follow --interval 100ms --until 'id=${heldSeconds - 1}$' --record ${name} > /dev/null`,
  );
  return name;
};

const loss = {source: 0, number: 3400, after: stamp(320), before: stamp(310), lines: 5, why: 'the file was emptied'};

const cannotTell = (why: string) => ({
  ...{gate: [1, 'stop: not proven\n'], verdict: new RegExp(`^cannot tell: ${why}`), finding: undefined},
});
const found = (verdict: RegExp) => ({
  ...{gate: [1, 'stop: something is wrong\n'], verdict, finding: /tax service rejected quote/},
});

describe.each<[string, Scenario, ReturnType<typeof found | typeof cannotTell> | undefined]>([
  ['an incident that began eleven minutes ago and goes on', {errors: [660, 0]}, found(/^incident since /)],
  ['an incident that is over', {errors: [540, 300]}, found(/^incident \S+ to \S+, 5 min ago/)],
  ['a log that fell silent', {end: 300}, cannotTell('silent since ')],
  ['a gap', {gap: [400, 300]}, cannotTell('possible gap ')],
  ['a loss that the service tells', {more: {losses: [loss]}}, cannotTell('lines lost .*the file was emptied')],
  [
    'pods that cannot be read',
    {more: {unreadable: {pods: 1, of: 3, why: 'no right to read web-5'}}},
    cannotTell('1 of 3 pods unreadable: no right to read web-5'),
  ],
  ['a clean roll-out', {rollOut: 480}, undefined],
])('with %s', (_name, scenario, expected) => {
  let words = 'shop master';
  beforeAll(async () => {
    posts = [];
    if (scenario.gap === undefined) {
      const window = windowOf(scenario);
      service.setLog('master', () => window);
    } else {
      words = `--replay ${await record(scenario.gap, `gap-${scenario.gap.join('-')}.ndjson`)}`;
    }
  });
  const recipe = (script: string) => run(script.replace('shop master', words));

  test('the gate passes only what is proven', async () => {
    const {code, stdout, stderr} = await recipe(gate);
    const [verdict = ''] = stdout.split('\n');
    if (expected === undefined) {
      expect([code, stderr]).toEqual([0, '']);
      expect(verdict).toBe('calm for 10 min');
    } else {
      expect([code, stderr]).toEqual(expected.gate);
      expect(verdict).toMatch(expected.verdict);
    }
  });

  test('the chat gets the verdict and its basis, and nothing while all is calm', async () => {
    const {stderr} = await recipe(chat);
    expect(stderr).toBe('');
    expect(posts.map(({text}) => text)).toEqual(
      expected === undefined
        ? []
        : [expect.stringMatching(new RegExp(`${expected.verdict.source}[^\\n]*\\n(?:complete|joined) from `))],
    );
    expect(posts[0]?.text ?? '').toMatch(expected?.finding ?? /^/);
  });

  test('the ticket has the verdict, its basis, what is not covered, and what was found', async () => {
    const {code, stderr} = await recipe(ticket.replace('--format', '--since 10m --format'));
    expect([code, stderr]).toEqual([0, '']);
    const text = readFileSync(join(folder.path, 'ticket.md'), 'utf8');
    const verdict = expected === undefined ? '^calm for 10 min' : expected.verdict.source;
    expect(text).toMatch(new RegExp(`^# ${verdict.slice(1)}[^\\n]*\\n\\n(?:complete|joined) from `));
    expect(text).toMatch(expected?.finding ?? /^/);
    expect(text.includes('- not covered, ')).toBe(expected !== undefined && expected.finding === undefined);
    expect(/calm/.test(text)).toBe(expected === undefined);
  });
});

test('a pipe is judged, too: an incident, and a log that nobody writes any more', async () => {
  const write = (name: string, scenario: Scenario): void => {
    const rows = linesOf(scenario).map(([, line]) => line);
    writeFileSync(join(folder.path, name), `${rows.join('\n')}\n`);
  };
  write('bad.log', {errors: [660, 0]});
  write('silent.log', {end: 300});
  const bad = await run('cat bad.log | branchlog incident -');
  expect([bad.code, bad.stdout.split('\n')[0]]).toEqual([0, expect.stringMatching(/^incident since /)]);
  const silent = await run('cat silent.log | branchlog incident - --since 3m');
  expect([silent.code, silent.stdout.split('\n')[0]]).toEqual([
    7,
    expect.stringMatching(/^cannot tell: silent since /),
  ]);
  expect(silent.stdout).not.toContain('calm');
});
