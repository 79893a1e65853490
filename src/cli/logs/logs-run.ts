import type {UiSettings} from '../../config/client/ui-settings.ts';
import type {Theme} from '../../ui/theme/theme.ts';
import type {CommandInput} from '../arguments/command-input.ts';
import type {LogsOptions} from '../arguments/logs-options.ts';
import type {PrintedLabel} from '../print/label-branches.ts';
import type {LogPrinter} from '../print/log-printer.ts';

/** What the two ways of `logs` are handed, from a service and from a recording. */
export type LogsRun = {
  readonly input: CommandInput;
  readonly options: LogsOptions;
  /** The theme of a name in the config; undefined where nothing is coloured. */
  themeOf(name?: UiSettings['theme']): Theme | undefined;
  /** Made when the branches are known. `own` colours by what a line says, `keep` keeps the line's. */
  createPrinter(labels: readonly PrintedLabel[], lineColour: 'own' | 'keep', theme: Theme | undefined): LogPrinter;
};
