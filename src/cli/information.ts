import type {CommandInput} from './command-input.ts';
import {findCommand} from './commands.ts';
import {exitCodes} from './exit-codes.ts';
import {formatCommandHelp, formatGeneralHelp} from './help.ts';
import {version} from './version.ts';

/** `--help`, of the program or of a command, and `--version`. */
export const runInformation = async ({parsed, output, signal}: CommandInput): Promise<number> => {
  await output.write(parsed.switches.has('help') ? await formatHelp(parsed.command) : `branchlog ${version}\n`, signal);
  return exitCodes.done;
};

const formatHelp = async (name: CommandInput['parsed']['command']): Promise<string> => {
  switch (name) {
    case 'open':
      return formatGeneralHelp();
    case 'demo': {
      const {scenarioNames} = await import('../service/sample/scenario-names.ts');
      return formatCommandHelp(findCommand(name), {title: 'Scenarios', rows: Object.entries(scenarioNames)});
    }
    default:
      return formatCommandHelp(findCommand(name));
  }
};
