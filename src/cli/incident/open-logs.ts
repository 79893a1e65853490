import type {CommandInput} from '#cli/arguments/command-input.ts';
import type {OpenedService} from '#cli/connection/asked-service.ts';
import {readPreferences} from '#cli/connection/read-settings.ts';
import {bytesPerMb} from '#cli/io/bytes-per-mb.ts';
import {chosenEngine} from '#cli/open/chosen-engine.ts';
import {openService} from '#cli/open/open-service.ts';
import {openedId} from '#service/files/opened-backend.ts';
import {namesFiles} from './names-files.ts';

/** What is asked for logs, and which of them. */
export type OpenedLogs = OpenedService & {
  /** A site and its branches, as on a command line. */
  readonly words: readonly string[];
  /** What a log consists of. */
  readonly part: 'pod' | 'container' | 'file';
};

/** Opens what the command line names: branches of a service or a cluster, containers, files, a pipe, a command. */
export const openLogs = async (input: CommandInput): Promise<OpenedLogs> => {
  const {parsed, io, say, atEnd} = input;
  const engine = chosenEngine(parsed);
  if (engine !== undefined) {
    const {namedId, openEngine} = await import('#cli/open/open-engine.ts');
    const {log, ui} = await readPreferences(parsed, io);
    const reading = {bufferMb: log.bufferMb, firstRead: {since: 0n, tailLines: undefined}, isOneLog: true};
    const {client, service, stop} = await openEngine(engine, parsed.operands, reading, {io, warn: say});
    atEnd(stop);
    return {client, service, log, ui, words: [namedId, namedId], part: 'container'};
  }
  if (await namesFiles(parsed, io, say)) {
    const {openNamed} = await import('#cli/open/open-named.ts');
    const {log, ui} = await readPreferences(parsed, io);
    // Of more than fits into memory, the newest lines are read.
    const reading = {back: {}, firstBytesMax: log.bufferMb * bytesPerMb, isAllAtOnce: true, follows: false};
    const {client, service, stop} = await openNamed(parsed, io, say, reading);
    atEnd(stop);
    return {client, service, log, ui, words: [openedId, openedId], part: 'file'};
  }
  return {...(await openService(input)), words: parsed.operands, part: 'pod'};
};
