import {decodeEvent, type KubeEvent} from '../../objects/decode-event.ts';
import {type Reflector, type ReflectorOptions, startReflector} from '../../watch/reflector.ts';

type EventsWatchOptions = Pick<ReflectorOptions<KubeEvent>, 'client' | 'monotonicMs' | 'random' | 'warn'>;

type Watched = {readonly reflector: Reflector<KubeEvent>; users: number; changes: number};

/**
 * Creates what opens the events of a namespace. They are listed and watched while anybody has them open. Without the
 * right to read them, that is reported, and there are none.
 */
export const createEventsWatch = ({warn, ...options}: EventsWatchOptions) => {
  const watched = new Map<string, Watched>();

  const start = (namespace: string): Watched => {
    const reflector = startReflector({
      ...options,
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`,
      name: `events of namespace ${namespace}`,
      decode: decodeEvent,
      onChange: () => {
        started.changes += 1;
        // What the cluster has forgotten is in the log.
        reflector.noteShown();
      },
      warn: message => warn(`${message} Logs go on without them.`),
    });
    const started: Watched = {reflector, users: 0, changes: 0};
    watched.set(namespace, started);
    return started;
  };

  return (namespace: string) => {
    const found = watched.get(namespace) ?? start(namespace);
    const {reflector} = found;
    found.users += 1;
    return {
      /** Resolves when the first list has come or failed. */
      settled: reflector.settled,
      /** By uid. A cluster keeps events for an hour. */
      items: reflector.items,
      /** Counts the changes. */
      changes: () => found.changes,
      close: (): void => {
        found.users -= 1;
        if (found.users === 0) {
          watched.delete(namespace);
          reflector.close();
        }
      },
    };
  };
};

/** What opens the events of one namespace, which all branches of it share. */
export type OpenEvents = ReturnType<typeof createEventsWatch>;
