import {instantToMs} from '#log/line/instant.ts';
import type {Backend, Directory, DirectoryBranch} from '#service/backend/backend.ts';
import {createWarnOnce, UnavailableError} from '#service/backend/errors.ts';
import {createSourceBackend} from '#service/backend/source-backend.ts';
import type {ContainerPlace} from '#service/containers/container-logs.ts';
import {type ContainerSupplyOptions, createContainerSupply} from '#service/containers/container-supply.ts';
import {createEngineLogs} from './engine/engine-logs.ts';
import {createEngineWatch} from './engine/engine-watch.ts';
import type {EngineClient} from './engine-client.ts';
import {type ChooseContainer, type EngineContainer, groupContainers, makeEngineBranch} from './engine-container.ts';

/** One log of containers that were named; its site and its branch have this id. */
export type NamedContainers = {readonly id: string; readonly name: string; readonly isChosen: ChooseContainer};

export type EngineBackendOptions = Omit<
  ContainerSupplyOptions<ContainerPlace>,
  'logs' | 'openEvents' | 'windowPerPod'
> & {
  /** Closed with the backend. */
  readonly client: EngineClient;
  readonly makeBranchId: (siteId: string, name: string) => string;
};

export type EngineBackend = Backend & {
  /** The containers that the engine has now. */
  containers(): readonly EngineContainer[];
  /** Runs the listener when that may have changed. */
  onChange(listener: () => void): void;
  /** From now on, there is one log of these containers, in place of projects and services. */
  name(named: NamedContainers): void;
};

type EngineBranch = DirectoryBranch<ContainerPlace>;

/** Creates the backend over an engine: projects are its sites, services and single containers its branches. */
export const createEngineBackend = (options: EngineBackendOptions): EngineBackend => {
  const {client, makeBranchId, monotonicMs} = options;
  const {warn} = createWarnOnce(options.warn);
  const listeners = new Set<() => void>();
  let branches: ReadonlyMap<string, EngineBranch & {readonly siteId: string}> = new Map();
  let named: NamedContainers | undefined;
  let shown: readonly EngineContainer[] | undefined;

  const watch = createEngineWatch({
    client,
    nowMs: () => instantToMs(options.now()),
    monotonicMs,
    warn,
    onChange: () => {
      for (const listener of listeners) {
        listener();
      }
    },
  });

  const read = (): typeof branches => {
    const containers = watch.containers();
    if (shown !== containers) {
      shown = containers;
      const groups = named
        ? [{...named, siteId: named.id, containers: containers.filter(named.isChosen)}]
        : groupContainers(containers, makeBranchId);
      branches = new Map(
        groups.map(group => [group.id, {...makeEngineBranch(group, branches.get(group.id)), siteId: group.siteId}]),
      );
    }
    return branches;
  };

  const branchesOf = (siteId: string): readonly EngineBranch[] | undefined => {
    const own = [...read().values()].filter(branch => branch.siteId === siteId);
    const outage = watch.outage();
    if (outage !== undefined) {
      throw new UnavailableError(outage);
    }
    return own.length > 0 ? own : undefined;
  };

  const directory: Directory<ContainerPlace> = {
    start: watch.start,
    listBranches: siteId => branchesOf(siteId)?.map(({record}) => record),
    listDeployed: siteId =>
      branchesOf(siteId)
        ?.filter(({pods}) => pods.length > 0)
        .map(({record}) => record),
    findBranch: (_, branchId) => {
      const branch = read().get(branchId);
      const outage = watch.outage();
      return (
        branch && {
          ...branch,
          endings: watch.endings(),
          watchOutages: watch.watchOutages(),
          ...(outage !== undefined && {outage}),
        }
      );
    },
    onChange: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => watch.close(),
  };

  const logs = createEngineLogs(client, id => watch.find(id)?.hasTerminal ?? false);
  const lines = createContainerSupply<ContainerPlace>({...options, warn, logs, windowPerPod: false});
  const backend = createSourceBackend({directory, lines, monotonicMs, now: options.now, warn});
  return {
    ...backend,
    containers: watch.containers,
    onChange: directory.onChange,
    name: chosen => {
      named = chosen;
      shown = undefined;
    },
    close: async () => {
      await backend.close();
      client.close();
    },
  };
};
