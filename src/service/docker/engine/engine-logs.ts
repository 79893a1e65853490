import {parseInstant} from '#log/line/instant.ts';
import {CallError} from '#service/backend/errors.ts';
import type {ContainerLogs, LogQuery} from '#service/containers/container-logs.ts';
import type {ContainerPlace} from '#service/containers/container-place.ts';
import {drainAnswer} from '#service/link/drain-answer.ts';
import type {LinkQuery} from '#service/link/link.ts';
import type {EngineClient} from '../engine-client.ts';
import {createLogFrames} from '../log-frames.ts';

/** Engines take seconds since 1970, with nanoseconds. */
const secondsOf = (time: string): string | undefined => {
  const instant = parseInstant(time);
  return instant === undefined
    ? undefined
    : `${instant / 1_000_000_000n}.${String(instant % 1_000_000_000n).padStart(9, '0')}`;
};

const queryOf = ({follow, sinceTime, tailLines}: LogQuery): LinkQuery => ({
  stdout: 1,
  stderr: 1,
  timestamps: 1,
  follow: follow ? 1 : 0,
  since: sinceTime === undefined ? undefined : secondsOf(sinceTime),
  tail: tailLines ?? 'all',
});

/** What engines say of a logging driver that only sends lines away: Docker and Podman, in several versions. */
const unreadable = /does not support reading|log(?:ging)? driver|not logging/i;

/** Whoever started the container chose where its lines go: only they can change that, as with missing rights. */
const refusedStatus = 403;

const describeRefusal = (error: unknown): unknown =>
  error instanceof CallError && error.status !== 404 && unreadable.test(error.serverMessage ?? '')
    ? new CallError(
        'status',
        'Its logging driver only sends lines away: docker logs cannot read it either. Drivers that can be read are json-file, local and journald.',
        {status: refusedStatus, serverMessage: error.serverMessage, cause: error},
      )
    : error;

/** Creates the logs of an engine's containers. `isRaw`: a container has a terminal, and its log no frames. */
export const createEngineLogs = (client: EngineClient, isRaw: (id: string) => boolean): ContainerLogs => {
  const open: ContainerLogs['open'] = async ({podUid: id}: ContainerPlace, query, {signal, onData, onEnd}) => {
    if (query.previous) {
      // A container that starts again goes on with its log.
      throw new CallError('status', `${client.title} keeps one log for all runs of a container.`, {status: 400});
    }
    const path = `/containers/${encodeURIComponent(id)}/logs`;
    const answer = await client.open(path, queryOf(query), signal).catch((error: unknown) => {
      throw describeRefusal(error);
    });
    let bytesLeft = query.limitBytes ?? Number.POSITIVE_INFINITY;
    const endEarly = (error?: CallError): void => {
      stop();
      onEnd(error);
    };
    const frames = createLogFrames({
      joinsPieces: answer.headers['libpod-api-version'] !== undefined,
      onData: (bytes, stream) => {
        if (stream === 'engine') {
          endEarly(new CallError('body', `${client.title} says: ${bytes.toString('utf8').trim().slice(0, 300)}.`));
        } else {
          onData(bytes, stream);
        }
      },
    });
    const take = (bytes: Buffer): void => {
      bytesLeft -= bytes.length;
      if (isRaw(id)) {
        onData(bytes, 'stdout');
      } else if (!frames.take(bytes)) {
        endEarly(new CallError('body', `What ${client.title} sent as a log is none.`));
        return;
      }
      if (bytesLeft <= 0) {
        endEarly();
      }
    };
    const stop = drainAnswer(answer, take, fault =>
      onEnd(fault && new CallError('connection', `The log of ${client.title} broke off.`, {cause: fault.cause})),
    );
    return {close: stop};
  };

  return {
    whole: 'engine',
    hasIds: true,
    endsAreProven: true,
    open,
    readFront: async (place, limitBytes, signal) => {
      const {promise, resolve, reject} = Promise.withResolvers<string>();
      const chunks: Buffer[] = [];
      const stream = await open(
        place,
        {limitBytes},
        {
          signal,
          onData: bytes => chunks.push(Buffer.from(bytes)),
          onEnd: error => (error ? reject(error) : resolve(Buffer.concat(chunks).toString('utf8', 0, limitBytes))),
        },
      );
      signal.addEventListener('abort', () => {
        stream.close();
        reject(signal.reason);
      });
      return promise;
    },
  };
};
