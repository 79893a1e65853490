import {onTestFinished} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import type {FirstRead} from '#service/containers/followed-container.ts';
import {createEngineBackend} from '#service/docker/engine-backend.ts';
import {createEngineClient, findEngine} from '#service/docker/engine-client.ts';

/** Opens the engine on a socket in this process, as `branchlog open --docker` does. */
export const openEngineBackend = async (host: string, firstRead: FirstRead = {since: 0n}) => {
  const warnings: string[] = [];
  const backend = createEngineBackend({
    client: createEngineClient(findEngine('docker', {DOCKER_HOST: host}, false)),
    makeBranchId: (siteId, name) => `${siteId}/${name}`,
    windowLines: 10_000,
    firstRead,
    now: () => instantFromMs(Date.now()),
    monotonicMs: () => performance.now(),
    random: () => 0.5,
    warn: message => warnings.push(message),
  });
  onTestFinished(() => backend.close());
  await backend.start();

  /** Returns what a branch shows: texts as `web-1 stdout: text`, and losses in their places as `(web-1: why)`. */
  const readStory = async (siteId: string, branchId: string): Promise<readonly string[]> => {
    const window = await backend.readWindow(siteId, branchId);
    const {lines = [], numbering} = window ?? {};
    const {first = 1, runs = [], sources = [], losses = []} = numbering ?? {};
    const sourceOf = runs.flatMap(([source, count]) => Array.from({length: count}, () => sources[source]));
    const tell = (from: number, to: number): readonly string[] =>
      losses
        .filter(({number}) => number >= from && number <= to)
        .map(({source, why}) => `(${sources[source ?? -1]?.pod ?? 'any'}: ${why})`);
    return [
      ...lines.flatMap((line, index) => [
        ...tell(first + index, first + index),
        `${sourceOf[index]?.pod} ${sourceOf[index]?.stream}: ${line.slice(line.indexOf(' ') + 1)}`,
      ]),
      ...tell(first + lines.length, Number.POSITIVE_INFINITY),
    ];
  };
  return {backend, warnings, readStory};
};
