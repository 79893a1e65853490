import {spawnSync} from 'node:child_process';
import {existsSync, globSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import {decodeLog} from '#api/client/decode-log.ts';
import {decodePulses} from '#api/client/decode-pulses.ts';
import {bindingsOn, type Command, commandFor, keymap, keysToName} from '#app/keys/keymap.ts';
import {rebindKeys} from '#app/keys/rebind-keys.ts';
import {parseArguments} from '#cli/arguments/args.ts';
import {readNumberedLog} from '#cli/commands/doctor/conformance/numbered-log.ts';
import {readNotifyRules} from '#cli/connection/screen-settings.ts';
import {lineSources} from '#cli/line-sources.ts';
import {readServeSettings} from '#config/serve/serve-settings.ts';
import {loadSettings} from '#config/settings/load-settings.ts';
import {startCommand} from './cli/run-command.ts';
import {makeBuiltBranch} from './support/fake-records.ts';
import {fakeToken, startFakeService} from './support/fake-service.ts';
import {startKubeDouble} from './support/kubernetes/start-kube-double.ts';
import {createTempFolder} from './support/temp-folder.ts';
import {waitFor} from './support/wait-for.ts';

const text = readFileSync('docs/configuration.md', 'utf8');
const examples = [...text.matchAll(/```toml\n(.*?)```/gs)].map(([, toml = '']) => toml);

test('the examples of docs/configuration.md are taken as they stand, all in one file', async () => {
  expect(examples).toHaveLength(5);
  const folder = createTempFolder('docs');
  try {
    const path = join(folder.path, 'config.toml');
    writeFileSync(path, examples.join('\n'));
    const settings = await loadSettings({
      flags: {config: path, baseUrl: 'https://api.example.com/dev-v1', tenant: 't', authMode: 'a', tokenFile: '/token'},
      env: {},
      homeFolder: undefined,
    });
    const {keys, notify} = settings;
    const rebound = rebindKeys(keymap, keys.bindings, {place: keys.place, suggest: () => undefined});
    expect(rebound).toMatchObject({kind: 'keymap'});
    const wishes = await readNotifyRules(notify);
    expect([wishes?.matches?.('PHP Fatal error: x'), wishes?.matches?.('calm')]).toEqual([true, false]);
  } finally {
    folder.remove();
  }
});

test('every key of [ui] and [notify] has its row, and every table its section', () => {
  for (const key of ['theme', 'mouse', 'bell', 'osc9', 'pattern', 'first_error', 'quiet']) {
    expect(text).toContain(`\n| \`${key}\` | `);
  }
  for (const table of ['ui', 'keys', 'notify']) {
    expect(text).toContain(`\n## \`[${table}]\`\n`);
  }
});

const documents = globSync('**/*.md', {exclude: ['node_modules', 'dist', 'coverage']});
const readDocument = (path: string): string => readFileSync(path, 'utf8');

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trimStart()
    .replaceAll(' ', '-');
const anchorsIn = (path: string): readonly string[] =>
  [...readDocument(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('all documents are looked at', () => {
  expect(documents).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'src/README.md']),
  );
});

test.each(documents)('the links of %s lead to files and headings that exist', path => {
  const links = [...readDocument(path).matchAll(/\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g)].map(
    ([, link, source]) => link ?? source ?? '',
  );
  const dead = links
    .filter(link => !/^[a-z]+:/.test(link))
    .filter(link => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      return !existsSync(target) || (anchor !== undefined && !anchorsIn(target).includes(anchor));
    });
  expect(dead).toEqual([]);
});

