import {expect, test} from 'vitest';
import {judgeScenario} from './judge-scenario.ts';
import {type ClusterEmission, type ClusterOptions, createCluster} from './simulated-cluster.ts';
import {createSubject} from './subject.ts';
import {watchLooks} from './watch-looks.ts';

type Service = ReturnType<typeof createCluster>;

/** What a service answers that went through this, and what is wrong with the log that was put together from that. */
const tell = (options: Pick<ClusterOptions, 'cut' | 'banner'>, live: (service: Service) => void) => {
  const service = createCluster({...options, show: 'stamp', says: 'cut'});
  service.podComes();
  live(service);
  const {faults, falseGaps, lostCount} = judgeScenario(watchLooks(service, createSubject({bufferBytesMax: 1e9})));
  return {answers: service.looks.map(({window}) => window), faults, falseGaps, lostCount};
};
const step = 1_001n;
const lines = (count: number, more: Partial<ClusterEmission> = {}): ClusterEmission => ({
  source: '1/app',
  count,
  text: 'a',
  stepNanos: step,
  ...more,
});

test('two histories with the same answers: a run that was sent again and hides a loss, and one line after the other', () => {
  const cut = {per: 'branch', by: 'arrival', lines: 14} as const;
  const whole = tell({cut}, service => {
    service.emit(lines(7));
    service.poll();
    service.wait(8n * step);
    service.emit(lines(10));
    service.poll();
  });
  const lost = tell({cut}, service => {
    service.emit(lines(7));
    service.poll();
    service.emit(lines(8, {text: 'lost'}));
    for (const seq of [3, 4, 5, 6]) {
      service.resend(seq);
    }
    service.emit(lines(10));
    service.poll();
  });
  expect(lost.answers).toEqual(whole.answers);
  expect([whole.lostCount, whole.faults, whole.falseGaps]).toEqual([0, [], []]);
  expect([lost.lostCount, lost.faults]).toEqual([8, []]);
});

test('two histories with the same answers: a banner and lines that are gone, and a first line and all that follow', () => {
  const banner = {text: '=== log of shop-main ===', forgedAt: 1_795_266_120_000_000_000n};
  const whole = tell({cut: {per: 'branch', by: 'arrival', lines: 21}}, service => {
    service.emit(lines(1, banner));
    service.poll();
    service.wait(7n * step);
    service.emit(lines(20));
    service.poll();
  });
  const lost = tell({cut: {per: 'branch', by: 'arrival', lines: 20}, banner: 'constant'}, service => {
    service.poll();
    service.emit(lines(28, {text: 'a'}));
    service.poll();
  });
  expect(lost.answers).toEqual(whole.answers);
  expect([whole.lostCount, whole.faults, whole.falseGaps]).toEqual([0, [], []]);
  expect([lost.lostCount, lost.faults]).toEqual([8, []]);
});
