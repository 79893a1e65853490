import type {LogQuery} from '../container-logs.ts';
import type {ContainerPlace} from '../container-place.ts';
import {type LogReadOptions, startLogRead} from '../log/log-read.ts';
import type {LogFront} from '../log-lines.ts';
import type {ReadFailure} from './read-failure.ts';
import {isWaiting} from './read-pause.ts';

export type ReadStarterOptions = Pick<LogReadOptions, 'logs' | 'queue' | 'inbox'> & {
  readonly place: () => ContainerPlace;
  /** Hears how each read ends. */
  readonly readFailure: ReadFailure;
};

/** Creates the reads of one container. */
export const createReadStarter =
  ({place: findPlace, readFailure, ...shared}: ReadStarterOptions) =>
  (
    query: LogQuery,
    front: LogFront,
    onLines: LogReadOptions['onLines'],
    ofStream: Pick<LogReadOptions, 'onOpen' | 'mayWait'> = {},
  ) => {
    const read = startLogRead({...shared, place: findPlace(), query, front, onLines, ...ofStream});
    void read.ended.then(end => {
      // There need not be a previous instance, whose log says nothing of this one's.
      if (!query.previous || (end.kind === 'failed' && !isWaiting(end.error))) {
        readFailure.noteEnd(end, findPlace().state);
      }
    });
    return read;
  };

/** Starts a read of a container's log, with timestamps. */
export type ReadStarter = ReturnType<typeof createReadStarter>;
