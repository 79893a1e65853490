import type {Client} from '#api/client/client.ts';
import {createRecordingClient} from '#api/recording/recording-client.ts';
import {openRecordingFile} from '#api/recording/recording-file.ts';
import type {Io, Say} from '#cli/io/io.ts';
import type {AskedService} from './asked-service.ts';

export type RecordingOptions = {
  readonly path: string;
  readonly context: Pick<AskedService, 'host' | 'tenant' | 'sites'>;
  readonly log: {readonly intervalMs: number; readonly bufferMb: number};
  readonly clock: Io['clock'];
  /** Called if the recording stops early. */
  readonly say: Say;
};

/**
 * Starts recording a client's requests for `--record FILE`. Throws `RecordingError` if the file can't be created or
 * already exists.
 */
export const openRecording = async (client: Client, {path, context, log, clock, say}: RecordingOptions) => {
  const file = await openRecordingFile({path, stopped: say});
  return {
    /** Requests through this client are recorded. */
    client: createRecordingClient(client, {
      file,
      host: context.host,
      tenant: context.tenant,
      siteNames: new Map(context.sites.flatMap(({id, name}) => (name === undefined ? [] : [[id, name] as const]))),
      bufferMb: log.bufferMb,
      intervalMs: log.intervalMs,
      nowMs: clock.nowMs(),
      monotonicMs: clock.monotonicMs,
    }),
    /** Resolves when the file is complete; await it before the program ends. */
    finish: file.finish,
  };
};
