import {globSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {flagsOf, parseArguments} from '#cli/arguments/args.ts';
import {commands} from '#cli/arguments/commands.ts';
import {runCommand} from '../run-command.ts';

/** A service that is never asked: every one of these is refused before. */
const service = {
  BRANCHLOG_BASE_URL: 'http://127.0.0.1:1/dev-v1',
  BRANCHLOG_TENANT: 'acme',
  BRANCHLOG_AUTH_MODE: 'local',
  BRANCHLOG_TOKEN: 'canary-token',
};

const refused: readonly (readonly [string, string])[] = [
  ['logs shop master --folow', 'unknown flag --folow, did you mean --follow?'],
  ['open app.log --foo', 'unknown flag --foo; see branchlog open --help'],
  ['logs shop master --follow=yes', '--follow takes no value'],
  ['logs shop master --zzz', 'unknown flag --zzz; see branchlog logs --help'],
  ['logs shop master -x', 'unknown flag -x; see branchlog logs --help'],
  ['logs shop master -fx', 'unknown flag -x; see branchlog logs --help'],
  ['logs shop -1', 'unknown flag -1; see branchlog logs --help'],
  ['sites -f', '--follow belongs to branchlog open and branchlog logs, not to branchlog sites'],
  ['help lgos', 'unknown command "lgos", did you mean logs?'],
  [
    'help zzz',
    'unknown command "zzz": valid commands: demo, open, kube, serve, sites, branches, logs, incident, timeline, export, init, doctor, guard, mcp, help, version, completion',
  ],
  ['sites --color sometimes', '--color: expected auto, always or never, got "sometimes"'],
  ['logs shop master --=canary', 'unknown flag --; see branchlog logs --help'],
  ['logs shop master --no-follow', 'there is no --no-follow here: nothing follows without --follow'],
  ['logs shop master -o json', 'there is no -o here: --format json, or --format text'],
  ['open a.log -w --grep fail', String.raw`there is no -w here: put \b around a word: --grep '\bfail\b'`],
  ['open a.log --after-context 3', 'there is no --after-context here: --after N, or -A N'],
  ['logs shop master --json', 'there is no --json here: --format json'],
  ['logs shop master --lines 5', 'there is no --lines here: --tail N, or -n N'],
  [
    'logs shop master --follow --until 5m',
    "--until takes a pattern, and 5m reads as a time: --duration 5m stops after it; --until '(5m)' waits for this text",
  ],
  ['logs shop master --follow=', '--follow takes no value'],
  ['logs shop master --tail', '--tail needs a value: --tail=N'],
  ['logs shop master --grep --', '--grep needs a value: --grep=REGEX'],
  ['logs shop master --tail --follow', '--tail needs a value: --tail=N'],
  ['logs shop master --tail=', '--tail needs a value, got an empty one'],
  ['logs shop master --tail -1', '--tail: expected a number of lines from 0 to 100000000, got "-1"'],
  ['logs --kube --namespace shop', 'BRANCH is missing: branchlog logs --kube NAMESPACE BRANCH…'],
  ['logs shop web --namespace shop', '--namespace needs --kube: add it, or leave --namespace out'],
  ['kube shop -A', '--all-namespaces and a namespace: leave one of them out'],
  ['logs --kube', 'NAMESPACE is missing: branchlog logs --kube NAMESPACE BRANCH…'],
  ['logs shop master --tail 1.5', '--tail: expected a number of lines from 0 to 100000000, got "1.5"'],
  ['logs shop master --tail 1e3', '--tail: expected a number of lines from 0 to 100000000, got "1e3"'],
  [
    'logs shop master --interval soon',
    '--interval: expected a time above zero such as 500ms, 15s, 5m or 2h, got "soon"',
  ],
  ['logs shop master --interval 0', '--interval: expected a time above zero such as 500ms, 15s, 5m or 2h, got "0"'],
  ['logs shop master --duration 5x', '--duration: expected a time above zero such as 500ms, 15s, 5m or 2h, got "5x"'],
  [
    'logs shop master --since lately',
    '--since: expected a time such as 15m, 20:20, yesterday, 2026-11-21 14:02 or 2026-11-21T14:02:11Z, got "lately"',
  ],
  [
    'logs shop master --to tomorrow',
    '--to: expected a time such as 15m, 20:20, yesterday, 2026-11-21 14:02 or 2026-11-21T14:02:11Z, got "tomorrow"',
  ],
  ['logs shop master --to 5m --follow', '--to cannot be combined with --follow: new lines come after it'],
  ['logs shop master --since 5m --to 10m', '--to is before --since: swap them, or leave one of them out'],
  [
    'incident shop master --since 2026-11-21T14:02:11Z --to 2026-11-21T14:02:10Z',
    '--to is before --since: swap them, or leave one of them out',
  ],
  [
    'logs shop master --level errror',
    '--level: expected trace, debug, info, warn, error or fatal, got "errror", did you mean error?',
  ],
  ['logs shop master --format yaml', '--format: expected text, json or raw, got "yaml"'],
  ['logs shop master --format table', '--format: expected text, json or raw, got "table"'],
  ['version extra', 'unexpected operand "extra": branchlog version'],
  ['branches shop --format text', '--format: expected table, json, ndjson or json-array, got "text"'],
  [
    'logs shop master --grep a(?=b)',
    `--grep: "a(?=b)" can't be used: invalid or unsupported Perl syntax: \`(?=\`; patterns use RE2 syntax, which has no look-around and no backreferences`,
  ],
  [
    'logs shop master --exclude (a)\\1',
    `--exclude: "(a)\\1" can't be used: invalid escape sequence: \`\\1\`; patterns use RE2 syntax, which has no look-around and no backreferences`,
  ],
  [
    'logs shop master --until [',
    `--until: "[" can't be used: missing closing ]: \`[\`; patterns use RE2 syntax, which has no look-around and no backreferences`,
  ],
  ['logs', 'SITE is missing: branchlog logs SITE BRANCH…'],
  ['logs shop', 'BRANCH is missing: branchlog logs SITE BRANCH…'],
  ['logs shop 1 2 3 4 5 6 7 8 9', 'unexpected operand "9": branchlog logs SITE BRANCH…'],
  ['logs shop master --speed fast', '--speed: expected a factor from 0.01 to 10000, or max, got "fast"'],
  ['logs shop master --speed 0', '--speed: expected a factor from 0.01 to 10000, or max, got "0"'],
  ['logs shop master --speed 10001', '--speed: expected a factor from 0.01 to 10000, or max, got "10001"'],
  ['logs shop master --record a --replay b', '--record and --replay cannot be combined: remove one of them'],
  ['branches shop --record a', '--record belongs to branchlog and branchlog logs, not to branchlog branches SITE'],
  ['sites shop', 'unexpected operand "shop": branchlog sites'],
  ['log shop master', 'unknown command "log", did you mean logs?'],
  ['shop master extra', 'unexpected operand "extra": branchlog [SITE [BRANCH]]'],
  ['branches', 'SITE is missing: branchlog branches SITE'],
  ['logs --kube shop', 'BRANCH is missing: branchlog logs --kube NAMESPACE BRANCH…'],
  ['logs shop web -l app=shop', '--selector needs --kube: add it, or leave --selector out'],
  ['logs shop web --kube-context prod', '--kube-context needs --kube: add it, or leave --kube-context out'],
  ['doctor -n shop', '--namespace needs --kube: add it, or leave --namespace out'],
  ['doctor --format role', '--format role needs --kube: a service has no Role'],
  ['logs --kube shop web --base-url http://x', '--base-url cannot be combined with a Kubernetes cluster: leave it out'],
  ['kube -n shop web extra', 'the namespace is given twice: leave out --namespace or "web"'],
  [
    'kube --follow',
    '--follow belongs to branchlog open and branchlog logs, not to branchlog kube [NAMESPACE [BRANCH]]',
  ],
  ['serve', 'CONFIG is missing: branchlog serve CONFIG'],
  ['completion', 'SHELL is missing: branchlog completion bash|zsh|fish'],
  ['completion tcsh', 'SHELL: expected bash, zsh or fish, got "tcsh"'],
  ['sites --follow', '--follow belongs to branchlog open and branchlog logs, not to branchlog sites'],
  [
    'shop master --format text',
    '--format belongs to branchlog open, branchlog sites, branchlog branches, branchlog logs, branchlog incident, branchlog timeline, branchlog doctor, branchlog guard and branchlog help, not to branchlog [SITE [BRANCH]]',
  ],
  [
    '',
    'the terminal UI needs a terminal that supports control sequences. Without one, use branchlog sites, branchlog branches SITE and branchlog logs SITE BRANCH --follow',
  ],
  [
    'shop',
    'the terminal UI needs a terminal that supports control sequences. Without one, use branchlog sites, branchlog branches SITE and branchlog logs SITE BRANCH --follow',
  ],
];

describe('a command line that makes no sense ends with 2 and one sentence', () => {
  test.each(refused)('%s', async (line, sentence) => {
    const ran = await runCommand(line.split(' ').filter(Boolean), {env: service});
    expect(ran).toEqual({code: 2, stdout: '', stderr: `branchlog: ${sentence}\n`});
  });

  test('--token is refused with what to do instead, and its value is repeated nowhere', async () => {
    for (const argv of [
      ['sites', '--token', 'canary-secret'],
      ['--token=canary-secret'],
      ['logs', '--tokn=canary-secret'],
    ]) {
      const ran = await runCommand(argv, {env: service});
      expect(ran.code).toBe(2);
      expect(ran.stderr).not.toContain('canary-secret');
      expect(ran.stderr).toContain('--token-file');
    }
  });

  test('an empty operand is refused', async () => {
    const ran = await runCommand(['logs', '', 'master'], {env: service});
    expect(ran).toEqual({code: 2, stdout: '', stderr: 'branchlog: SITE is empty: branchlog logs SITE BRANCH…\n'});
  });

  test('what has no effect on a single window is said, and is no reason to stop', async () => {
    const ran = await runCommand(['logs', 'shop', 'master', '--interval', '1s', '--fail-on-gap'], {env: service});
    expect(ran.stderr).toContain('branchlog: --interval and --fail-on-gap have no effect without --follow\n');
    expect(ran.code).toBe(5);
  });
});

describe('a command line that makes sense', () => {
  test('flags may stand anywhere, with a blank or an equals sign', () => {
    const parsed = parseArguments([
      '--context',
      'prod',
      'logs',
      '--tail=5',
      'shop',
      '--follow',
      'master',
      '--grep',
      '-x',
    ]);
    expect(parsed.command).toBe('logs');
    expect(parsed.operands).toEqual(['shop', 'master']);
    expect([...parsed.switches]).toEqual(['follow']);
    expect(Object.fromEntries(parsed.values)).toEqual({context: ['prod'], tail: ['5'], grep: ['-x']});
  });

  test('--grep may be repeated, and a value may hold equals signs', () => {
    const parsed = parseArguments(['logs', 'shop', 'master', '--grep=a=b', '--grep', 'c']);
    expect(parsed.values.get('grep')).toEqual(['a=b', 'c']);
  });

  test('a value may begin with one dash, or be one', () => {
    const parsed = parseArguments([
      'logs',
      'shop',
      'master',
      '--grep',
      '-1',
      '--grep',
      '-',
      '--grep=--x',
      '--exclude=-',
    ]);
    expect(Object.fromEntries(parsed.values)).toEqual({grep: ['-1', '-', '--x'], exclude: ['-']});
  });

  test('-n is the number of lines for logs, and the namespace where there is none to count', () => {
    const valuesOf = (...argv: readonly string[]) => Object.fromEntries(parseArguments(argv).values);
    expect(valuesOf('logs', '--kube', 'shop', 'web', '-fn', '5', '-l', 'app=x')).toEqual({
      tail: ['5'],
      selector: ['app=x'],
    });
    expect(valuesOf('kube', '-n', 'shop', '-l', 'app=x')).toEqual({namespace: ['shop'], selector: ['app=x']});
    expect(valuesOf('-n', 'shop', 'kube')).toEqual({namespace: ['shop']});
    expect(valuesOf('doctor', '--kube', '-nshop')).toEqual({namespace: ['shop']});
  });

  test('with --kube, branches needs no site', () => {
    expect(parseArguments(['branches', '--kube']).operands).toEqual([]);
  });

  test('a dash alone is an operand', () => {
    expect(parseArguments(['logs', 'shop', '-']).operands).toEqual(['shop', '-']);
  });

  test('after -- everything is an operand, even the name of a command', () => {
    expect(parseArguments(['--', 'logs', '--follow'])).toMatchObject({
      command: 'browse',
      operands: ['logs', '--follow'],
    });
    expect(parseArguments(['logs', '--', '-site', 'master'])).toMatchObject({
      command: 'logs',
      operands: ['-site', 'master'],
    });
  });

  test('--help and --version ask for nothing else to be complete', () => {
    expect(parseArguments(['logs', '--help'])).toMatchObject({command: 'logs', operands: []});
    expect(parseArguments(['-h']).switches.has('help')).toBe(true);
  });

  test('every flag of the table parses with the command it belongs to', () => {
    // These two stand for --help and --version.
    for (const command of commands.filter(({name}) => name !== 'help' && name !== 'version')) {
      const operands = command.operands.map(({choices}) => choices?.[0] ?? 'x');
      for (const flag of flagsOf(command)) {
        const given = flag.value === undefined ? [`--${flag.name}`] : [`--${flag.name}`, flag.choices?.[0] ?? '5s'];
        const companion = flagsOf(command).find(({name}) => name === flag.onlyWith);
        const needed =
          companion === undefined ? [] : [`--${companion.name}${companion.value === undefined ? '' : '=x'}`];
        // It stands for the first operand.
        const words = flag.name === 'namespace' ? operands.slice(1) : operands;
        const parsed = parseArguments([...(command.word ? [command.word] : []), ...words, ...given, ...needed]);
        expect(parsed.command, command.name).toBe(command.name);
        expect(parsed.switches.has(flag.name) || parsed.values.has(flag.name), flag.name).toBe(true);
      }
    }
  });

  test('every flag of the table is read somewhere, and none is read that the table lacks', () => {
    const source = globSync('src/cli/**/*.ts')
      .map(path => readFileSync(path, 'utf8'))
      .join('\n');
    const flags = commands.flatMap(flagsOf).map(({name}) => name);
    const calls = source.matchAll(
      /\b(?:(?:flag|read)\w+\((?:input\.)?parsed, |(?:switches|values)\.(?:has|get)\()'([^']+)'/g,
    );
    const read = new Set(calls.map(([, name = '']) => name));
    // Those of pods and containers are read by one function.
    expect(flags.filter(name => !read.has(name.replace(/^exclude-(?=pod|container)/, '')))).toEqual([]);
    // `branchlog help COMMAND` has no flag for all of a help text: `whole` stands for that.
    const known = new Set([...flags, 'whole']);
    expect([...read].filter(name => !known.has(name))).toEqual([]);
  });

  test('the contract names these commands and flags, and the table has no other', () => {
    const cluster = ['kube', 'namespace', 'selector', 'branch-label', 'kube-context', 'kubeconfig', 'as', 'as-group'];
    const names = (name: string) => commands.find(command => command.name === name)?.flags.map(flag => flag.name);
    expect(commands.map(({word}) => word ?? '')).toEqual([
      '',
      'demo',
      'open',
      'kube',
      'serve',
      'sites',
      'branches',
      'logs',
      'incident',
      'timeline',
      'export',
      'init',
      'doctor',
      'guard',
      'mcp',
      'help',
      'version',
      'completion',
    ]);
    expect(names('open')).toEqual([
      'rotated',
      'docker',
      'podman',
      'quit-if-one-screen',
      'follow',
      'tail',
      'since',
      'to',
      'grep',
      'before',
      'after',
      'around',
      'exclude',
      'level',
      'prefix',
      'format',
      'timestamps',
      'highlight',
      'duration',
      'until',
      'summary',
      'fail-on-gap',
      'max-bytes',
      'max-lines',
      'screen-reader',
    ]);
    expect(names('logs')).toEqual([
      'follow',
      'interval',
      'tail',
      'since',
      'to',
      'grep',
      'before',
      'after',
      'around',
      'exclude',
      'level',
      'pod',
      'container',
      'exclude-pod',
      'exclude-container',
      'prefix',
      'format',
      'timestamps',
      'highlight',
      'duration',
      'until',
      'summary',
      'fail-on-gap',
      'max-bytes',
      'max-lines',
      'until-gone',
      'for',
      'require-proof',
      'record',
      'replay',
      'speed',
      'kube',
      'previous',
      'events',
      ...cluster.slice(1),
    ]);
    expect(names('branches')).toEqual([
      ...['deployed', 'format', 'fields', 'max-bytes', 'max-lines', 'full', ...cluster],
    ]);
    expect(names('kube')).toEqual([
      'namespace',
      'all-namespaces',
      'context',
      'all-contexts',
      ...cluster.slice(2, 4),
      'previous',
      'no-events',
      ...cluster.slice(4),
      'screen-reader',
    ]);
    expect(names('sites')).toEqual(['format', 'fields', 'max-bytes', 'max-lines']);
    expect(names('incident')).toEqual([
      ...['since', 'to', 'format', 'compare', 'notify-command', 'rotated', 'docker', 'podman'],
      ...['max-bytes', 'max-lines', 'replay'],
      ...cluster,
    ]);
  });
});
