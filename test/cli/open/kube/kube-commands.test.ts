import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest';
import {parse, parseAllDocuments} from 'yaml';
import {explainCallError} from '#cli/connection/explain-call-error.ts';
import {exitCodeOf} from '#cli/io/exit-codes.ts';
import {UnavailableError} from '#service/backend/errors.ts';
import {
  doubleUser,
  type KubeDouble,
  type Login,
  startKubeDouble,
} from '../../../support/kubernetes/start-kube-double.ts';
import type {Workload} from '../../../support/kubernetes/world/workloads.ts';
import {createTempFolder, type TempFolder} from '../../../support/temp-folder.ts';
import {type CommandOptions, recordsOf, runCommand, startCommand} from '../../run-command.ts';

let double: KubeDouble;
let folder: TempFolder;
let worker: Workload;

beforeAll(async () => {
  folder = createTempFolder('kube');
  double = await startKubeDouble();
  const {createDeployment, createStatefulSet} = double.workloads;
  const web = createDeployment({namespace: 'shop', name: 'web', labels: {team: 'shop', tier: 'front'}});
  worker = createDeployment({namespace: 'shop', name: 'worker', labels: {team: 'shop', tier: 'back'}});
  createStatefulSet({namespace: 'blog', name: 'blog'});
  const {createJob, createCronJob, createDaemonSet, createPod} = double.others;
  const marks = {annotations: {'meta.helm.sh/release-name': 'tools'}};
  createDaemonSet({namespace: 'ops', name: 'agent', nodes: 1, ...marks});
  createCronJob({namespace: 'ops', name: 'backup', ...marks}).run();
  createJob({namespace: 'ops', name: 'import'});
  createPod({namespace: 'ops', name: 'debug'});
  createPod({namespace: 'ops', name: 'agent'});
  createDeployment({namespace: 'ops', name: 'solo', annotations: {'meta.helm.sh/release-name': 'one'}});
  for (const each of double.pods.all().filter(({namespace}) => namespace === 'ops')) {
    double.pods.write(each, each.containers[0]?.spec.name ?? '', {text: `of ${each.name}`});
  }
  double.workloads.createNamespace('empty');
  const [pod] = web.pods();
  for (const text of ['one', 'two']) {
    if (pod) {
      double.pods.write(pod, 'php', {text});
    }
  }
});

afterEach(() => {
  double.access.setRules(doubleUser, undefined);
  double.setOutage(undefined);
});

afterAll(async () => {
  await double.close();
  folder.remove();
});

/** Runs a command on a machine whose kubeconfig is this one. */
const run = (
  line: string,
  {login, change, ...options}: CommandOptions & {login?: Login; change?: (text: string) => string} = {},
) => {
  const kubeconfig = join(folder.path, 'kubeconfig');
  const text = double.kubeconfig(login);
  writeFileSync(kubeconfig, change?.(text) ?? text);
  const env = {KUBECONFIG: kubeconfig, XDG_STATE_HOME: folder.path, PATH: process.env.PATH};
  return runCommand(line.split(' '), {...options, env});
};

/** What is said, without the parts that differ between runs. */
const said = (stderr: string): string => stderr.replaceAll(double.url, 'SERVER').replaceAll(folder.path, '');

const mayOnly = (...resources: readonly string[]): void =>
  double.access.setRules(doubleUser, [{verbs: ['get', 'list', 'watch'], resources, namespaces: ['shop']}]);

describe('lists branches', () => {
  const names = async (line: string): Promise<readonly string[]> => {
    const {code, stdout, stderr} = await run(`${line} --format json --fields name,status`);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    return recordsOf(stdout).map(({name, status}) => `${name} ${status}`);
  };

  test('of a namespace, or of that of the context', async () => {
    const shop = ['web DEPLOY_APPLICATION_SUCCESS', 'worker DEPLOY_APPLICATION_SUCCESS'];
    expect(await names('branches --kube shop')).toEqual(shop);
    expect(await names('branches --kube')).toEqual(shop);
    expect(await names('branches --kube blog')).toEqual(['blog DEPLOY_APPLICATION_SUCCESS']);
    expect(await names('branches --kube --namespace blog --context double')).toEqual([
      'blog DEPLOY_APPLICATION_SUCCESS',
    ]);
  });

  test('that a selector chooses, or that a label names', async () => {
    expect(await names('branches --kube shop -l tier=front')).toEqual(['web DEPLOY_APPLICATION_SUCCESS']);
    expect(await names('branches --kube shop --branch-label team')).toEqual(['shop DEPLOY_APPLICATION_SUCCESS']);
  });

  test('and says that a namespace has none', async () => {
    expect(await run('branches --kube empty')).toMatchObject({
      code: 0,
      stderr: 'branchlog: site empty has no branches\n',
    });
  });
});

