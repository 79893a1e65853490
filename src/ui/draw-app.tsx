import {type RenderOptions, render} from 'ink';
import {App, type AppProps} from './app.tsx';
import type {Theme} from './theme.ts';

export type DrawnApp = {
  setTheme(theme: Theme): void;
  unmount(): void;
};

/** Draws the terminal UI with Ink from now on. Loaded on its own, because Ink and React take long to load. */
export const drawApp = (
  {theme: first, ...props}: AppProps,
  streams: Pick<RenderOptions, 'stdout' | 'stdin'>,
): DrawnApp => {
  const draw = (theme: Theme) => <App {...props} theme={theme} />;
  // With `debug`, Ink writes whole frames without cursor codes; the screen works out what changed.
  const {rerender, unmount} = render(draw(first), {
    ...streams,
    debug: true,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {setTheme: theme => rerender(draw(theme)), unmount};
};
