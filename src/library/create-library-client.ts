import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {type ClientOptions, createClient, type ServiceClient} from '#api/client/client.ts';
import {asStrings} from '#log/window/texts.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';

/** An answer whose lines are an array. */
export type LibraryLogAnswer = LogAnswer<readonly string[]>;

/** A client whose logs have their lines as an array of strings. */
export type LibraryClient = Omit<ServiceClient, 'fetchLog'> & {
  fetchLog(siteId: string, branchId: string, signal?: AbortSignal, after?: ReadUpTo): Promise<Answer<LibraryLogAnswer>>;
};

/** Creates a client of one service, for one tenant. Sends nothing; a bad `caFile` fails with the first request. */
export const createLibraryClient = (options: ClientOptions): LibraryClient => {
  const client = createClient(options);
  return {
    ...client,
    fetchLog: async (...request) => {
      const answer = await client.fetchLog(...request);
      return {...answer, value: {...answer.value, lines: asStrings(answer.value.lines)}};
    },
  };
};
