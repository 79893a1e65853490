import type {Capabilities} from '../../terminal/colour/capabilities.ts';
import {type Backdrop, backgroundQueryFor, readColourVariable} from '../../terminal/sequences/background.ts';
import {chooseTheme, type ThemeInput} from '../../ui/theme/choose-theme.ts';
import type {Theme} from '../../ui/theme/theme.ts';

/** Long enough for an answer over a slow line; a change of colours later than that would disturb whoever reads by then. */
const answerMsMax = 500;

export type ThemeOptions = {
  readonly name: ThemeInput['name'];
  readonly capabilities: Pick<Capabilities, 'colours'>;
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds by a monotonic clock. */
  readonly nowMs: () => number;
  /** Sends a question to the terminal. */
  readonly ask: (query: string) => void;
  /** The theme is another one from now on. */
  readonly onChange: (theme: Theme) => void;
};

export type FollowedTheme = {
  /** The theme to begin with. */
  readonly first: Theme;
  /** Asks the terminal for its background, where that decides on the theme and is not known; for once the first frame is drawn, so that nobody waits for it. */
  ask(): void;
  /** Takes what the terminal says of its background; what comes late, or unasked, changes nothing. */
  take(backdrop: Backdrop): void;
};

/** The theme that the config file, the environment and the terminal's own answer come to. */
export const followTheme = ({name, capabilities, env, nowMs, ask, onChange}: ThemeOptions): FollowedTheme => {
  const {colours} = capabilities;
  const told = readColourVariable(env);
  const first = chooseTheme({name, colours, backdrop: told});
  const depends = (name === 'auto' || name === 'high-contrast') && (colours === 256 || colours === 'true');
  let askedAtMs: number | undefined;
  return {
    first,
    ask() {
      const query = depends && told === undefined ? backgroundQueryFor(env) : undefined;
      if (query !== undefined) {
        askedAtMs = nowMs();
        ask(query);
      }
    },
    take(backdrop) {
      if (askedAtMs !== undefined && nowMs() - askedAtMs <= answerMsMax) {
        onChange(chooseTheme({name, colours, backdrop}));
      }
      askedAtMs = undefined;
    },
  };
};