describe('prints logs', () => {
  const textOf = (stdout: string): readonly string[] =>
    stdout
      .trim()
      .split('\n')
      .map(row => row.slice(row.indexOf(' ') + 1));

  test('of a workload', async () => {
    const {code, stdout, stderr} = await run('logs --kube shop web');
    expect({code, texts: textOf(stdout), stderr}).toEqual({code: 0, texts: ['one', 'two'], stderr: ''});
  });

  test.each([
    'logs --kube shop deployment/web',
    'logs --kube --namespace shop deploy/web',
    'logs --kube shop web --branch-label tier',
    'logs --kube shop deployments/web --branch-label tier',
  ])('of a workload as kubectl names it, or that a label hides: %s', async line => {
    const {code, stdout, stderr} = await run(line);
    expect({code, texts: textOf(stdout), stderr}).toEqual({code: 0, texts: ['one', 'two'], stderr: ''});
  });

  test.each([
    ['ds/agent', /^of agent-\w{5}$/],
    ['daemonsets.apps/agent', /^of agent-\w{5}$/],
    ['cj/backup', /^of backup-\d+-\w{5}$/],
    ['backup', /^of backup-\d+-\w{5}$/],
    ['job/import', /^of import-\w{5}$/],
    ['pod/debug', /^of debug$/],
    ['po/agent', /^of agent$/],
    ['one', /^of solo-/],
  ])('of what kubectl calls %s, of its kind or of the release of that name', async (word, text) => {
    const {code, stdout, stderr} = await run(`logs --kube ops ${word}`);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(textOf(stdout)).toEqual([expect.stringMatching(text)]);
  });

  test('of one pod of a workload alone', async () => {
    const [pod] = double.pods.all().filter(({name}) => name.startsWith('solo-'));
    const {code, stdout} = await run(`logs --kube ops pod/${pod?.name}`);
    expect([code, textOf(stdout)]).toEqual([0, [`of ${pod?.name}`]]);
    expect((await run('logs --kube ops pod/solo-nowhere')).code).toBe(4);
  });

  test('of the first kind with a name, and says which others have it', async () => {
    const {code, stdout, stderr} = await run('logs --kube ops agent');
    expect([code, stderr]).toEqual([0, 'branchlog: "agent" is daemonset/agent; there is also pod/agent\n']);
    expect(textOf(stdout)).toEqual([expect.stringMatching(/^of agent-\w{5}$/)]);
  });

  test('as they grow, as JSON, until a line comes', async () => {
    const [pod] = worker.pods();
    const write = (text: string): void => {
      if (pod) {
        double.pods.write(pod, 'php', {text});
      }
    };
    write('starting');
    const {code, stdout, stderr} = await run('logs --kube shop worker --follow --format json --until ready', {
      onStdout: text => {
        if (text.includes('starting')) {
          write('ready');
        }
      },
    });
    const lines = stdout.trim().split('\n');
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(lines.map(row => JSON.parse(row))).toMatchObject([
      {kind: 'line', text: 'starting'},
      {kind: 'line', text: 'ready'},
    ]);
  });

  test('whole, however long: none is a part of another, even if it has the size of a piece', async () => {
    const [pod] = worker.pods();
    if (pod) {
      double.pods.write(pod, 'php', {text: 'x'.repeat(65_536)});
    }
    const {code, stdout} = await run('logs --kube shop worker --format json');
    const records = recordsOf(stdout);
    expect([code, records.map(({part}) => part)]).toEqual([0, records.map(() => undefined)]);
    expect(records.at(-1).text).toHaveLength(65_536);
  });

  test('with the token that an exec plugin prints', async () => {
    const credential = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: {token: double.token},
    });
    const user = {
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: 'sh',
        args: ['-c', `echo '${credential}'`],
        interactiveMode: 'Never',
      },
    };
    expect(await run('logs --kube shop web --tail 1', {login: {user}})).toMatchObject({code: 0, stderr: ''});
  });
});

