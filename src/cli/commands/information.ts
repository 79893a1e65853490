import type {CommandInput} from '../arguments/command-input.ts';
import {findCommand} from '../arguments/commands.ts';
import {formatCommandHelp, formatGeneralHelp} from '../arguments/help.ts';
import {exitCodes} from '../io/exit-codes.ts';
import {version} from '../io/version.ts';

/** Prints `--help`, of the program or of a command, or `--version`. */
export const runInformation = async ({parsed, output, signal}: CommandInput): Promise<number> => {
  await output.write(parsed.switches.has('help') ? await formatHelp(parsed.command) : `branchlog ${version}\n`, signal);
  return exitCodes.done;
};

const formatHelp = async (name: CommandInput['parsed']['command']): Promise<string> => {
  switch (name) {
    case 'open':
      return formatGeneralHelp();
    case 'demo': {
      const {scenarioNames} = await import('../../service/sample/plan/scenario-names.ts');
      return formatCommandHelp(findCommand(name), {title: 'Scenarios', rows: Object.entries(scenarioNames)});
    }
    default:
      return formatCommandHelp(findCommand(name));
  }
};
