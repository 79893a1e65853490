import {type CommandInput, flagValue} from '#cli/arguments/args.ts';
import {findCommand} from '#cli/arguments/commands.ts';
import {formatCommandHelp, formatGeneralHelp, formatHelpJson} from '#cli/arguments/help.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import {version} from '#cli/io/version.ts';

/** Prints `--help` or `branchlog help`, of the program or of a command, or `--version`. */
export const runInformation = async ({parsed, output, signal}: CommandInput): Promise<number> => {
  await output.write(parsed.switches.has('help') ? await formatHelp(parsed) : `branchlog ${version}\n`, signal);
  return exitCodes.done;
};

const formatHelp = async (parsed: CommandInput['parsed']): Promise<string> => {
  const {command: name, switches} = parsed;
  if (flagValue(parsed, 'format') === 'json') {
    return formatHelpJson(name === 'browse' ? undefined : findCommand(name));
  }
  const isWhole = switches.has('whole');
  switch (name) {
    case 'browse':
      return formatGeneralHelp(isWhole);
    case 'demo': {
      const {scenarioNames} = await import('#demo/world/scenario-names.ts');
      return formatCommandHelp(findCommand(name), isWhole, {title: 'Scenarios', rows: Object.entries(scenarioNames)});
    }
    default:
      return formatCommandHelp(findCommand(name), isWhole);
  }
};
