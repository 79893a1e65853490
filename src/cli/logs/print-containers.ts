import type {CommandInput} from '#cli/arguments/args.ts';
import {readPreferences} from '#cli/connection/read-settings.ts';
import {firstReadOf, namedId, openEngine} from '#cli/open/open-engine.ts';
import type {EngineKind} from '#service/docker/engine-client.ts';
import {runLogs} from './logs.ts';

/** Prints the logs of an engine's containers as one, as `logs` prints a branch. */
export const printContainers = (kind: EngineKind, input: CommandInput): Promise<number> => {
  const {parsed, io, say, atEnd} = input;
  return runLogs(
    {...input, parsed: {...parsed, operands: [namedId, namedId]}},
    {
      isAsWritten: true,
      part: 'container',
      openService: async wanted => {
        const {log, ui} = await readPreferences(parsed, io);
        const {client, service, stop} = await openEngine(
          kind,
          parsed.operands,
          {bufferMb: log.bufferMb, firstRead: firstReadOf(wanted, io.clock.nowMs()), isOneLog: true},
          {io, warn: say},
        );
        atEnd(stop);
        return {client, service, log, ui};
      },
    },
  );
};