describe('a login that has expired', () => {
  const script = 'echo "SSO session expired. Run: aws sso login" >&2; exit 255';
  const exec = {apiVersion: 'client.authentication.k8s.io/v1', command: 'sh', args: ['-c', script]};
  const login = {user: {exec: {...exec, interactiveMode: 'Never'}}};
  const words =
    '"exec" of user "tester" of /kubeconfig (sh) ended with exit code 255: run it by hand to see why. It wrote: SSO session expired. Run: aws sso login.';

  test('is told in the words of the plugin', async () => {
    const {code, stderr} = await run('logs --kube shop web', {login});
    expect([code, said(stderr)]).toEqual([3, `branchlog: ${words}\n`]);
    const doctor = await run('doctor --kube --format json', {login});
    const failure = recordsOf(doctor.stdout).find(({status}: {status: string}) => status === 'fail');
    expect([failure.subject, said(failure.words)]).toEqual(['credentials', words]);
  });
});

test('a log whose stream outlives its token goes on, and stderr says what still works', async () => {
  const {workloads, pods, access, streams, token, kubeconfig, close} = await startKubeDouble();
  const [pod] = workloads.createDeployment({namespace: 'shop', name: 'web'}).pods();
  const write = (text: string): void => {
    if (pod) {
      pods.write(pod, 'php', {text});
    }
  };
  write('before');
  const path = join(folder.path, 'outlived');
  writeFileSync(path, kubeconfig());
  let isRevoked = false;
  const command = startCommand('logs --kube shop web --follow --until after --interval 100ms'.split(' '), {
    env: {KUBECONFIG: path, XDG_STATE_HOME: folder.path, PATH: process.env.PATH},
    onStdout: text => {
      if (text.includes('before') && !isRevoked) {
        isRevoked = true;
        access.revokeToken(token);
        for (const watch of streams('watch')) {
          watch.end();
        }
      }
    },
    onStderr: text => {
      if (text.includes('new pods unseen')) {
        write('after');
      }
    },
  });
  expect(await command.code).toBe(0);
  await close();
  expect(command.stderr()).toMatch(
    /^branchlog: new pods unseen, 1 of 1 log still comes: https:\S+ does not accept user "tester" of \S+ \(401\)/m,
  );
});

describe('acts as another user', () => {
  test('by a flag or the kubeconfig, and says so', async () => {
    const before = double.requests.length;
    double.access.setRules('jane', [{verbs: ['*'], resources: ['*']}]);
    expect(await run('logs --kube shop web --tail 1 --as jane --as-group dev')).toMatchObject({code: 0, stderr: ''});
    expect([...new Set(double.requests.slice(before).map(({user}) => user))]).toEqual(['jane']);
    const {stdout} = await run('doctor --kube', {login: {user: {token: double.token, as: 'jane'}}});
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('user "tester" of');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('acting as jane');
  });

  test.each([
    ['--as jane', 'user jane', []],
    ['--as jane --as-group admins', 'group admins', ['users']],
  ])('3 with its own sentence if %s is not allowed', async (flags, wanted, allowed) => {
    double.access.setRules(doubleUser, [
      {verbs: ['get', 'list', 'watch'], resources: ['*']},
      {verbs: ['impersonate'], resources: allowed},
    ]);
    const sentence = `${doubleUser} may not act as ${wanted} (403 by SERVER): leave that out, or have a ClusterRole grant ${doubleUser} the verb impersonate.`;
    const {code, stderr} = await run(`logs --kube shop web ${flags}`);
    expect([code, said(stderr)]).toEqual([3, `branchlog: ${sentence}\n`]);
    const doctor = await run(`doctor --kube --format json ${flags}`);
    const failures = recordsOf(doctor.stdout).filter(({status}: {status: string}) => status === 'fail');
    expect([doctor.code, failures.length, failures[0].subject, said(failures[0].words)]).toEqual([
      3,
      1,
      'credentials',
      sentence,
    ]);
  });

  test('a group without a user is refused before anything is sent', async () => {
    const before = double.requests.length;
    const {code, stderr} = await run('logs --kube shop web --as-group admins');
    expect([code, stderr, double.requests.length]).toEqual([
      2,
      'branchlog: --as-group names groups but no user to act as: add --as or "as", which the API server requires.\n',
      before,
    ]);
  });
});

