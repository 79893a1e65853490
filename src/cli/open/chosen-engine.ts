import type {ParsedArguments} from '#cli/arguments/args.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import type {EngineKind} from '#service/docker/engine-client.ts';

/** Returns the engine whose containers a command reads; undefined: none. Throws a `UsageError`. */
export const chosenEngine = ({command, switches, program = []}: ParsedArguments): EngineKind | undefined => {
  const isDocker = switches.has('docker');
  const isPodman = switches.has('podman');
  if (!['open', 'incident', 'timeline', 'export', 'mcp'].includes(command) || (!isDocker && !isPodman)) {
    return undefined;
  }
  if (isDocker && isPodman) {
    throw new UsageError('--docker and --podman: leave one of them out');
  }
  if (program.length > 0 || switches.has('rotated')) {
    const other = program.length === 0 ? '--rotated' : 'the command';
    throw new UsageError(`leave out ${other}: ${isDocker ? '--docker' : '--podman'} is for containers`);
  }
  return isDocker ? 'docker' : 'podman';
};
