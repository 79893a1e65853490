import type {ParsedArguments} from '#cli/arguments/args.ts';
import {openScreens} from '../open-screens.ts';
import type {ScreensOptions} from './screens-options.ts';

/**
 * Returns the function that opens the terminal UI: the screens, or sentences with `--screen-reader` or Ink's own
 * INK_SCREEN_READER=true. Ink is loaded by either, for the screens after their first rows.
 */
export const chooseUi = async (
  {switches}: Pick<ParsedArguments, 'switches'>,
  env: NodeJS.ProcessEnv,
): Promise<(options: ScreensOptions) => Promise<never>> => {
  if (switches.has('screen-reader') || env.INK_SCREEN_READER === 'true') {
    const {openReader} = await import('./open-reader.tsx');
    return openReader;
  }
  return openScreens;
};