describe('a cluster whose certificate nobody checks', () => {
  const login = {cluster: {'insecure-skip-tls-verify': true, 'certificate-authority-data': undefined}};
  const warning =
    'the certificate of SERVER is not checked (insecure-skip-tls-verify): whoever is between can read the credentials and change the logs';

  test('is read, with a warning', async () => {
    for (const line of ['logs --kube shop web --tail 1', 'branches --kube shop']) {
      const {code, stderr} = await run(line, {login});
      expect([code, said(stderr)]).toEqual([0, `branchlog: ${warning}.\n`]);
    }
  });

  test('is a warning of doctor', async () => {
    const {code, stdout} = await run('doctor --kube --format json', {login});
    const rows: {status: string; subject: string; words: string}[] = recordsOf(stdout);
    expect([code, ...rows.filter(({status}) => status === 'warn').map(({words}) => said(words))]).toEqual([0, warning]);
    expect(rows.find(({subject}) => subject === 'API server')?.words).toContain(', certificate not checked, ');
  });
});

describe('ends with a sentence and the exit code of its kind', () => {
  test.each<readonly [string, number, string]>([
    ['logs --kube nowhere web', 4, 'SERVER has no namespace "nowhere"'],
    ['logs --kube shop wbe', 4, 'site shop has no branch "wbe", did you mean web?'],
    ['logs --kube shop web --kube-context prod', 2, 'There is no context "prod" in /kubeconfig (there are: double).'],
    ['logs --kube ops tools', 2, '"tools" names 2 branches of site ops: give the name, agent or backup'],
    ['logs --kube shop sts/web', 4, 'site shop has no branch "sts/web": it has web, worker'],
    ['logs --kube --namespace shop wbe', 4, 'site shop has no branch "wbe", did you mean web?'],
    ['logs --kube shop web --context prod', 2, 'There is no context "prod" in /kubeconfig (there are: double).'],
    ['logs --kube shop web -l a=', 4, 'site shop has no branch "web": it has no branches at all'],
    [
      'branches --kube shop --kubeconfig /nowhere/config',
      2,
      'There is no kubeconfig at /nowhere/config: log in to a cluster, or name the file in KUBECONFIG.',
    ],
  ])('%s', async (line, code, words) => {
    const {stdout, stderr, ...ran} = await run(line);
    expect({...ran, stdout, said: said(stderr)}).toEqual({code, stdout: '', said: `branchlog: ${words}\n`});
  });

  test('3 for a token that is not accepted', async () => {
    const {code, stderr} = await run('logs --kube shop web', {login: {token: 'expired'}});
    expect([code, said(stderr)]).toEqual([
      3,
      'branchlog: SERVER does not accept user "tester" of /kubeconfig (401): log in again, or renew the credentials.\n',
    ]);
  });

  test.each<readonly [readonly string[], string]>([
    [['deployments', 'statefulsets', 'pods/log'], 'list pods'],
    [['pods', 'pods/log'], 'list deployments'],
    [['pods', 'deployments'], 'get pods/log'],
  ])('3 for whoever may only read %j', async (resources, right) => {
    mayOnly(...resources);
    const {code, stderr} = await run('logs --kube shop web');
    expect([code, said(stderr)]).toEqual([
      3,
      `branchlog: No right to ${right} in namespace shop, as ${doubleUser} (403 by SERVER): a Role must grant it. branchlog doctor --kube prints the Role.\n`,
    ]);
  });

  test('5 for a server that is busy for longer than anybody waits', async () => {
    double.throttle(1, 120);
    const {code, stdout, stderr} = await run('logs --kube shop web');
    double.throttle(0);
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toContain('A busy server is waited for at most 60 s: try again later.');
  });

  test('130 for Ctrl-C while a busy server is waited for', async () => {
    double.throttle(1_000, 30);
    const kubeconfig = join(folder.path, 'kubeconfig');
    writeFileSync(kubeconfig, double.kubeconfig());
    const command = startCommand(['logs', '--kube', 'shop', 'web'], {
      env: {KUBECONFIG: kubeconfig, XDG_STATE_HOME: folder.path, PATH: process.env.PATH},
      onStderr: () => command.signal('SIGINT'),
    });
    expect(await command.code).toBe(130);
    double.throttle(0);
    expect(said(command.stderr())).toBe('branchlog: SERVER is busy (429): trying again for up to 60 s.\n');
  });

  test('0 for a server that is busy for a moment, at the first look and at the lists after it', async () => {
    double.throttle(6, 1);
    const {code, stdout, stderr} = await run('logs --kube shop web --tail 1 --format raw', {
      clock: {sleep: async () => undefined},
    });
    expect([code, stdout.slice(31)]).toEqual([0, 'two\n']);
    expect(said(stderr)).toMatch(/^branchlog: SERVER is busy \(429\)/);
  });

  test('5 for a namespace whose branches are not known in time', () => {
    const late = new UnavailableError('The pods of namespace shop are not known yet: ask again in a moment.');
    expect(exitCodeOf(explainCallError(late))).toBe(5);
  });

  test('4 for a workload of a kind that may not be read, and says that', async () => {
    mayOnly('pods', 'pods/log', 'deployments', 'statefulsets');
    const {code, stderr} = await run('logs --kube shop job/web');
    expect(code).toBe(4);
    expect(said(stderr)).toMatch(
      /^branchlog: The jobs of namespace shop cannot be listed\. No right to list jobs .*\n/,
    );
    expect(stderr).toContain('site shop has no branch "job/web"');
  });

  test('0 for whoever may read only an unusual kind', async () => {
    double.access.setRules(doubleUser, [
      {verbs: ['get', 'list', 'watch'], resources: ['pods', 'pods/log', 'jobs'], namespaces: ['ops']},
    ]);
    expect(await run('logs --kube ops job/import --format raw')).toMatchObject({code: 0});
  });

  test('0 for whoever may read one kind of workload', async () => {
    mayOnly('pods', 'pods/log', 'deployments');
    const {code, stdout, stderr} = await run('logs --kube shop web --tail 1 --format raw');
    expect([code, stdout.slice(31)]).toEqual([0, 'two\n']);
    expect(stderr).toMatch(/^branchlog: The statefulsets of namespace shop cannot be listed\. .*\n$/);
  });

  test('5 for a server that fails, or that is not there', async () => {
    double.setOutage(503);
    expect(await run('logs --kube shop web')).toMatchObject({code: 5, stdout: ''});
    const {code, stderr} = await run('logs --kube shop web', {
      change: text => text.replace(double.url, 'https://127.0.0.1:1'),
    });
    expect([code, stderr]).toEqual([
      5,
      'branchlog: https://127.0.0.1:1 refused the connection: check the address, and that the API server runs.\n',
    ]);
  });
});

