import type {Client} from '../../api/http/client.ts';

/** Holds the client in use: none before the first request, and a new one after a change of context. */
export type ClientSlot = {
  readonly open: () => Promise<Client>;
  readonly current: () => Client | undefined;
  /** Closes the client; one that is still being opened is closed as soon as it is open. */
  readonly close: () => void;
};

export const createClientSlot = (openClient: () => Promise<Client>): ClientSlot => {
  let client: Client | undefined;
  let closings = 0;
  return {
    open: async () => {
      const closingsBefore = closings;
      const opened = await openClient();
      if (closings === closingsBefore) {
        client = opened;
      } else {
        opened.close();
      }
      return opened;
    },
    current: () => client,
    close: () => {
      closings += 1;
      client?.close();
      client = undefined;
    },
  };
};
