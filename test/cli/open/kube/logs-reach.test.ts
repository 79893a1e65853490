import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type KubeDouble, startKubeDouble} from '../../../support/kubernetes/start-kube-double.ts';
import {createTempFolder, type TempFolder} from '../../../support/temp-folder.ts';
import {runCommand} from '../../run-command.ts';

const minuteNs = 60_000_000_000n;
const nowNs = BigInt(Date.now()) * 1_000_000n;

let double: KubeDouble;
let folder: TempFolder;

beforeAll(async () => {
  folder = createTempFolder('kube-reach');
  double = await startKubeDouble();
});

afterAll(async () => {
  await double.close();
  folder.remove();
});

/** Creates a workload that is an hour old, whose one container wrote so many lines, each so many minutes ago. */
const createOld = (name: string, lines: readonly (readonly [count: number, minutesAgo: bigint])[]) => {
  const [pod] = double.workloads.createDeployment({namespace: 'shop', name, createdNs: nowNs - 60n * minuteNs}).pods();
  const write = ([count, minutesAgo]: readonly [number, bigint]): void => {
    for (let number = 1; number <= count && pod; number += 1) {
      const stampNs = nowNs - minutesAgo * minuteNs + BigInt(number) * 1_000_000n;
      double.pods.write(pod, 'php', {text: `line ${number} of ${minutesAgo} minutes ago`, stampNs});
    }
  };
  lines.forEach(write);
  return {write, rotate: () => pod && double.pods.rotate(pod, 'php')};
};

const logs = async (line: string, config = '') => {
  const kubeconfig = join(folder.path, 'kubeconfig');
  const configPath = join(folder.path, 'config.toml');
  writeFileSync(kubeconfig, double.kubeconfig(), {mode: 0o600});
  writeFileSync(configPath, config, {mode: 0o600});
  const env = {KUBECONFIG: kubeconfig, XDG_STATE_HOME: folder.path, PATH: process.env.PATH};
  const command = `logs --kube shop ${line} --config ${configPath}`;
  const {code, stdout, stderr} = await runCommand(command.split(' '), {env});
  return {code, rows: stdout.trim().split('\n'), stderr};
};

test('--since prints all lines since then, however many a window would have', async () => {
  createOld('since', [
    [700, 20n],
    [1_300, 9n],
  ]);
  const {code, rows, stderr} = await logs('since --since 10m --format raw');
  expect({code, count: rows.length, first: rows[0]?.slice(31), stderr}).toEqual({
    code: 0,
    count: 1_300,
    first: 'line 1 of 9 minutes ago',
    stderr: '',
  });
});

test('--tail prints as many lines as it names, of whichever container', async () => {
  createOld('tail', [[3_500, 9n]]);
  const {code, rows, stderr} = await logs('tail --tail 3000 --format raw');
  expect({code, count: rows.length, first: rows[0]?.slice(31), stderr}).toEqual({
    code: 0,
    count: 3_000,
    first: 'line 501 of 9 minutes ago',
    stderr: '',
  });
});

test('--since says where the file of a node begins later, also in the summary', async () => {
  const {rotate, write} = createOld('rotated', [[3, 9n]]);
  rotate();
  write([2, 5n]);
  const {code, rows, stderr} = await logs('rotated --since 10m --format json --summary');
  const first = JSON.parse(rows[1] ?? '');
  expect({code, stderr}).toEqual({
    code: 0,
    stderr: `branchlog: held from ${first.timestamp} only, --since asks for more: a node's log file begins there\n`,
  });
  expect(rows.map(row => JSON.parse(row))).toMatchObject([
    {kind: 'held', from: first.timestamp, why: "a node's log file begins there"},
    {text: 'line 1 of 5 minutes ago'},
    {text: 'line 2 of 5 minutes ago'},
    {kind: 'end', lines: 2, reachesBackTo: first.timestamp},
  ]);
});

test('--since says where no more lines fit', async () => {
  createOld('large', [[6_000, 9n]]);
  const {code, rows, stderr} = await logs('large --since 10m --format raw', '[log]\nkube_buffer_mb = 1\n');
  expect([code, rows.length < 6_000, rows.at(-1)?.slice(31)]).toEqual([0, true, 'line 6000 of 9 minutes ago']);
  expect(stderr).toBe(
    `branchlog: held from ${rows[0]?.slice(0, 30)} only, --since asks for more: no more lines fit into kube_buffer_mb\n`,
  );
});

test('--tail says how many it finds where filters hide lines that were read', async () => {
  createOld('filtered', [[50, 9n]]);
  const {code, rows, stderr} = await logs('filtered --tail 10 --grep 50 --format raw');
  expect([code, rows.length]).toEqual([0, 1]);
  expect(stderr).toBe('');
  const {stderr: words} = await logs('tail --tail 1500 --grep 2500 --format raw');
  expect(words).toMatch(/^branchlog: held from \S+ only, --tail finds 1 of 1500 lines: no older lines were read\n$/);
});
