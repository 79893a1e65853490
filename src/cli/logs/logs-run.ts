import type {Branch} from '#api/client/answer.ts';
import type {CommandInput} from '#cli/arguments/command-input.ts';
import type {LogsOptions} from '#cli/arguments/logs-options.ts';
import type {LogWanted, OpenedService} from '#cli/connection/asked-service.ts';
import {labelPrinted, type PrintedLabel} from '#cli/connection/label-branches.ts';
import type {UiSettings} from '#config/settings/sections.ts';
import type {Theme} from '#ui/theme.ts';
import {type BranchPrinter, type BranchPrinterOptions, createBranchPrinter} from './print/branch-printer.ts';
import type {LogPrinter} from './print/log-printer.ts';
import {createSourceFilter} from './source-filter.ts';

/** The input of both forms of `logs`: from a service and from a recording. */
export type LogsRun = {
  readonly input: CommandInput;
  readonly options: LogsOptions;
  readonly part: BranchPrinterOptions['part'];
  /** Opens what is read. */
  openService(wanted: LogWanted): Promise<OpenedService>;
  /** Returns the theme with this configured name; undefined without colours. */
  themeOf(name?: UiSettings['theme']): Theme | undefined;
  /** Creates the printer, once the branches are known. `own` uses branchlog's colours, `keep` those in the line. */
  createPrinter(labels: readonly PrintedLabel[], lineColour: 'own' | 'keep', theme: Theme | undefined): LogPrinter;
};

/** Creates what prints the logs of these branches, each with its label if there may be several. */
export const openPrinter = (
  {input: {say, atEnd}, options, part, themeOf, createPrinter}: LogsRun,
  {
    labelled,
    theme: themeName,
    lineColour,
    ...how
  }: Pick<BranchPrinterOptions, 'holdMs' | 'cutSaidBy' | 'clock'> & {
    /** Empty if there is only one. */
    readonly labelled: readonly Branch[];
    readonly theme?: UiSettings['theme'];
    readonly lineColour: 'own' | 'keep';
  },
): {readonly printer: BranchPrinter; readonly labels: readonly PrintedLabel[]} => {
  const theme = themeOf(themeName);
  const labels = labelled.length === 0 ? [] : labelPrinted(labelled, theme);
  const printer = createBranchPrinter({
    ...how,
    labels,
    part,
    printer: createPrinter(labels, lineColour, theme),
    printsFirstAtOnce: options.tail !== undefined,
    foldsGrowth: options.format !== 'json',
    untilGone: options.untilGone,
    sourceFilter: createSourceFilter(options, say),
    showsSources: options.prefix && options.format === 'text',
    say,
  });
  atEnd(async () => printer.tellGrowth());
  return {printer, labels};
};
