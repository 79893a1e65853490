import type {Capabilities} from '../../terminal/colour/capabilities.ts';
import {type Backdrop, backgroundQueryFor, readColourVariable} from '../../terminal/sequences/background.ts';
import {chooseTheme, type ThemeInput} from '../../ui/theme/choose-theme.ts';
import type {Theme} from '../../ui/theme/theme.ts';

/**
 * Long enough for a reply over a slow connection. A change of colours later than that would disturb someone who is
 * already reading.
 */
const answerMsMax = 500;

export type ThemeOptions = {
  readonly name: ThemeInput['name'];
  readonly capabilities: Pick<Capabilities, 'colours'>;
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds on a monotonic clock. */
  readonly nowMs: () => number;
  /** Sends a query to the terminal. */
  readonly ask: (query: string) => void;
  /** Called when the theme changes. */
  readonly onChange: (theme: Theme) => void;
};

export type FollowedTheme = {
  /** The initial theme. */
  readonly first: Theme;
  /**
   * Asks the terminal for its background, if the theme depends on it and it is unknown. Call this after the first
   * frame, so that nothing waits for the reply.
   */
  ask(): void;
  /** Takes the terminal's reply with its background. Ignores a late or unsolicited one. */
  take(backdrop: Backdrop): void;
};

/** Determines the theme from the config file, the environment and the terminal's reply. */
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
