import type {Client} from '#api/client/client.ts';
import type {CommandInput} from '#cli/arguments/command-input.ts';
import type {Io} from '#cli/io/io.ts';
import {rememberBranchNames} from '#config/memory/branch-names.ts';
import {findStateFolder} from '#config/settings/folders.ts';
import {uniqueNames} from '../connection/label-branches.ts';

/**
 * Wraps a client to store the names of every site's last listing, so that completion can offer branches without a
 * request.
 */
export const keepBranchNames = <Asked extends Client>(
  client: Asked,
  contextName: string,
  io: Pick<Io, 'env' | 'homeFolder'>,
  atEnd: CommandInput['atEnd'] = () => {},
): Asked => {
  const stateFolder = findStateFolder(io.env, io.homeFolder);
  if (stateFolder === undefined) {
    return client;
  }
  let writing: Promise<void> = Promise.resolve();
  atEnd(() => writing);
  return {
    ...client,
    listBranches: async (siteId, signal) => {
      const answer = await client.listBranches(siteId, signal);
      const names = uniqueNames(answer.value);
      writing = writing.then(() => rememberBranchNames(stateFolder, {contextName, siteId}, names));
      return answer;
    },
  };
};
