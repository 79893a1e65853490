import type {EffectRunnerOptions} from '#app/effect-runner.ts';
import type {Clock} from '#cli/io/io.ts';
import {loadPart} from '#cli/io/load-part.ts';

/** Returns what reads the files of guards: nothing where there are none; that they cannot be read, the guard says. */
export const createGuardReader =
  (stateFolder: string | undefined, clock: Clock): NonNullable<EffectRunnerOptions['readGuard']> =>
  async ({looked, ...key}) => {
    if (stateFolder === undefined) {
      return new Map();
    }
    try {
      const {openGuardFiles} = await loadPart(() => import('#cli/logs/guard-files.ts'));
      return await openGuardFiles(stateFolder, key, clock).readUnseen(looked);
    } catch {
      return new Map();
    }
  };
