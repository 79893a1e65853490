import type {Client} from '../../api/http/client.ts';
import type {Settings} from '../../config/client/settings.ts';
import type {CommandInput} from '../arguments/command-input.ts';
import {connect} from '../service/connect.ts';
import {readSettings} from '../service/read-settings.ts';

/**
 * Returns the settings and a client of the service that a command asks: the configured one or, with `--kube`, one
 * inside this program over a cluster, with the namespace as its first site. The caller must close the client.
 */
export const openService = async (
  input: CommandInput,
): Promise<{readonly settings: Settings; readonly client: Client}> => {
  const {parsed, io, say, atEnd} = input;
  if (parsed.switches.has('kube')) {
    const {openKubeClient} = await import('./open-kube-client.ts');
    return openKubeClient(input);
  }
  const settings = await readSettings(parsed, io);
  settings.warnings.forEach(say);
  return {settings, client: connect(settings, io, say, atEnd)};
};
