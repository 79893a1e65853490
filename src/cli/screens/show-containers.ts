import {readGivenRange} from '#cli/arguments/time-range.ts';
import {findKeys} from '#cli/open/find-keys.ts';
import {firstReadOf, namedId, openEngine} from '#cli/open/open-engine.ts';
import type {EngineKind} from '#service/docker/engine-client.ts';
import {prepareScreens} from './start/prepare-screens.ts';
import type {UiInput} from './ui.ts';

/**
 * Runs `branchlog open --docker [NAME…]` on a terminal: the log of what is named, or projects and their services.
 * Returns undefined where it prints instead.
 */
export const showContainers = async (kind: EngineKind, input: UiInput): Promise<number | undefined> => {
  const {parsed, io} = input;
  const keys = findKeys(parsed, io);
  if (keys === undefined) {
    return undefined;
  }
  const {log, warn, show} = await prepareScreens(input);
  const {tail, since} = readGivenRange(parsed);
  const {client, service, sites, watchSites, stop} = await openEngine(
    kind,
    parsed.operands,
    {
      bufferMb: log.bufferMb,
      firstRead: tail === undefined && since === undefined ? undefined : firstReadOf({tail, since}, io.clock.nowMs()),
      isOneLog: false,
    },
    {io, warn},
  );
  return show({
    context: {name: service.name, host: service.host, parts: 'containers'},
    siteIds: sites,
    watchSites,
    branch: parsed.operands.length > 0 ? namedId : undefined,
    client,
    keys,
    stop,
  });
};
