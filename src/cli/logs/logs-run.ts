import type {UiSettings} from '../../config/client/ui-settings.ts';
import type {Theme} from '../../ui/theme/theme.ts';
import type {CommandInput} from '../arguments/command-input.ts';
import type {LogsOptions} from '../arguments/logs-options.ts';
import type {PrintedLabel} from '../print/label-branches.ts';
import type {LogPrinter} from '../print/log-printer.ts';

/** The input of both forms of `logs`: from a service and from a recording. */
export type LogsRun = {
  readonly input: CommandInput;
  readonly options: LogsOptions;
  /** Returns the theme with this configured name; undefined without colours. */
  themeOf(name?: UiSettings['theme']): Theme | undefined;
  /** Creates the printer, once the branches are known. `own` uses branchlog's colours, `keep` those in the line. */
  createPrinter(labels: readonly PrintedLabel[], lineColour: 'own' | 'keep', theme: Theme | undefined): LogPrinter;
};
