import {existsSync} from 'node:fs';
import type {ParsedArguments} from '#cli/arguments/args.ts';
import {readSettings} from '#cli/connection/read-settings.ts';
import {type Io, isInputGiven, type Say} from '#cli/io/io.ts';
import {parseEntryLink} from '#log/words/deep-link.ts';

/**
 * Returns the command line as one of `branchlog open` if it names no site but a path that exists, or nothing while
 * something is on standard input, as a pager is called. A site wins; then the user is told how to open the file.
 */
export const asOpened = async (parsed: ParsedArguments, io: Io, say: Say): Promise<ParsedArguments> => {
  const [word] = parsed.operands;
  if (parsed.values.has('replay') || parsed.values.has('record')) {
    return parsed;
  }
  const opened: ParsedArguments = {...parsed, command: 'open'};
  if (word === undefined) {
    return isInputGiven(io) ? opened : parsed;
  }
  const isThere = existsSync(parseEntryLink(word).path);
  if (!isThere && !/[./]/.test(word)) {
    return parsed;
  }
  const sites = await readSettings(parsed, io).then(
    ({context}) => context.sites,
    () => undefined,
  );
  if (!isThere) {
    // Without a service it can be no site, and what follows would not say why nothing was opened.
    if (sites === undefined) {
      say(`there is no file ${word}`);
    }
    return parsed;
  }
  if (!sites?.some(({id, name}) => id === word || name === word)) {
    return opened;
  }
  say(`${word} is opened as a site; branchlog open ${word} opens the file`);
  return parsed;
};
