import type {ParsedArguments} from '../arguments/args.ts';
import type {ScreensOptions} from './screens-options.ts';

/** What opens the terminal UI: the screens, or with `--screen-reader`, or Ink's own INK_SCREEN_READER=true, sentences. Only one of them is loaded. */
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
