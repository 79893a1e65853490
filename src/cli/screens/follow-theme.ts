import type {Capabilities} from '#terminal/screen/capabilities.ts';
import {type Backdrop, backgroundQueryFor, readColourVariable} from '#terminal/screen/passthrough.ts';
import {chooseTheme, type Theme, type ThemeInput} from '#ui/theme.ts';

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

/** In the order in which a key goes through them. */
const names: readonly ThemeInput['name'][] = ['auto', 'dark', 'light', 'high-contrast', '16', 'plain'];

/** Determines the theme from the config file, the environment and the terminal's reply. */
export const followTheme = ({name: wanted, capabilities, env, nowMs, ask, onChange}: ThemeOptions) => {
  const {colours} = capabilities;
  let name = wanted;
  let known = readColourVariable(env);
  const choose = (): Theme => chooseTheme({name, colours, backdrop: known});
  let askedAtMs: number | undefined;
  const askOnce = (): void => {
    const depends = colours !== 0 && (name === 'auto' || name === 'high-contrast' || name === '16');
    const query = depends && known === undefined ? backgroundQueryFor(env) : undefined;
    if (query !== undefined) {
      askedAtMs = nowMs();
      ask(query);
    }
  };
  return {
    /** The initial theme. */
    first: choose(),
    /**
     * Asks the terminal for its background, if the theme depends on it and it is unknown. Call this after the first
     * frame, so that nothing waits for the reply.
     */
    ask: askOnce,
    /** Takes the terminal's reply with its background. Ignores a late or unsolicited one. */
    take: (backdrop: Backdrop): void => {
      if (askedAtMs !== undefined && nowMs() - askedAtMs <= answerMsMax) {
        known = backdrop;
        onChange(choose());
      }
      askedAtMs = undefined;
    },
    /** Changes to the next theme by name; returns a sentence about it. */
    next: (): string => {
      name = names[(names.indexOf(name) + 1) % names.length] ?? 'auto';
      onChange(choose());
      askOnce();
      return `theme ${name}, until you quit; theme = "${name}" under [ui] in the config file keeps it`;
    },
  };
};
