import {bindingsOn, type Command, commandName, type KeyBinding, type ScreenName} from '#app/keys/keymap.ts';

/** Spoken names of keys whose sign would be skipped, or has many names. */
const keyWords: Readonly<Record<string, string>> = {
  '↑': 'Up',
  '↓': 'Down',
  '←': 'Left',
  '→': 'Right',
  PgUp: 'Page Up',
  PgDn: 'Page Down',
  Esc: 'Escape',
  '/': 'slash',
  '?': 'question mark',
  '[': 'left bracket',
  ']': 'right bracket',
  '{': 'left brace',
  '}': 'right brace',
  ':': 'colon',
  ';': 'semicolon',
  ',': 'comma',
  '.': 'full stop',
  "'": 'apostrophe',
  '"': 'quotation mark',
  '`': 'backquote',
  '!': 'exclamation mark',
  '&': 'ampersand',
  '|': 'vertical bar',
  '\\': 'backslash',
  '-': 'minus',
  _: 'underscore',
  '+': 'plus',
  '=': 'equals',
  '*': 'star',
  '#': 'number sign',
  '@': 'at sign',
  '%': 'percent',
  '^': 'caret',
  '~': 'tilde',
  '<': 'less than',
  '>': 'greater than',
  '(': 'left parenthesis',
  ')': 'right parenthesis',
};

/** Help for commands that do something else here than on the screens. */
const helpHere: Partial<Readonly<Record<Command, string>>> = {
  pageUp: 'ten up',
  pageDown: 'ten down',
  halfPageUp: 'five up',
  halfPageDown: 'five down',
  toggleDetails: "read the branch's record",
  toggleInspector: 'read the last polls, newest first, and back to the log',
  toggleHelp: 'read these keys',
  repaint: 'say where you are',
};

const helpOnLog: Partial<Readonly<Record<Command, string>>> = {
  moveUp: 'stop following, and read the line above',
  moveDown: 'read the line below; after the newest one, follow again',
};

/** Returns the spoken name of a key: `Up`, `Control L`, `capital G`. */
export const keyWord = (key: string): string => {
  if (/^[A-Z]$/.test(key)) {
    return `capital ${key}`;
  }
  return keyWords[key] ?? key.replace(/^Ctrl\+/, 'Control ');
};

/** Returns the spoken name of a key at the start of a sentence: `Question mark`. */
export const keyWordFirst = (key: string): string => {
  const word = keyWord(key);
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
};

const readBinding = ({keys, command, help}: KeyBinding, screen: ScreenName): string =>
  `${keys.map(keyWord).join(' or ') || `colon, then ${commandName(command)}`}: ${(screen === 'log' ? helpOnLog[command] : undefined) ?? helpHere[command] ?? help}.`;

/** Lists the keys of a screen, from the same table as the key bindings. */
export const readHelp = (screen: ScreenName): readonly string[] => [
  `Keys of the ${screen}:`,
  ...bindingsOn(screen)
    .filter(({command}) => command !== 'toggleMouse' && command !== 'nextTheme')
    .map(binding => readBinding(binding, screen)),
];
