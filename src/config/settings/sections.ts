import type {TableReader} from './table-reader.ts';

export const themeNames = ['auto', 'dark', 'light', 'high-contrast', 'plain', '16'] as const;

/** `auto` asks the terminal for its background; `plain` uses no colours, `16` only the terminal's own. */
export type ThemeName = (typeof themeNames)[number];

export type UiSettings = {
  readonly theme: ThemeName;
  /** The wheel scrolls and a click selects; the terminal's own selection then needs Shift. */
  readonly mouse: boolean;
};

export const defaultUiSettings: UiSettings = {theme: 'auto', mouse: false};

/** Reads the table `[ui]`. Throws a `ConfigError`. */
export const readUiSettings = (table: TableReader): UiSettings => {
  table.refuseOthers(['theme', 'mouse']);
  return {
    theme: table.choice('theme', themeNames) ?? defaultUiSettings.theme,
    mouse: table.flag('mouse') ?? defaultUiSettings.mouse,
  };
};
