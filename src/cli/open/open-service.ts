import type {CommandInput} from '#cli/arguments/args.ts';
import {askedServiceOf, type LogWanted, type OpenedService} from '#cli/connection/asked-service.ts';
import {connect} from '#cli/connection/connect.ts';
import {readSettings} from '#cli/connection/read-settings.ts';

/**
 * Opens what a command asks: the configured service or, with `--kube`, a cluster, with the namespace as its first site
 * and logs read as far back as is wanted.
 */
export const openService = async (input: CommandInput, wanted: LogWanted = {}): Promise<OpenedService> => {
  const {parsed, io, say, atEnd} = input;
  if (parsed.switches.has('kube')) {
    const {openKubeClient} = await import('./kube/open-kube-client.ts');
    return openKubeClient(input, wanted);
  }
  const settings = await readSettings(parsed, io);
  settings.warnings.forEach(say);
  const {context, log, ui} = settings;
  return {service: askedServiceOf(context), log, ui, client: connect(settings, io, say, atEnd, wanted.watchedMax)};
};