test.each(documents)('the npm scripts and the files that %s names exist', path => {
  const {scripts} = JSON.parse(readFileSync('package.json', 'utf8')) as {scripts: Record<string, string>};
  const document = readDocument(path);
  const named = [...document.matchAll(/\bnpm run (?:--silent )?([a-z:-]+)/g)].map(([, name = '']) => name);
  expect(named.filter(name => !(name in scripts))).toEqual([]);
  const paths = [...document.matchAll(/`((?:\.ci|\.github|bench|bin|docs|scripts|src|test)\/[^`*\s]*)`/g)].map(
    ([, file = '']) => file,
  );
  expect(paths.filter(file => !existsSync(file))).toEqual([]);
});

type Block = {readonly path: string; readonly language: string; readonly text: string};

const blocks: readonly Block[] = documents.flatMap(path =>
  [...readDocument(path).matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', block = '']) => ({
    path,
    language,
    text: block,
  })),
);
const blocksOf = (language: string): readonly Block[] => blocks.filter(block => block.language === language);

test('a test knows the language of every block, or nobody runs it', () => {
  // Those in the second row have tests of their own, beside the code that they are about.
  const known = ['sh', 'toml', 'json', 'yaml', 'text', '', ...['ini', 'nginx', 'logrotate', 'ts', 'typescript']];
  expect(blocks.filter(({language}) => !known.includes(language))).toEqual([]);
});

test.each(blocksOf('yaml'))('$path has YAML that can be read: $text', ({text: yaml}) => {
  expect(parseAllDocuments(yaml).flatMap(({errors}) => errors)).toEqual([]);
});

test.each(documents.filter(path => blocksOf('sh').some(block => block.path === path)))(
  'a shell can read the commands of %s',
  path => {
    const input = blocksOf('sh')
      .filter(block => block.path === path)
      .map(block => block.text)
      .join('\n');
    expect(spawnSync('bash', ['-n'], {input, encoding: 'utf8'})).toMatchObject({status: 0, stderr: ''});
  },
);

/** Splits a line as a shell does, as far as the documents need it: quotes, comments, and what ends a command. */
const commandsIn = (line: string): readonly (readonly string[])[] => {
  const commands: string[][] = [[]];
  for (const [word] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"|<>&;])+|[|<>&;]+/g)) {
    if (word.startsWith('#')) {
      break;
    }
    if (/^[|<>&;]/.test(word)) {
      commands.push([]);
    } else {
      commands.at(-1)?.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
    }
  }
  return commands;
};

/** Every call of branchlog in a document, without the program's name. */
const allCalls = blocksOf('sh').flatMap(({path, text: block}) =>
  block.split('\n').flatMap(line =>
    commandsIn(line).flatMap(words => {
      const index = words.findIndex(word => /(?:^|\/)branchlog(?:\.js)?$/.test(word));
      return index === 0 || (index === 1 && words[0] === 'node') ? [[path, line, words.slice(index + 1)] as const] : [];
    }),
  ),
);

/** The same call of two documents runs once. */
const calls = allCalls.filter(
  ([, , argv], index) => allCalls.findIndex(([, , other]) => other.join(' ') === argv.join(' ')) === index,
);

test('commands are found after others, in quotes and before comments', () => {
  expect(calls.length).toBeGreaterThan(10);
  expect(commandsIn("a && b 'c d' --e='f|g' > h # i")).toEqual([['a'], ['b', 'c d', '--e=f|g'], ['h']]);
});

test('branchlog understands every command that a sentence names', () => {
  const named = documents.flatMap(path =>
    [...readDocument(path).matchAll(/`(branchlog (?!__)[^\s`]+ [^`…[|]*)`/g)].map(([, command = '']) => command),
  );
  expect(named.length).toBeGreaterThan(10);
  const refused = named.filter(command => {
    try {
      parseArguments(commandsIn(command)[0]?.slice(1) ?? []);
      return false;
    } catch {
      return true;
    }
  });
  expect(refused).toEqual([]);
});

/** The config that the README starts with. */
const quickStart = blocksOf('toml').find(({path}) => path === 'README.md')?.text ?? '';

/** Runs a call on a cluster with the names of the documents. */
const runOnCluster = async (argv: readonly string[], folder: string): Promise<void> => {
  const double = await startKubeDouble();
  onTestFinished(() => double.close());
  const web = double.workloads.createDeployment({namespace: 'shop', name: 'web'});
  const [pod] = web.pods();
  if (pod && argv.includes('--previous')) {
    double.pods.restart(pod, 'php', 0);
  }
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, double.kubeconfig());
  const running = startCommand(argv, {
    env: {KUBECONFIG: kubeconfig},
    onStdout: () => {
      if (argv.includes('--follow')) {
        running.signal('SIGINT');
      }
    },
  });
  if (argv.includes('--follow')) {
    await waitFor(() => double.streams('log').length > 0, {what: 'the log to be followed'});
    if (pod) {
      double.pods.write(pod, 'php', {text: 'ERROR that is printed'});
    }
  }
  // Of a line or none, nobody can tell whether all is calm.
  const code = argv.includes('--follow') ? 130 : argv[0] === 'incident' ? 7 : 0;
  expect([await running.code, running.stderr()]).toEqual([code, '']);
};

test.each(calls)('%s: %s', async (_path, _line, argv) => {
  const {command} = parseArguments(argv);
  // These open the screens, or go on until they are stopped: their own tests run them.
  if (['browse', 'open', 'demo', 'kube', 'serve', 'init', 'guard'].includes(command)) {
    return;
  }
  const folder = createTempFolder('docs');
  onTestFinished(() => folder.remove());
  if (argv.includes('--kube')) {
    await runOnCluster(argv, folder.path);
    return;
  }
  const service = await startFakeService({tenant: 'acme', authMode: 'idp'});
  onTestFinished(() => service.close());
  const names = ['master', 'staging'];
  service.setBranches(
    '5f3c0a12',
    names.map(name => makeBuiltBranch(name, name)),
  );
  for (const name of names) {
    // For --require-proof.
    service.setLog(name, () => ({
      lines: ['2026-11-21T14:00:00.000000000Z ready'],
      header: 'branch; series=a; last=0; dropped=0',
    }));
  }
  const config = join(folder.path, '.config/branchlog');
  mkdirSync(config, {recursive: true});
  writeFileSync(join(config, 'token'), fakeToken, {mode: 0o600});
  writeFileSync(join(config, 'config.toml'), quickStart.replace('https://api.example.com/dev-v1', service.baseUrl));
  const running = startCommand(
    argv.map(word => (/\.(?:ndjson|branchlog)$/.test(word) ? join(folder.path, word) : word)),
    {homeFolder: folder.path},
  );
  if (argv.includes('--follow')) {
    await service.waitForRequests(2, 'logs');
    running.signal('SIGINT');
  }
  // Of a line or none, nobody can tell whether all is calm.
  const code = argv.includes('--follow') ? 130 : argv[0] === 'incident' ? 7 : 0;
  const said = command === 'export' ? expect.stringMatching(/^branchlog: saved 1 line, .* opens it\n$/) : '';
  expect([await running.code, running.stderr()]).toEqual([code, said]);
});

test.each(blocksOf('toml').map(({path, text: block}) => [path, block]))(
  'a config of %s is taken as it stands: %#',
  async (_path, toml) => {
    const folder = createTempFolder('docs');
    onTestFinished(() => folder.remove());
    const path = join(folder.path, 'config.toml');
    writeFileSync(path, toml);
    if (/^tenant = /m.test(toml) && !toml.includes('[contexts.')) {
      expect((await readServeSettings(path, lineSources, '/home/op')).tenant).toBe('acme');
      return;
    }
    const given = {baseUrl: 'https://api.example.com/dev-v1', tenant: 't', authMode: 'a', tokenFile: '/token'};
    const flags = {config: path, ...(toml.includes('[contexts.') ? {} : given)};
    expect((await loadSettings({flags, env: {}, homeFolder: '/home/op'})).warnings).toEqual([]);
  },
);

/** An answer of a service, over several lines, and not what branchlog prints. */
const isServed = (block: string): boolean => /^[[{]\n/.test(block);

test('the answers in docs/serve.md keep to the conventions that it explains, and the client reads all of them', () => {
  const [answer, counted, ...others] = blocksOf('json').filter(({text: block}) => isServed(block));
  expect(others).toEqual([]);
  const pulses = decodePulses(JSON.parse(counted?.text ?? ''));
  expect([[...pulses.value.keys()], pulses.skipped]).toEqual([['master'], []]);
  const json: unknown = {podNamesList: [], ...JSON.parse(answer?.text ?? '')};
  const deviations: string[] = [];
  readNumberedLog(json, '', rule => deviations.push(rule));
  expect(deviations).toEqual([]);
  const {value, skipped} = decodeLog(json);
  expect([value.numbering?.first, value.numbering?.losses.length, skipped]).toEqual([4218, 1, []]);
});

test('every line of JSON in a document is a record that branchlog prints', () => {
  const records = blocksOf('json')
    // The config of an agent has a test of its own.
    .filter(({text: block}) => !isServed(block) && !block.includes('"mcpServers"'))
    .flatMap(({text: block}) => block.trim().split('\n'));
  expect(records.length).toBeGreaterThan(3);
  const branchFields = ['id', 'name', 'status', 'type', 'hostname', 'updatedAt'];
  for (const record of records.map(text => JSON.parse(text))) {
    if ('id' in record) {
      expect(Object.keys(record).filter(key => key !== 'malformed')).toEqual(branchFields);
    } else {
      expect(record).toMatchObject({kind: expect.stringMatching(/^(?:line|gap|pod|quiet|change|end)$/)});
    }
  }
});

test('docs/on-call.md says what its keys do, and every key of it is one', () => {
  const onCall: Readonly<Record<string, Command>> = {
    I: 'toggleIncident',
    '<': 'previousPeak',
    '>': 'nextPeak',
    E: 'previousError',
    e: 'nextError',
    ',': 'previousNew',
    '.': 'nextNew',
    P: 'togglePods',
    u: 'toggleSummary',
    M: 'markLine',
    "'": 'nextMark',
    '"': 'previousMark',
    S: 'saveIncident',
    s: 'saveLines',
    c: 'copyLink',
    v: 'pickLines',
    y: 'copyLines',
    f: 'filterIn',
    x: 'removeFilter',
    l: 'raiseLevel',
    T: 'goToTime',
    '{': 'previousMarker',
    '}': 'nextMarker',
    a: 'goToUnseen',
    Enter: 'openLine',
    Esc: 'back',
    End: 'goLast',
  };
  expect(Object.fromEntries(Object.keys(onCall).map(key => [key, commandFor(key, 'log')]))).toEqual(onCall);
  expect([commandFor('x', 'branches'), commandFor('Space', 'branches')]).toEqual(['toggleFaults', 'toggleMark']);
  const named = [...readDocument('docs/on-call.md').matchAll(/`([!-_a-~]|[A-Z][a-z]+)`/g)].map(([, key = '']) => key);
  const keys = bindingsOn('log').flatMap(binding => binding.keys);
  // The sign at the left edge of a warning.
  expect(named.filter(key => !keys.includes(key) && key !== '!')).toEqual([]);
});

test('every key and command in the last column of docs/coming-from.md is one, and reads what is meant', () => {
  const rows = [...readDocument('docs/coming-from.md').matchAll(/^\| (?!---|task )(.*) \|$/gm)].map(
    ([, row = '']) => row,
  );
  expect(rows.length).toBeGreaterThan(50);
  const ours = rows.flatMap(row => {
    const cells = row.split(/(?<!\\) \| /);
    expect(cells).toHaveLength(3);
    return [...(cells[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'));
  });
  const keys = bindingsOn('log').flatMap(binding => keysToName(binding));
  const commands = ours.filter(code => code.startsWith('branchlog '));
  expect(commands.length).toBeGreaterThan(25);
  const unknown = ours.filter(code => !commands.includes(code) && !keys.includes(code) && code !== 'events');
  expect(unknown).toEqual([]);
  for (const command of commands) {
    const [words = []] = commandsIn(command);
    expect(['logs', 'open', 'kube', 'browse'], command).toContain(parseArguments(words.slice(1)).command);
  }
});

test('the messages of docs/troubleshooting.md are those of the program', () => {
  const sources = globSync(['src/**/*.{ts,tsx}', 'bin/*.js'])
    .map(path => readFileSync(path, 'utf8'))
    .join('\n')
    .replaceAll(/\$\{[^{}]*\}/g, '…')
    .replaceAll("\\'", "'");
  const messages = [...readDocument('docs/troubleshooting.md').matchAll(/^\| `(.*?)`[^|]* \|/gm)].map(
    ([, message = '']) => message,
  );
  expect(messages.length).toBeGreaterThan(60);
  // A message may be put together from parts, usually at a colon or a bracket; `…` stands for what varies.
  const parts = messages
    .flatMap(message => message.split(/…|[();:]/))
    .map(part => part.replace(/^[,;. "]+|["\s]+$/g, ''));
  expect(parts.filter(part => part.length > 3 && !sources.includes(part))).toEqual([]);
});
