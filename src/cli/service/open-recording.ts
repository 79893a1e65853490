import type {Client} from '../../api/http/client.ts';
import {createRecordingClient, type TimedClient} from '../../api/recording/recording-client.ts';
import {openRecordingFile} from '../../api/recording/recording-file.ts';
import type {ContextSettings} from '../../config/client/settings.ts';
import type {Io} from '../io/io.ts';
import type {Say} from '../io/notices.ts';

export type Recording = {
  /** What is asked through this client is recorded. */
  readonly client: TimedClient;
  /** Resolves when the file holds everything; to be waited for before the program ends. */
  finish(): Promise<void>;
};

export type RecordingOptions = {
  readonly path: string;
  readonly context: ContextSettings;
  readonly log: {readonly intervalMs: number; readonly bufferMb: number};
  readonly clock: Io['clock'];
  /** Told when the recording stops before its end. */
  readonly say: Say;
};

/** Begins a recording of what a client is asked, for `--record FILE`. Throws `RecordingError` where the file can't be made or is there already. */
export const openRecording = async (
  client: Client,
  {path, context, log, clock, say}: RecordingOptions,
): Promise<Recording> => {
  const file = await openRecordingFile({path, stopped: say});
  return {
    client: createRecordingClient(client, {
      file,
      host: new URL(context.baseUrl).host,
      tenant: context.tenant,
      siteNames: new Map(context.sites.flatMap(({id, name}) => (name === undefined ? [] : [[id, name] as const]))),
      bufferMb: log.bufferMb,
      intervalMs: log.intervalMs,
      nowMs: clock.nowMs(),
      monotonicMs: clock.monotonicMs,
    }),
    finish: file.finish,
  };
};
