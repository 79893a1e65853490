import type {CommandInput} from '#cli/arguments/args.ts';
import {hasConfigFile, readSettings} from '#cli/connection/read-settings.ts';
import {exitCodes, UsageError} from '#cli/io/exit-codes.ts';
import {formatTable} from '#cli/io/format.ts';
import {printTheme} from '#cli/logs/line-text.ts';
import {formatContext, formatSite} from '#config/settings/context-text.ts';
import type {Settings} from '#config/settings/settings.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {formatList} from './format-list.ts';

const fields = ['id', 'name'];

/** Runs `branchlog sites`: prints the configured sites of the context. The service cannot list sites. */
export const runSites = async ({parsed, io, output, say, signal}: CommandInput): Promise<number> => {
  const settings = await readSettings(parsed, io).catch((error: unknown) => {
    if (error instanceof UsageError && !hasConfigFile(parsed, io)) {
      return undefined;
    }
    throw error;
  });
  if (!settings) {
    say('no sites are configured, there is no config file yet: branchlog init writes one');
    await output.write(formatList(parsed, {records: [], fields, formatTable: () => ''}), signal);
    return exitCodes.done;
  }
  settings.warnings.forEach(say);
  const {context} = settings;
  if (context.sites.length === 0) {
    say(
      `context ${context.name} has no sites. Add each of them to ${settings.configPath ?? 'a config file'} like this:`,
    );
    io.stderr.write(siteBlock(settings).split('\n').map(sanitise).join('\n'));
  }
  const list = formatList(parsed, {
    fields,
    records: context.sites.map(({id, name}) => ({id, name: name ?? null})),
    formatTable: () => {
      const rows = context.sites.map(({id, name}) => [{text: name ?? ''}, {text: id}]);
      return formatTable(['NAME', 'ID'], rows, printTheme(io, settings.ui.theme));
    },
  });
  await output.write(list, signal);
  return exitCodes.done;
};

/** Formats a site to paste into the config file, with its context if that is not in the file. */
const siteBlock = ({context, contextNames}: Settings): string => {
  const site = {id: 'ID', name: 'NAME'};
  const tokenFile = context.token.kind === 'file' ? context.token.path : undefined;
  return contextNames.includes(context.name)
    ? formatSite(context.name, site)
    : formatContext({...context, tokenFile, sites: [site]});
};
