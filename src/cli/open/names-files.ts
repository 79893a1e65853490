import {existsSync} from 'node:fs';
import type {ParsedArguments} from '#cli/arguments/args.ts';
import {readSettings} from '#cli/connection/read-settings.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {type Io, isInputGiven, type Say} from '#cli/io/io.ts';

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
