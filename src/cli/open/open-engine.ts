import type {Client} from '#api/client/client.ts';
import {resolveRange} from '#cli/arguments/time-range.ts';
import {type AskedService, type LogWanted, serviceInside} from '#cli/connection/asked-service.ts';
import {backendReading, type ContainerReading, createBackendClient} from '#cli/connection/backend-client.ts';
import {explainCallError} from '#cli/connection/explain-call-error.ts';
import {NotFoundError} from '#cli/io/exit-codes.ts';
import type {Io, Say} from '#cli/io/io.ts';
import {makeBranchId} from '#config/serve/branch-base.ts';
import {instantFromMs} from '#log/line/instant.ts';
import type {FirstRead} from '#service/containers/followed-container.ts';
import {createEngineBackend} from '#service/docker/engine-backend.ts';
import {createEngineClient, type EngineKind, findEngine} from '#service/docker/engine-client.ts';
import {chooseContainers, type EngineContainer, noProject} from '#service/docker/engine-container.ts';

/**
 * Returns how far back logs are read for what a command wants: to their beginning, unless it says how far. Of a range
 * that has ended, the last lines are not those of the log.
 */
export const firstReadOf = ({since, to, ...wanted}: LogWanted, nowMs: number): FirstRead => {
  const tail = to === undefined ? wanted.tail : undefined;
  const {from} = resolveRange({since}, instantFromMs(nowMs));
  return {since: from ?? (tail === undefined ? 0n : undefined), tailLines: tail};
};

/** Site and branch of the log of containers that were named. */
export const namedId = 'containers';

/** Lines of a branch that are read at first, unless more is asked for: to scroll and to search. */
const firstLines = 20_000;
/** The longest wait for what was asked for, milliseconds: the logs of a machine may have some GB. */
const patientMs = 600_000;
/** Names that an error lists. */
const listedMax = 20;

type EngineReading = ContainerReading & {
  /** Containers are one log, whether or not they are named. */
  readonly isOneLog: boolean;
};

/** An engine's containers, as a service. */
type OpenedEngine = {
  readonly client: Client;
  readonly service: AskedService;
  readonly sites: readonly string[];
  /** Tells of the sites when projects have come or gone; never of none. */
  watchSites(tell: (ids: readonly string[]) => void): void;
  stop(): Promise<void>;
};

/** Opens an engine inside this program. Throws a `UsageError`, an `ApiError` or a `NotFoundError`. */
export const openEngine = async (
  kind: EngineKind,
  words: readonly string[],
  reading: EngineReading,
  {io, warn}: {readonly io: Io; readonly warn: Say},
): Promise<OpenedEngine> => {
  const {clock, random} = io;
  const isOneLog = words.length > 0 || reading.isOneLog;
  const open = async (): Promise<OpenedEngine> => {
    const engine = findEngine(kind, io.env, process.getuid?.() === 0);
    const backend = createEngineBackend({
      client: createEngineClient(engine),
      makeBranchId,
      windowLines: reading.firstRead?.tailLines ?? firstLines,
      ...backendReading(reading, patientMs),
      now: () => instantFromMs(clock.nowMs()),
      monotonicMs: clock.monotonicMs,
      random,
      warn,
    });
    try {
      await backend.start();
      const all = backend.containers();
      if (isOneLog) {
        const {isChosen, unknown} = chooseContainers(words, all);
        if (unknown.length > 0) {
          const names = all.map(({name}) => name);
          throw new NotFoundError(describeUnknown(engine.name, unknown, names));
        }
        const chosen = all.filter(isChosen);
        const [first, ...others] = chosen;
        const rest = others.length === 0 ? '' : ` and ${others.length} more`;
        backend.name({id: namedId, name: first ? `${first.name}${rest}` : `containers of ${engine.name}`, isChosen});
      }
      const sites = isOneLog ? [namedId] : projectsOf(all);
      if (sites.length === 0) {
        throw new NotFoundError(`${engine.name} at ${engine.place} has no containers: start one first`);
      }
      return {
        client: createBackendClient({backend, name: engine.name, clock}),
        service: serviceInside(engine.name, engine.place, sites),
        sites,
        watchSites: tell => {
          const tellNow = (): void => {
            const ids = projectsOf(backend.containers());
            // An engine that has nothing any more keeps its last sites: each says that it is gone.
            if (ids.length > 0) {
              tell(ids);
            }
          };
          if (!isOneLog) {
            backend.onChange(tellNow);
            tellNow();
          }
        },
        stop: backend.close,
      };
    } catch (error) {
      await backend.close();
      throw error;
    }
  };
  return open().catch((error: unknown) => {
    throw explainCallError(error);
  });
};

/** Returns the projects of containers by name; containers by themselves come last. */
const projectsOf = (containers: readonly EngineContainer[]): readonly string[] =>
  [...new Set(containers.map(({project}) => project ?? noProject))]
    .sort()
    .sort((a, b) => Number(a === noProject) - Number(b === noProject));

const describeUnknown = (engine: string, unknown: readonly string[], names: readonly string[]): string => {
  const more = names.length > listedMax ? ` and ${names.length - listedMax} more` : '';
  const there =
    names.length === 0
      ? 'It has no containers.'
      : `Its containers are ${names.toSorted().slice(0, listedMax).join(', ')}${more}`;
  return `${engine} has no container, service or project ${unknown.join(' or ')}. ${there}`;
};
