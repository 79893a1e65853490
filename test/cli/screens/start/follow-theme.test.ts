import {expect, test} from 'vitest';
import {followTheme, type ThemeOptions} from '#cli/screens/start/choose-ui.ts';
import {colourTheme, darkTheme, eitherTheme, lightTheme, plainTheme, sixteenLightTheme, type Theme} from '#ui/theme.ts';

const follow = (change: Partial<ThemeOptions> = {}) => {
  const asked: string[] = [];
  const changes: Theme[] = [];
  const clock = {nowMs: 1000};
  const theme = followTheme({
    name: 'auto',
    capabilities: {colours: 256},
    env: {TERM: 'xterm-256color'},
    nowMs: () => clock.nowMs,
    ask: query => asked.push(query),
    onChange: changed => changes.push(changed),
    ...change,
  });
  return {theme, asked, changes, clock};
};

test('begins with colours for any background, asks once told to, and takes the answer', () => {
  const {theme, asked, changes, clock} = follow();
  expect([theme.first, asked]).toEqual([eitherTheme, []]);
  theme.ask();
  expect(asked).toEqual(['\u001b]11;?\u0007']);
  clock.nowMs += 500;
  theme.take('light');
  expect(changes).toEqual([lightTheme]);
});

test('an answer that is late, that was not asked for, or comes twice changes nothing', () => {
  const late = follow();
  late.theme.ask();
  late.clock.nowMs += 10_001;
  late.theme.take('light');
  expect(late.changes).toEqual([]);
  const unasked = follow();
  unasked.theme.take('light');
  expect(unasked.changes).toEqual([]);
  const twice = follow();
  twice.theme.ask();
  twice.theme.take('dark');
  twice.theme.take('light');
  expect(twice.changes).toEqual([darkTheme]);
});

test.each<readonly [string, Partial<ThemeOptions>, Theme]>([
  ['COLORFGBG tells it', {env: {TERM: 'xterm-256color', COLORFGBG: '15;0'}}, darkTheme],
  ['the config file says it', {name: 'light'}, lightTheme],
  ['it says another than COLORFGBG', {name: 'dark', env: {TERM: 'xterm', COLORFGBG: '0;15'}}, darkTheme],
  ['it says sixteen colours', {name: '16', env: {TERM: 'xterm', COLORFGBG: '0;15'}}, sixteenLightTheme],
  ['there is no colour', {capabilities: {colours: 0}}, plainTheme],
  ['the terminal is of a kind that does not answer', {env: {TERM: 'linux'}}, eitherTheme],
])('nothing is asked where %s', (_why, change, first) => {
  const {theme, asked} = follow(change);
  theme.ask();
  expect(theme.first).toBe(first);
  expect(asked).toEqual([]);
});

test('sixteen colours are asked for their background too', () => {
  const {theme, asked, changes} = follow({capabilities: {colours: 16}});
  expect(theme.first).toBe(colourTheme);
  theme.ask();
  expect(asked).toHaveLength(1);
  theme.take('light');
  expect(changes).toEqual([sixteenLightTheme]);
});

test('a key goes through the themes, and asks for the background when one depends on it', () => {
  const {theme, asked, changes} = follow({name: 'plain'});
  expect(theme.next()).toBe('theme auto, until you quit; theme = "auto" under [ui] in the config file keeps it');
  expect([changes, asked.length]).toEqual([[eitherTheme], 1]);
  theme.take('light');
  theme.next();
  theme.next();
  expect(changes.slice(1)).toEqual([lightTheme, darkTheme, lightTheme]);
});
