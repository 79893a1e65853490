import type {UiSettings} from '../config/ui-settings.ts';
import type {Theme} from '../ui/theme.ts';
import type {CommandInput} from './command-input.ts';
import type {BranchLabel} from './label-branches.ts';
import type {LogPrinter} from './log-printer.ts';
import type {LogsOptions} from './logs-options.ts';

/** What the two ways of `logs` are handed, from a service and from a recording. */
export type LogsRun = {
  readonly input: CommandInput;
  readonly options: LogsOptions;
  /** The theme of a name in the config; undefined where nothing is coloured. */
  themeOf(name?: UiSettings['theme']): Theme | undefined;
  /** Made when the branches are known. `own` colours by what a line says, `keep` keeps the line's. */
  createPrinter(labels: readonly BranchLabel[], lineColour: 'own' | 'keep', theme: Theme | undefined): LogPrinter;
};
