import {onTestFinished, vi} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import type {ContainerPlace} from '#service/containers/container-logs.ts';
import {createKubeLines, type KubeLinesOptions} from '#service/kubernetes/kube-backend.ts';
import {createScriptedCluster, type ScriptedContainer} from './scripted-cluster.ts';

/** Simulated time, from a fixed start, with the cluster and a branch on it. */
export const openFeed = (options: Partial<KubeLinesOptions> & {readonly pieceBytes?: number} = {}) => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
    now: Date.UTC(2026, 10, 22, 12),
  });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const warnings: string[] = [];
  const cluster = createScriptedCluster({nowMs: Date.now, pieceBytes: options.pieceBytes ?? 1_000});
  const supply = createKubeLines({
    client: cluster.client,
    windowLines: 1_000,
    windowPerPod: false,
    now: () => instantFromMs(Date.now()),
    monotonicMs: () => performance.now(),
    random: () => 0.5,
    warn: message => warnings.push(message),
    ...options,
  });
  onTestFinished(() => supply.close());
  const branch = supply.open('master');
  const advance = async (ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
  };
  /** Tells the feed what the watch would, then lets it act. */
  const show = async (...containers: readonly (ScriptedContainer | ContainerPlace)[]): Promise<void> => {
    branch.setPlaces(containers.map(each => ('write' in each ? each.place() : each)));
    await advance(300);
  };
  const readWindow = async () => {
    const reading = branch.readWindow();
    reading.catch(() => undefined);
    await advance(0);
    return reading;
  };
  /** Returns the texts of the lines, with each loss in its place as `(pod: why)`. */
  const readStory = async (): Promise<readonly string[]> => {
    const {lines, numbering} = await readWindow();
    const {first = 1, numbers = [[first, lines.length]], losses = [], sources = []} = numbering ?? {};
    const tell = (from: number, to: number): readonly string[] =>
      losses
        .filter(({number}) => number >= from && number <= to)
        .map(({source, why}) => `(${sources[source ?? -1]?.pod ?? 'any'}: ${why})`);
    const numberOf = numbers.flatMap(([start, count]) => Array.from({length: count}, (_, index) => start + index));
    const story = lines.flatMap((line, index) => {
      const number = numberOf[index] ?? 0;
      return [...tell(number, number), line.slice(line.indexOf(' ') + 1)];
    });
    return [...story, ...tell(Math.max(0, ...numberOf) + 1, Number.POSITIVE_INFINITY)];
  };
  const readTexts = async (): Promise<readonly string[]> =>
    (await readWindow()).lines.map(line => line.slice(line.indexOf(' ') + 1));
  return {...cluster, supply, branch, advance, show, readWindow, readTexts, readStory, warnings};
};
