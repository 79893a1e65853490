import {existsSync} from 'node:fs';
import type {CommandInput, ParsedArguments} from '#cli/arguments/args.ts';
import {readPreferences, readSettings} from '#cli/connection/read-settings.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {bytesPerMb, type Io, isInputGiven, type Say} from '#cli/io/io.ts';

/**
 * Whether the command line names files, standard input or a command, and not SITE and BRANCH. A configured site wins;
 * then the user is told how to read the file. Throws a `UsageError` that says what was tried if it names neither.
 */
export const namesFiles = async (
  parsed: ParsedArguments,
  io: Io,
  say: Say,
  {needsBranch}: {readonly needsBranch: boolean} = {needsBranch: true},
): Promise<boolean> => {
  const {command, operands, program = [], switches} = parsed;
  const [word, branch] = operands;
  if (switches.has('kube')) {
    if (needsBranch && branch === undefined) {
      throw new UsageError(`BRANCH is missing: branchlog ${command} --kube NAMESPACE BRANCH`);
    }
    return false;
  }
  if (word === undefined && program.length === 0 && !isInputGiven(io)) {
    throw new UsageError(
      `nothing to read: give SITE and BRANCH, a file, - for standard input, or a command as in branchlog ${command} -- kubectl logs web --timestamps`,
    );
  }
  if (word === undefined || word === '-' || program.length > 0) {
    return true;
  }
  const sites = await readSettings(parsed, io).then(
    ({context}) => context.sites,
    () => undefined,
  );
  const isThere = existsSync(word);
  if (sites?.some(({id, name}) => id === word || name === word)) {
    if (isThere) {
      say(`${word} is read as a site; branchlog ${command} ./${word} reads the file`);
    }
    return false;
  }
  if (isThere || /[*?]/.test(word)) {
    return true;
  }
  if (needsBranch && branch === undefined) {
    throw new UsageError(
      `there is no file ${word}, and for a site BRANCH is missing: branchlog ${command} ${word} BRANCH`,
    );
  }
  if (sites === undefined || (branch !== undefined && existsSync(branch))) {
    say(`there is no file ${word}, so it is taken as a site`);
  }
  return false;
};

/**
 * Opens the files, the pipe or the command that are named, as one log that is read at once. If there is more than
 * `heldMb` megabytes of text, `buffer_mb` unless given, the newest lines are read.
 */
export const openNamedLog = async (
  {parsed, io, say, atEnd}: CommandInput,
  {heldMb, follows}: {readonly heldMb?: number; readonly follows: boolean},
) => {
  const {findWords, openNamed} = await import('./open-named.ts');
  const {log, ui} = await readPreferences(parsed, io);
  const firstBytesMax = (heldMb ?? log.bufferMb) * bytesPerMb;
  const reading = {back: {}, firstBytesMax, isAllAtOnce: true, follows};
  const {name, client, service, stop} = await openNamed(await findWords(parsed, io), io, say, reading);
  atEnd(stop);
  return {name, client, service, log, ui};
};
