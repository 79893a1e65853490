import {expect, test} from 'vitest';
import {startEngineDouble} from '../../support/docker/start-engine-double.ts';
import {startBranch} from '../open/kube/start-branch.ts';
import {openAgent} from './open-agent.ts';

test('with --docker a site is a project and a branch a container, whose lines are read', async () => {
  const engine = await startEngineDouble();
  const web = engine.create('web');
  web.write('INFO begin', {nanos: 1_795_500_000_000_000_001n});
  web.write('ERROR broken', {nanos: 1_795_500_000_000_000_003n});
  const agent = await openAgent(['--docker'], {env: {DOCKER_HOST: engine.host}});
  const {foreign, next} = await agent.ask('list_sites');
  expect(foreign.records).toHaveLength(1);
  const branches = await agent.ask('list_branches', next[0]?.call.arguments);
  expect(branches.foreign.records.map(({name}) => name)).toEqual(['web']);
  const {lines, proof, foreign: read} = await agent.ask('read_log', branches.next[0]?.call.arguments);
  expect([lines?.matched, proof]).toEqual([2, 'counted']);
  expect(read.records.map(({text}) => text)).toEqual(['INFO begin', 'ERROR broken']);
  expect(await agent.end()).toBe(0);
});

test('with --kube a site is a namespace and a branch a workload, whose lines are read', async () => {
  const {double, pods, env} = await startBranch();
  const [pod] = pods;
  double.pods.write(pod, 'php', {text: 'INFO begin'});
  double.pods.write(pod, 'php', {text: 'ERROR broken'});
  const agent = await openAgent(['--kube'], {env});
  const branches = await agent.ask('list_branches', {site: 'shop'});
  expect(branches.foreign.records.map(({name}) => name)).toEqual(['web']);
  const {lines, proof, foreign} = await agent.ask('read_log', {site: 'shop', branch: 'web', level: 'error'});
  expect([lines?.matched, proof]).toEqual([1, 'counted']);
  expect(foreign.records.map(({text}) => text)).toEqual(['ERROR broken']);
  const {foreign: checks} = await agent.ask('doctor');
  expect(checks.records[0]).toMatchObject({status: 'ok', subject: 'kubeconfig'});
  expect(await agent.end()).toBe(0);
});
