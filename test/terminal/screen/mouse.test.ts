import {expect, test} from 'vitest';
import {
  cursorRight,
  enterScreen,
  formatLink,
  leaveScreen,
  linkPattern,
  type MouseReport,
  mouseReportsOff,
  mouseReportsOn,
  moveTo,
  parseMouseReport,
  parseOldMouseReport,
  scrollRegion,
  setStyle,
} from '#terminal/screen/escapes.ts';
import {findMultiplexer, formatNotification, takesOsc, wrapForMultiplexer} from '#terminal/screen/passthrough.ts';

const csi = '\u001b[';

test.each<readonly [string, MouseReport | undefined]>([
  ['<0;1;1M', {kind: 'press', columnIndex: 0, rowIndex: 0}],
  ['<64;5;9M', {kind: 'wheelUp', columnIndex: 4, rowIndex: 8}],
  ['<65;300;9M', {kind: 'wheelDown', columnIndex: 299, rowIndex: 8}],
  // With Shift, Alt and Ctrl.
  ['<4;1;1M', {kind: 'press', columnIndex: 0, rowIndex: 0}],
  ['<8;1;1M', {kind: 'press', columnIndex: 0, rowIndex: 0}],
  ['<16;1;1M', {kind: 'press', columnIndex: 0, rowIndex: 0}],
  ['<92;1;1M', {kind: 'wheelUp', columnIndex: 0, rowIndex: 0}],
  // Other buttons, movements, releases, and no place.
  ['<1;1;1M', undefined],
  ['<2;1;1M', undefined],
  ['<32;1;1M', undefined],
  ['<66;1;1M', undefined],
  ['<0;1;1m', undefined],
  ['<0;0;1M', undefined],
  ['<0;1;0M', undefined],
  ['<0;1M', undefined],
  ['<0;1;1Mx', undefined],
])('the report %s', (sequence, report) => {
  expect(parseMouseReport(`${csi}${sequence}`)).toEqual(report);
});

test.each<readonly [readonly number[], MouseReport | undefined]>([
  [[0, 1, 1], {kind: 'press', columnIndex: 0, rowIndex: 0}],
  [[64, 80, 24], {kind: 'wheelUp', columnIndex: 79, rowIndex: 23}],
  [[65 + 16, 1, 1], {kind: 'wheelDown', columnIndex: 0, rowIndex: 0}],
  [[3, 1, 1], undefined],
  [[0, 0, 1], undefined],
  [[0, 1, 0], undefined],
])('the old report of %j', (bytes, report) => {
  const sequence = `${csi}M${bytes.map(byte => String.fromCharCode(32 + byte)).join('')}`;
  expect(parseOldMouseReport(sequence)).toEqual(report);
});

test('reports are switched off in the other order', () => {
  expect([mouseReportsOn, mouseReportsOff]).toEqual([`${csi}?1000h${csi}?1006h`, `${csi}?1006l${csi}?1000l`]);
});

test('places count from 1 in sequences', () => {
  expect([moveTo(0, 0), moveTo(4, 0), moveTo(4, 1)]).toEqual([`${csi}1H`, `${csi}5H`, `${csi}5;2H`]);
  expect([cursorRight(1), cursorRight(2)]).toEqual([`${csi}C`, `${csi}2C`]);
  expect([scrollRegion(0, 4), setStyle('1;31'), setStyle('')]).toEqual([`${csi}1;5r`, `${csi}1;31m`, `${csi}m`]);
});

test('the screen is taken and given back with every mode that was changed', () => {
  expect(enterScreen.split('\u001b').slice(1)).toEqual([
    '[?1049h',
    '[?25l',
    '[?7l',
    '[?2004l',
    '[r',
    '[m',
    '[2J',
    '[H',
  ]);
  expect(leaveScreen.split('\u001b').slice(1)).toEqual([
    ...['[?2026l', '[?1006l', '[?1000l', '[m', '[r', '[2J', '[H', '[?2004l', '[?7h', '[?25h', '[?1049l', '[?25h'],
  ]);
});

test('an address of 2,000 characters is a link, and no longer one', () => {
  const addressOf = (length: number) => `https://${'x'.repeat(length - 8)}`;
  const found = (address: string) => linkPattern.exec(formatLink(address))?.[1];
  expect(found(addressOf(2000))).toHaveLength(2000);
  expect(linkPattern.test(formatLink(addressOf(2001)))).toBe(false);
  expect([found('http://x'), linkPattern.test(formatLink('')), linkPattern.test(formatLink('https://a b'))]).toEqual([
    undefined,
    true,
    false,
  ]);
});

test.each([
  [{}, undefined],
  [{TERM: 'xterm'}, undefined],
  [{TERM: 'xterm', TMUX: '/tmp/x'}, 'tmux'],
  [{TERM: 'tmux-256color'}, 'tmux'],
  [{TERM: 'screen'}, 'screen'],
  [{TERM: 'xterm', STY: '1.pts'}, 'screen'],
  [{TERM: 'screen', TMUX: '/tmp/x'}, 'tmux'],
  [{TERM: 'xterm', TMUX: '', STY: ''}, undefined],
])('in %j the multiplexer is %s', (env, multiplexer) => {
  expect(findMultiplexer(env)).toBe(multiplexer);
});

test('GNU screen takes 250 bytes in a piece', () => {
  expect(wrapForMultiplexer('x'.repeat(250), 'screen')).toBe(`\u001bP${'x'.repeat(250)}\u001b\\`);
  expect(wrapForMultiplexer('x'.repeat(251), 'screen')).toBe(`\u001bP${'x'.repeat(250)}\u001b\\\u001bPx\u001b\\`);
  expect(wrapForMultiplexer('a\u001bb', 'tmux')).toBe('\u001bPtmux;a\u001b\u001bb\u001b\\');
});

test.each(['', 'dumb', 'unknown', 'linux', 'cons25', 'vt100', 'ansi', 'sun-color', 'wsvt25m'])(
  'TERM=%s takes no OSC',
  term => {
    expect(takesOsc({TERM: term})).toBe(false);
  },
);

test('others take it, and a terminal without a name does not', () => {
  expect([takesOsc({TERM: 'xterm'}), takesOsc({TERM: 'ansi-x'}), takesOsc({})]).toEqual([true, true, false]);
});

test('a notification has what is wanted', () => {
  const text = (bell: boolean, osc9: boolean, term = 'xterm') =>
    formatNotification('a\t\n1é', {bell, osc9}, {TERM: term});
  const osc = '\u001b]9;branchlog: a 1?\u0007';
  expect([text(false, false), text(true, false), text(false, true), text(true, true)]).toEqual([
    '',
    '\u0007',
    osc,
    `${osc}\u0007`,
  ]);
  expect([text(true, true, 'linux'), text(false, true, 'linux'), text(true, true, 'dumb')]).toEqual(['\u0007', '', '']);
  const long = formatNotification('x'.repeat(190), {bell: false, osc9: true}, {TERM: 'xterm'});
  expect(long).toBe(`\u001b]9;branchlog: ${'x'.repeat(186)}...\u0007`);
  expect(formatNotification('x'.repeat(189), {bell: false, osc9: true}, {TERM: 'xterm'})).not.toContain('...');
});
