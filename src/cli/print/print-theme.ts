import type {Io} from '#cli/io/io.ts';
import type {UiSettings} from '#config/settings/sections.ts';
import {detectCapabilities} from '#terminal/screen/capabilities.ts';
import {readColourVariable} from '#terminal/screen/passthrough.ts';
import {chooseTheme, type Theme} from '#ui/theme.ts';

/**
 * Returns the theme for standard output; undefined without colours, which means no terminal that supports them, or
 * NO_COLOR. FORCE_COLOR overrides both. Does not query the terminal.
 */
export const printTheme = (
  {stdout, env}: Pick<Io, 'stdout' | 'env'>,
  name: UiSettings['theme'] = 'auto',
): Theme | undefined => {
  const {colours} = detectCapabilities({env, stdoutIsTerminal: stdout.isTTY === true});
  return colours === 0 ? undefined : chooseTheme({name, colours, backdrop: readColourVariable(env)});
};
