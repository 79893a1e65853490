import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {joinKubeconfigs} from '../support/kubernetes/join-kubeconfigs.ts';
import {doubleUser, type KubeDouble, startKubeDouble} from '../support/kubernetes/start-kube-double.ts';
import type {Workload} from '../support/kubernetes/world/workloads.ts';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';

let double: KubeDouble;
let home: TempFolder;
let web: Workload;
let program: PtyProgram | undefined;

beforeEach(async () => {
  double = await startKubeDouble();
  web = double.workloads.createDeployment({namespace: 'shop', name: 'web', replicas: 2});
  double.workloads.createDeployment({namespace: 'blog', name: 'blog'});
  home = createTempFolder('kube');
  writeFileSync(join(home.path, 'kubeconfig'), double.kubeconfig());
});
afterEach(async () => {
  await program?.close();
  program = undefined;
  await double.close();
  home.remove();
});

const open = (...args: readonly string[]): PtyProgram => {
  const env = {KUBECONFIG: join(home.path, 'kubeconfig')};
  program = startPtyProgram({home, env, args: ['kube', ...args], columns: 80, rows: 24});
  return program;
};

const write = (index: number, text: string): void => {
  const pod = web.pods()[index];
  if (pod) {
    double.pods.write(pod, 'php', {text});
  }
};

const recordBackOff = (): void => {
  const [pod] = web.pods();
  if (pod) {
    const object = {kind: 'Pod', ...pod};
    double.events.record({type: 'Warning', reason: 'BackOff', message: 'Back-off restarting', object});
  }
};

test('every header says whom one acts as, and that nobody checks the certificate', async () => {
  const cluster = {'insecure-skip-tls-verify': true, 'certificate-authority-data': undefined};
  writeFileSync(join(home.path, 'kubeconfig'), double.kubeconfig({cluster}));
  write(0, 'first of one');
  const screen = open('--as', 'jane');
  // The rows come after the header, and Enter opens only what is listed.
  for (const [place, row] of [
    ['branchlog', /▸ shop/],
    ['shop', /▸ ● web/],
    ['shop › web', /first of one/],
  ] as const) {
    await screen.waitFor(
      rows => new RegExp(`^ ${place} .* TLS not checked {3}as jane`).test(rows[0] ?? '') && row.test(rows.join('\n')),
    );
    screen.press('Enter');
  }
  expect(double.requests.every(({user}) => user === 'jane')).toBe(true);
});

test('contexts stand side by side, and one that refuses is told and leaves the others', async () => {
  const other = await startKubeDouble();
  write(0, 'first of one');
  writeFileSync(
    join(home.path, 'kubeconfig'),
    joinKubeconfigs({eu: {double}, us: {double: other, login: {token: 'expired'}}}),
  );
  const screen = open('--all-contexts');
  await screen.waitFor(rows => /^ branchlog {3}eu, us {3}2 clusters/.test(rows[0] ?? ''));
  await screen.waitFor(/us\/shop/);
  await screen.waitFor(/us: https:\S+ does not accept user "us"/);
  screen.press('Enter');
  await screen.waitFor(/● web +deployed/);
  screen.press('Enter');
  await screen.waitFor('first of one');
  await other.close();
});

test('namespaces are sites, workloads branches, and a log with its events goes on through a restart and a roll-out', async () => {
  recordBackOff();
  write(0, 'first of one');
  write(1, 'first of two');
  const screen = open();
  await screen.waitFor(
    rows => rows[0]?.includes('double') === true && rows[2]?.includes('▸ shop') === true && rows[3]?.trim() === 'blog',
  );
  screen.press('Enter');
  await screen.waitFor(/● web +deployed .* 2 /);
  screen.press('Enter');
  await screen.waitFor('first of one');
  await screen.waitFor('first of two');
  await screen.waitFor('Warning BackOff pod/web-');
  const [pod] = web.pods();
  if (pod) {
    double.pods.restart(pod, 'php');
  }
  write(0, 'after the restart');
  await screen.waitFor('after the restart');
  double.workloads.rollOut(web, {image: 'registry.example.com/php:2.0'});
  write(0, 'of the new version');
  await screen.waitFor('of the new version');
  expect(screen.screenText()).not.toContain('gap');
  screen.press('q');
  expect(await screen.exitCode()).toBe(0);
});

test('a link that the log screen copies opens the log at its time; events are not asked for where they are not wanted', async () => {
  recordBackOff();
  write(0, 'a line');
  const screen = open('shop/web@2026-01-02T03:04:05Z', '--no-events');
  await screen.waitFor('shop › web');
  await screen.waitFor('the buffer begins at');
  await screen.waitFor('a line');
  expect(double.requests.some(({path}) => path.includes('/events'))).toBe(false);
});

test('a right that is missing, and one that is taken away, are told in words', async () => {
  double.access.setRules(doubleUser, [{verbs: ['list', 'watch', 'get'], resources: ['*'], namespaces: ['shop']}]);
  write(0, 'a line');
  const screen = open();
  await screen.waitFor('namespaces cannot be listed (403): -n NAMESPACE opens another than shop');
  await screen.waitFor('● web');
  screen.press('Enter');
  await screen.waitFor('a line');
  double.access.setRules(doubleUser, []);
  for (const stream of double.streams()) {
    stream.cut();
  }
  await screen.waitFor(/No right to \w+ \S+ in namespace shop/);
});

test('a namespace that is not there is said before the screens open', async () => {
  const screen = open('-n', 'nowhere');
  expect(await screen.exitCode()).toBe(4);
  expect(screen.output()).toBe(`branchlog: ${double.url} has no namespace "nowhere"\r\n`);
});
