import type {Client} from '#api/client/client.ts';

/** Creates what holds the client in use: none before the first request, and a new one after a change of context. */
export const createClientSlot = (openClient: () => Promise<Client>) => {
  let client: Client | undefined;
  let closings = 0;
  return {
    open: async (): Promise<Client> => {
      const closingsBefore = closings;
      const opened = await openClient();
      if (closings === closingsBefore) {
        client = opened;
      } else {
        opened.close();
      }
      return opened;
    },
    current: (): Client | undefined => client,
    /** Closes the client; one that is still being opened is closed as soon as it is open. */
    close: (): void => {
      closings += 1;
      client?.close();
      client = undefined;
    },
  };
};
