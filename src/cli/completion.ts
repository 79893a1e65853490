import type {CommandInput} from './command-input.ts';
import {formatBashCompletion} from './completion/bash.ts';
import {formatFishCompletion} from './completion/fish.ts';
import {formatZshCompletion} from './completion/zsh.ts';
import {exitCodes} from './exit-codes.ts';

/** `branchlog completion bash|zsh|fish`: a script made from the table of commands and flags. */
export const runCompletion = async ({parsed, output, signal}: CommandInput): Promise<number> => {
  await output.write(formatScript(parsed.operands[0]), signal);
  return exitCodes.done;
};

const formatScript = (shell: string | undefined): string => {
  switch (shell) {
    case 'zsh':
      return formatZshCompletion();
    case 'fish':
      return formatFishCompletion();
    default:
      return formatBashCompletion();
  }
};
