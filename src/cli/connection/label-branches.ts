import type {Branch} from '#api/client/answer.ts';
import type {Client} from '#api/client/client.ts';
import {branchTone, endOf} from '#app/words/branch-labels.ts';
import type {CommandInput} from '#cli/arguments/args.ts';
import type {Io} from '#cli/io/io.ts';
import {rememberBranchNames} from '#config/memory/branch-names.ts';
import {findStateFolder} from '#config/settings/folders.ts';
import {areUnlike} from '#log/line/tag-sources.ts';
import {cutToCells, padToCells} from '#log/text/cut.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {paintTone} from '#ui/paint-screen.ts';
import type {Theme} from '#ui/theme.ts';

/** How a branch is identified among others that are printed with it. */
export type PrintedLabel = {
  /** The branch's name, as received; its id if another branch has the same name. */
  readonly name: string;
  /** Prefix of each of its lines in text, safe for a terminal. */
  readonly prefix: string;
};

/** On a terminal, longer names are cut: the lines matter more. */
const nameCellsMax = 16;

/** Returns each branch's name, as received, or its id if another branch has the same name. */
export const uniqueNames = (branches: readonly Branch[]): readonly string[] => {
  const named = Map.groupBy(branches, ({name}) => name);
  return branches.map(({_id, name}) => (named.get(name)?.length === 1 ? name : _id));
};

/**
 * Creates labels for branches that are printed as one log: short and coloured on a terminal, otherwise the full name.
 */
export const labelPrinted = (branches: readonly Branch[], theme: Theme | undefined): readonly PrintedLabel[] => {
  const names = uniqueNames(branches);
  const safe = names.map(name => sanitise(name));
  if (theme === undefined) {
    return names.map((name, index) => ({name, prefix: `${safe[index] ?? ''} | `}));
  }
  const short = shortenNames(safe);
  const columns = Math.max(...short.map(cellWidth));
  return names.map((name, index) => ({
    name,
    prefix: `${paintTone(padToCells(short[index] ?? '', columns), branchTone(index), theme)} `,
  }));
};

/**
 * Shortens names to their beginnings, or to their ends if the beginnings are equal, or keeps them whole if the ends are
 * too.
 */
const shortenNames = (names: readonly string[]): readonly string[] => {
  const beginnings = names.map(name => cutToCells(name, nameCellsMax));
  const ends = names.map(name => endOf(name, nameCellsMax));
  return [beginnings, ends].find(areUnlike) ?? names;
};

/**
 * Wraps a client to store the names of every site's last listing, so that completion can offer branches without a
 * request.
 */
export const keepBranchNames = <Asked extends Client>(
  client: Asked,
  contextName: string,
  io: Pick<Io, 'env' | 'homeFolder' | 'keepsNothing'>,
  atEnd: CommandInput['atEnd'] = () => {},
): Asked => {
  const stateFolder = findStateFolder(io.env, io.homeFolder);
  if (stateFolder === undefined || io.keepsNothing) {
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
