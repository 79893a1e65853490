import type {ParsedArguments} from '../arguments/args.ts';
import type {ScreensOptions} from './screens-options.ts';

/**
 * Returns the function that opens the terminal UI: the screens, or sentences with `--screen-reader` or Ink's own
 * INK_SCREEN_READER=true. Loads only one of them.
 */
export const chooseUi = async (
  {switches}: Pick<ParsedArguments, 'switches'>,
  env: NodeJS.ProcessEnv,
): Promise<(options: ScreensOptions) => Promise<never>> => {
  if (switches.has('screen-reader') || env.INK_SCREEN_READER === 'true') {
    const {openReader} = await import('./open-reader.tsx');
    return openReader;
  }
  const {openScreens} = await import('./open-screens.tsx');
  return openScreens;
};
