import {expect, test} from 'vitest';
import {detectCapabilities} from '#terminal/screen/capabilities.ts';

const detect = (env: Record<string, string>, stdoutIsTerminal = true) => detectCapabilities({env, stdoutIsTerminal});

test('knows a usual terminal', () => {
  expect(detect({TERM: 'xterm-256color', LANG: 'en_GB.UTF-8'})).toEqual({
    isPlain: false,
    colours: 256,
    hasSynchronisedOutput: true,
    hasScrollRegions: true,
    hasItalics: true,
    hasLinks: true,
    hasUtf8: true,
  });
});

test.each([
  [{TERM: 'xterm'}, 16],
  [{TERM: 'linux'}, 16],
  [{TERM: 'vt220'}, 0],
  [{TERM: 'screen-256color'}, 256],
  [{TERM: 'screen', COLORTERM: 'truecolor'}, 16],
  [{TERM: 'screen-256color', COLORTERM: 'truecolor'}, 256],
  [{TERM: 'screen-256color', COLORTERM: 'truecolor', TMUX: '/tmp/tmux-0/default,1,0'}, 'true'],
  [{TERM: 'tmux-256color'}, 256],
  [{TERM: 'linux', COLORTERM: 'truecolor'}, 16],
  [{TERM: 'vt100', COLORTERM: 'truecolor'}, 0],
  [{TERM: 'never-heard-of'}, 16],
  [{TERM: 'xterm-kitty'}, 'true'],
  [{TERM: 'xterm', COLORTERM: 'truecolor'}, 'true'],
  [{TERM: 'xterm-256color', NO_COLOR: '1'}, 0],
  [{TERM: 'xterm-256color', NO_COLOR: ''}, 256],
  [{TERM: 'xterm-256color', NO_COLOR: '1', FORCE_COLOR: '1'}, 16],
  [{TERM: 'xterm-256color', FORCE_COLOR: '0'}, 0],
  [{TERM: 'xterm-256color', FORCE_COLOR: ''}, 256],
  [{TERM: 'xterm', FORCE_COLOR: '3'}, 'true'],
  [{TERM: 'dumb'}, 0],
  [{TERM: 'dumb', FORCE_COLOR: 'true'}, 16],
  [{TERM: 'xterm', FORCE_COLOR: 'false'}, 0],
  [{TERM: 'xterm', FORCE_COLOR: '2'}, 256],
  [{TERM: 'vt100', FORCE_COLOR: 'yes'}, 16],
  [{TERM: 'xterm', COLORTERM: '24bit'}, 'true'],
  [{TERM: 'xterm', COLORTERM: 'yes'}, 16],
  [{TERM: 'xterm', WT_SESSION: 'x'}, 'true'],
  [{TERM: 'xterm-direct'}, 'true'],
  [{TERM: 'xterm-256'}, 256],
  [{TERM: 'xterm-256color', CLICOLOR: '0'}, 0],
  [{TERM: 'xterm-256color', CLICOLOR: '1'}, 256],
  [{TERM: 'xterm-256color', CLICOLOR: '0', CLICOLOR_FORCE: '1'}, 256],
  [{TERM: 'xterm-256color', CLICOLOR: '0', CLICOLOR_FORCE: '0'}, 0],
  [{TERM: 'dumb', CLICOLOR_FORCE: '1'}, 16],
  [{TERM: 'xterm-256color', NO_COLOR: '1', CLICOLOR_FORCE: '1'}, 0],
  [{TERM: 'xterm-256color', NO_COLOR: '1', FORCE_COLOR: 'yes'}, 256],
] as const)('reads the number of colours from %j: %s', (env, colours) => {
  expect(detect(env).colours).toBe(colours);
});

test.each([[{TERM: 'dumb'}], [{TERM: 'unknown'}], [{TERM: ''}], [{}]])('writes no control sequence for %j', env => {
  expect(detect(env)).toMatchObject({isPlain: true, colours: 0, hasSynchronisedOutput: false});
});

const nothing = {
  hasSynchronisedOutput: false,
  hasScrollRegions: false,
  hasItalics: false,
  hasLinks: false,
};
const onlyScrolls = {...nothing, hasScrollRegions: true};
const everything = {hasSynchronisedOutput: true, hasScrollRegions: true, hasItalics: true, hasLinks: true};

test.each([
  ['xterm-256color', everything],
  ['tmux-256color', everything],
  ['alacritty', everything],
  ['st-256color', everything],
  ['linux', onlyScrolls],
  ['screen', onlyScrolls],
  ['screen.xterm-256color', onlyScrolls],
  ['vt100', onlyScrolls],
  ['rxvt-unicode-256color', onlyScrolls],
  ['putty', onlyScrolls],
  ['vt52', nothing],
  ['stranger', nothing],
  ['never-heard-of', nothing],
  ['dumb', nothing],
])('asks of %s only what it is known to do', (term, abilities) => {
  expect(detect({TERM: term})).toMatchObject(abilities);
});

test('takes tmux that calls itself screen for tmux', () => {
  expect(detect({TERM: 'screen-256color', TMUX: '/tmp/tmux-0/default,1,0'})).toMatchObject(everything);
});

test('takes a pipe for no terminal, and colours it only when told to', () => {
  expect(detect({TERM: 'xterm-256color'}, false)).toMatchObject({isPlain: true, colours: 0});
  expect(detect({TERM: 'xterm-256color', FORCE_COLOR: '2'}, false)).toMatchObject({isPlain: true, colours: 256});
});

test.each([
  [{LANG: 'en_GB.UTF-8'}, true],
  [{LC_CTYPE: 'UTF-8'}, true],
  [{LANG: 'C.utf8'}, true],
  [{LC_ALL: 'C', LC_CTYPE: 'en_GB.UTF-8', LANG: 'en_GB.UTF-8'}, false],
  [{LC_ALL: '', LC_CTYPE: 'POSIX', LANG: 'en_GB.UTF-8'}, false],
  [{LC_ALL: 'en_GB.UTF-8', LANG: 'C'}, true],
  [{LANG: 'de_DE.ISO-8859-1'}, false],
  [{LANG: 'de_DE@euro'}, true],
  [{}, true],
  [{TERM: 'linux'}, false],
  [{TERM: 'linux', LANG: 'de_DE'}, false],
  [{TERM: 'linux', LANG: 'de_DE.UTF-8'}, true],
] as const)('reads from %j whether there is more than ASCII: %s', (env, hasUtf8) => {
  expect(detect({TERM: 'xterm-256color', ...env}).hasUtf8).toBe(hasUtf8);
});