describe('doctor', () => {
  const rowsOf = (stdout: string): readonly string[] =>
    stdout
      .split('\n')
      .filter(row => /^(?:ok|warn|FAIL|skip) /.test(row))
      .map(row => row.slice(0, 20).trim().replace(/ +/g, ' '));

  test('finds nothing wrong with a cluster that may be read', async () => {
    const {code, stdout, stderr} = await run('doctor --kube');
    expect({code, stderr, rows: rowsOf(stdout)}).toEqual({
      code: 0,
      stderr: '',
      rows: ['ok kubeconfig', 'ok API server', 'ok clock', 'ok permissions', 'ok workloads', 'ok log'],
    });
    const words = said(stdout).replaceAll(/\s+/g, ' ');
    expect(words).toContain('context double, namespace shop, user "tester" of /kubeconfig');
    expect(words).toContain('SERVER, certificate verified, Kubernetes v1.32.0');
    expect(stdout).toContain('namespace shop: 2 Deployments, 2 Pods');
    expect(words).toMatch(/container php of pod web-\S+ wrote its last line .+ ago/);
    expect(stdout).not.toContain('kind: Role');
  });

  test('only reads', async () => {
    const before = double.requests.length;
    await run('doctor --kube');
    expect(double.requests.slice(before).filter(({method}) => method !== 'GET')).toEqual([]);
  });

  test('names the missing rights, and prints the Role that gives them', async () => {
    mayOnly('pods', 'deployments', 'statefulsets');
    const {code, stdout} = await run('doctor --kube -n shop');
    expect([code, rowsOf(stdout)]).toEqual([
      3,
      ['ok kubeconfig', 'ok API server', 'ok clock', 'FAIL permissions', 'skip workloads'],
    ]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`missing in namespace shop, as ${doubleUser}: get pods/log →`);
    const yaml = stdout.slice(stdout.indexOf('apiVersion:'));
    const {stdout: alone, stderr} = await run('doctor --kube -n shop --format role');
    expect(alone).toBe(yaml);
    expect(stderr).toBe(`branchlog: permissions: missing in namespace shop, as ${doubleUser}: get pods/log\n`);
    const [role, binding] = parseAllDocuments(yaml).map(document => document.toJS());
    expect([role.kind, role.metadata.namespace, binding.kind, binding.subjects]).toEqual([
      'Role',
      'shop',
      'RoleBinding',
      [{kind: 'ServiceAccount', name: 'branchlog', namespace: 'shop'}],
    ]);
    // As good as its word.
    double.access.setRules(
      doubleUser,
      role.rules.map(({resources, verbs}: {resources: string[]; verbs: string[]}) => ({
        resources,
        verbs,
        namespaces: ['shop'],
      })),
    );
    expect(await run('doctor --kube -n shop')).toMatchObject({code: 0});
  });

  test('binds the Role to a user with a certificate by name', async () => {
    const client = double.issueClient('alice');
    double.access.setRules('alice', []);
    const {code, stdout} = await run('doctor --kube --format role', {login: {client}});
    expect(code).toBe(3);
    expect(parse(stdout.split('---\n')[1] ?? '').subjects).toEqual([
      {kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io'},
    ]);
  });

  test('does without rights that only fill fields of the record, and says which', async () => {
    mayOnly('pods', 'pods/log', 'deployments', 'statefulsets');
    const {code, stdout} = await run('doctor --kube');
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('without ingresses, host names must come from the config');
  });

  test('says in JSON what else can be wrong, one finding a cause', async () => {
    const failing = async (line: string, options: Parameters<typeof run>[1] = {}) => {
      const {code, stdout} = await run(`${line} --format json`, options);
      const findings: {status: string; subject: string; action: string | null}[] = recordsOf(stdout);
      const failures = findings.filter(({status}) => status === 'fail');
      expect(failures.every(({action}) => action !== null)).toBe(true);
      return [code, ...failures.map(({subject}) => subject)];
    };
    expect(await failing('doctor --kube --kube-context prod')).toEqual([2, 'kubeconfig']);
    expect(await failing('doctor --kube', {login: {token: 'expired'}})).toEqual([3, 'credentials']);
    expect(await failing('doctor --kube -n nowhere')).toEqual([4, 'namespace']);
    expect(await failing('doctor --kube -n shop/pods')).toEqual([4, 'namespace']);
    double.setOutage(500);
    expect(await failing('doctor --kube')).toEqual([5, 'API server']);
  });
});

test('completion offers contexts of the kubeconfig, and namespaces and workloads that were listed before', async () => {
  await run('branches --kube shop');
  const offered = async (line: string): Promise<readonly string[]> =>
    (await run(`__complete -- ${line}`)).stdout
      .split('\n')
      .map(row => row.split('\t')[0] ?? '')
      .filter(Boolean);
  expect(await offered('kube --kube-context ')).toEqual(['double']);
  expect(await offered('kube --context ')).toEqual(['double']);
  expect(await offered('logs --kube --namespace shop ')).toEqual(['web', 'worker']);
  expect(await offered('kube ')).toContain('shop');
  expect(await offered('kube shop ')).toEqual(['web', 'worker']);
  expect(await offered('kube -n shop ')).toEqual(['web', 'worker']);
  expect(await offered('logs --kube shop web ')).toEqual(['worker']);
});
