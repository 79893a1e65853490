import {existsSync} from 'node:fs';
import type {ParsedArguments} from '../arguments/args.ts';
import {type Io, isInputGiven} from '../io/io.ts';
import type {Say} from '../io/notices.ts';
import {UsageError} from '../io/usage-error.ts';
import {readSettings} from '../service/read-settings.ts';

/**
 * Whether the command line names files, standard input or a command, and not SITE and BRANCH. A configured site wins;
 * then the user is told how to read the file. Throws a `UsageError` that says what was tried if it names neither.
 */
export const namesFiles = async (parsed: ParsedArguments, io: Io, say: Say): Promise<boolean> => {
  const {operands, program = [], switches} = parsed;
  const [word, branch] = operands;
  if (switches.has('kube')) {
    if (branch === undefined) {
      throw new UsageError('BRANCH is missing: branchlog incident --kube NAMESPACE BRANCH');
    }
    return false;
  }
  if (word === undefined && program.length === 0 && !isInputGiven(io)) {
    throw new UsageError(
      'nothing is named: give SITE and BRANCH, a file, - for standard input, or a command as in branchlog incident -- kubectl logs web --timestamps',
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
      say(`${word} is read as a site; branchlog incident ./${word} reads the file`);
    }
    return false;
  }
  if (isThere || /[*?]/.test(word)) {
    return true;
  }
  if (branch === undefined) {
    throw new UsageError(
      `there is no file ${word}, and for a site BRANCH is missing: branchlog incident ${word} BRANCH`,
    );
  }
  if (sites === undefined || existsSync(branch)) {
    say(`there is no file ${word}, so it is taken for a site`);
  }
  return false;
};
