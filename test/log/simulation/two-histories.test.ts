import {expect, test} from 'vitest';
import {judgeScenario} from './judge-scenario.ts';
import {type Cluster, createCluster} from './simulated-cluster.ts';
import {createSubject} from './subject.ts';
import {watchLooks} from './watch-looks.ts';

const createCounting = (): Cluster => {
  const cluster = createCluster({cut: {per: 'branch', by: 'arrival', lines: 9}, show: 'arrival', says: 'arrivals'});
  cluster.podComes();
  cluster.emit({source: '1/app', count: 3, text: 'before'});
  cluster.poll();
  return cluster;
};

const answersOf = ({looks}: Cluster): readonly unknown[] =>
  looks.map(({window: {lines, arrivals}}) => ({lines: lines.map(text => text.slice(31)), arrivals}));

const judge = (cluster: Cluster): readonly string[] =>
  judgeScenario(watchLooks(cluster, createSubject({bufferBytesMax: 1e6}))).faults;

test('nobody is blamed for a counter that is set back by as many lines as come: another history gives the same answers', () => {
  const [whole, setBack] = [createCounting(), createCounting()];
  whole.emit({source: '1/app', count: 11, text: 'after'});
  whole.poll();
  setBack.emit({source: '1/app', count: 2, text: 'lost'});
  setBack.setBack(2);
  setBack.emit({source: '1/app', count: 11, text: 'after'});
  setBack.poll();
  expect(answersOf(setBack)).toEqual(answersOf(whole));
  expect([judge(whole), judge(setBack)]).toEqual([[], []]);
});

test('a counter that is set back by fewer lines than come is disproved, and what was lost is told', () => {
  const cluster = createCounting();
  cluster.emit({source: '1/app', count: 2, text: 'lost'});
  cluster.setBack(4);
  cluster.emit({source: '1/app', count: 5, text: 'after'});
  cluster.poll();
  const watched = watchLooks(cluster, createSubject({bufferBytesMax: 1e6}));
  expect(watched.looks.map(({proof, gap}) => [proof, gap?.reason])).toEqual([
    ['counted', undefined],
    ['inferred', 'contradicted'],
  ]);
  expect(judgeScenario(watched).faults).toEqual([]);
});
