import fc from 'fast-check';
import stringWidth from 'string-width';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {isDisputed} from '#log/text/code-point-class.ts';
import {cutToCells} from '#log/text/cut.ts';
import {sanitise, sanitiseStyled, sanitiseWord} from '#log/text/sanitise.ts';
import {shownCharsMax} from '#log/text/scan-foreign.ts';
import {cellWidth} from '#log/text/width.ts';
import {anyCharacter} from '../../support/any-character.ts';
import {runsOf} from '../../support/thorough.ts';
import {createEmulator, emulatorColumns} from '../emulator.ts';
import {hostilePieces, hostileTexts} from '../hostile-text.ts';

const forbidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...hostilePieces), fc.string({unit: anyCharacter, maxLength: 4})), {
    minLength: 1,
    maxLength: 24,
    size: 'max',
  })
  .map(pieces => pieces.join(''));

describe('what passes', () => {
  test('printable ASCII passes as it is', () => {
    const ascii = ' !"#$%&\'()*+,-./0123456789:;<=>?@ABCXYZ[\\]^_`abcxyz{|}~';
    expect(sanitise(ascii)).toBe(ascii);
  });

  test('letters, East Asian characters, emoji and marks on their bases pass', () => {
    const text = 'Grüße, naïve e\u0301 Привет שָׁלוֹם สวัสดี नमस्ते 日本語 한국어 ｶﾞ 😀🚀 ✓ → ─│ ½ €';
    expect(sanitise(text)).toBe(text);
  });

  test('no-break and ideographic blanks pass, for they take the cells that they say', () => {
    expect(sanitise('1\u00a0000\u3000x')).toBe('1\u00a0000\u3000x');
  });
});

describe('escape sequences', () => {
  test.each([
    ['OSC ended by BEL', 'a\x1b]0;title\x07b', 'a␛b'],
    ['OSC ended by ST', 'a\x1b]8;;http://x/\x1b\\b', 'a␛b'],
    ['OSC ended by 8-bit ST', 'a\x1b]2;t\x9cb', 'a␛b'],
    ['DCS', 'a\x1bP$qm\x1b\\b', 'a␛b'],
    ['DCS holding a BEL', 'a\x1bPx\x07y\x1b\\b', 'a␛b'],
    ['APC', 'a\x1b_G\x1b\\b', 'a␛b'],
    ['PM', 'a\x1b^p\x1b\\b', 'a␛b'],
    ['SOS', 'a\x1bXs\x1b\\b', 'a␛b'],
    ['8-bit OSC', 'a\x9d0;t\x07b', 'a␛b'],
    ['8-bit DCS', 'a\x90q\x9cb', 'a␛b'],
    ['8-bit APC, PM, SOS', '\x9fa\x9c\x9eb\x9c\x98c\x9c', '␛␛␛'],
    ['CSI', 'a\x1b[2Jb', 'a␛b'],
    ['8-bit CSI', 'a\x9b2Jb', 'a␛b'],
    ['private CSI', 'a\x1b[?1049hb', 'a␛b'],
    ['CSI with an intermediate byte', 'a\x1b[!pb', 'a␛b'],
    ['CSI that ends in m but is no SGR', 'a\x1b[>4;2mb\x1b[?4mc', 'a␛b␛c'],
    ['two-character escape', 'a\x1bcb', 'a␛b'],
    ['escape with an intermediate byte', 'a\x1b#8b\x1b(0c', 'a␛b␛c'],
    ['a terminator alone', 'a\x1b\\b\x9cc', 'a␛b␛c'],
    ['ESC at the end', 'a\x1b', 'a␛'],
    ['ESC twice', '\x1b\x1b[2J', '␛␛'],
    ['unterminated OSC', 'a\x1b]0;title', 'a␛0;title'],
    ['unterminated 8-bit OSC', 'a\x9d0;title', 'a␛0;title'],
    ['unterminated CSI', 'a\x1b[31', 'a␛31'],
    ['CSI broken off by a letter of another script', 'a\x1b[3é', 'a␛3é'],
    ['CSI broken off by a control', 'a\x1b[3\x1fm', 'a␛3␟m'],
    ['CSI with the first and last byte of each kind', 'a\x1b[ ?@b\x1b[1~c\x1b[1\x7fd', 'a␛b␛c␛1␡d'],
    ['CSI of a colon is an SGR, of a prefix or an intermediate none', '\x1b[4:3ma\x1b[/mb\x1b[<mc', 'a␛b␛c'],
    ['escape with the first and last byte of each kind', 'a\x1b /0b\x1b~c\x1b\x7fd', 'a␛b␛c␛␡d'],
    ['escape broken off by a control', 'a\x1b\x1fb', 'a␛␟b'],
    ['the escapes beside those that open a string', 'a\x1b@b\x1bYc\x1bZd\x1b\\e', 'a␛b␛c␛d␛e'],
    ['ST after text of its last and first neighbours', 'a\x1b]x\x7f\xa0y\x9cb', 'a␛b'],
    ['OSC broken off by the first and last C1 control', '\x1b]x\x80y\x9c\x1b]x\x9fy\x07', '␛x�y␛␛x␛y␇'],
    ['OSC broken off by SUB', '\x1b]0;t\x1ax', '␛0;t␚x'],
    ['OSC broken off by CAN', '\x1b]0;t\x18x', '␛0;t␘x'],
    ['OSC broken off by another sequence', '\x1b]0;a\x1b[2Jb\x07', '␛0;a␛b␇'],
    ['payload of an unterminated OSC is made safe too', '\x1b]0;\u202ex\ty', '␛0;�x   y'],
  ])('%s', (_, text, safe) => {
    expect(sanitise(text)).toBe(safe);
  });

  test('SGR, which only colours, is dropped in either form', () => {
    expect(sanitise('\x1b[1;31mred\x1b[0m \x9b38;2;1;2;3mrgb\x1b[m')).toBe('red rgb');
  });
});

describe('controls and what is not seen', () => {
  test('every C0 control and DEL becomes its picture, TAB blanks', () => {
    const controls = Array.from({length: 32}, (_, code) => code)
      .filter(code => code !== 9 && code !== 27)
      .map(code => String.fromCharCode(code));
    expect(sanitise(controls.join(''))).toBe('␀␁␂␃␄␅␆␇␈␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␜␝␞␟');
    expect(sanitise('\x7f')).toBe('␡');
  });

  test('every C1 control leaves one mark', () => {
    const safe = Array.from({length: 32}, (_, i) => sanitise(String.fromCharCode(0x80 + i)));
    expect(safe.join('')).toBe('�����␤����������␛�������␛��␛␛␛␛␛');
  });

  test('TAB goes to the next multiple of eight cells of the line', () => {
    expect(sanitise('\ta\tbb\t1234567\t12345678\tx')).toBe('        a       bb      1234567 12345678        x');
    expect(sanitise('日本\tx')).toBe('日本    x');
    expect(sanitise('e\u0301\tx')).toBe('e\u0301       x');
    expect(sanitise('का\tx')).toBe('का      x');
    expect(sanitise('\u0301\tx')).toBe('◌\u0301       x');
    expect(sanitise('日\u093e\tx')).toBe('日�     x');
    expect(sanitise('\ud83c\udde9\tx')).toBe('Ｄ      x');
    expect(sanitise('\x1b[2J\tx')).toBe('␛       x');
  });

  test('nothing in a line ends a row', () => {
    expect(sanitise('a\rb\nc\r\nd\x85e\u2028f\u2029g\vh\fi')).toBe('a␍b␊c␍␊d␤e␤f␤g␋h␌i');
  });

  test.each([
    ['bidi controls', '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069', '������������'],
    ['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e', '�������'],
    ['tags', '\u{e0001}\u{e0041}\u{e007f}', '���'],
    ['fillers', '\u115f\u1160\u3164\uffa0\u2800\u{1d159}\u034f\u17b4\u17b5', '���������'],
    ['lone surrogates', 'a\ud800b\udc00c\ud800', 'a�b�c�'],
    ['private use', '\ue000\uf8ff\u{f0000}\u{10ffff}', '����'],
    ['unassigned and noncharacters', '\u0378\ufdd0\uffff\u{1ffff}\u{50000}', '�����'],
    ['interlinear annotations', '\ufff9a\ufffab\ufffb', '�a�b�'],
  ])('%s are replaced', (_, text, safe) => {
    expect(sanitise(text)).toBe(safe);
  });
});

describe('what joins the character before it', () => {
  test('four marks stay on a base, one mark of ours stands for the others', () => {
    expect(sanitise(`a${'\u0301'.repeat(4)}b`)).toBe('a\u0301\u0301\u0301\u0301b');
    expect(sanitise(`a${'\u0301'.repeat(90)}b`)).toBe('a\u0301\u0301\u0301\u0301�b');
  });

  test('colours between marks do not begin a new count', () => {
    expect(sanitise(`a${'\u0301\x1b[1m'.repeat(9)}b`)).toBe('a\u0301\u0301\u0301\u0301�b');
  });

  test('a mark without a base gets one, and never sits on a mark of ours', () => {
    expect(sanitise('\u0301a')).toBe('◌\u0301a');
    expect(sanitise('\x1b[2J\u20dd \u202e\u0301')).toBe('␛◌\u20dd �◌\u0301');
  });

  test('a spacing mark stays on a letter and is replaced after a wide character', () => {
    expect(sanitise('का 日\u093e😀\u093e')).toBe('का 日�😀�');
  });

  test('one variation selector after a character is dropped, others are replaced', () => {
    expect(sanitise('❤\ufe0f 葛\u{e0100} a\ufe0f\ufe0e \x07\ufe0f')).toBe('❤ 葛 a� ␇�');
  });

  test('a skin tone is dropped after what has a skin, and replaced elsewhere', () => {
    expect(sanitise('👍🏽 ☝🏿 a🏽 👍🏽🏽')).toBe('👍 ☝ a� 👍�');
  });

  test('flags become fullwidth letters, families separate people, keycaps their digit', () => {
    expect(sanitise('🇩🇪')).toBe('ＤＥ');
    expect(sanitise('👨‍👩‍👧')).toBe('👨�👩�👧');
    expect(sanitise('1\ufe0f\u20e3')).toBe('1\u20e3');
  });

  test('the first and last piece of Hangul make syllables, their neighbours none', () => {
    expect(sanitise('\u1100\u1161 \u1112\u1175 \u1100\u1161\u11a8 \u1112\u1175\u11c2')).toBe('가 히 각 힣');
    expect(sanitise('\u1113\u1161 \u1100\u1160 \u1100\u1176')).toBe('�� �� ��');
    expect(sanitise('\u1100\u1161\u11a7 \u1100\u1161\u11c3')).toBe('가� 가�');
    expect(sanitise('\uac00\u11c2 \ud788\u11a8 \ud7a3\u11a8')).toBe('갛 힉 힣�');
  });

  test('Hangul in pieces is composed, and pieces that make no syllable are replaced', () => {
    expect(sanitise('\u1112\u1161\u11ab\u1100\u1173\u11af')).toBe('한글');
    expect(sanitise('가\u11a8각\u11a8')).toBe('각각�');
    expect(sanitise('\u1100\u1100\u1161 \u1161 \ua960')).toBe('�가 � �');
  });
});

describe('bounds', () => {
  test('a line of the bound is whole, a longer one ends with the mark of a cut', () => {
    expect(sanitise('x'.repeat(shownCharsMax))).toBe('x'.repeat(shownCharsMax));
    expect(sanitise('x'.repeat(shownCharsMax + 1))).toBe(`${'x'.repeat(shownCharsMax - 1)}…`);
    expect(sanitise('é'.repeat(shownCharsMax + 1))).toBe(`${'é'.repeat(shownCharsMax - 1)}…`);
  });

  test('what grows while it is made safe is cut at the same bound', () => {
    expect(sanitise('\t'.repeat(shownCharsMax))).toBe(`${' '.repeat(shownCharsMax - 1)}…`);
  });

  test('the cut falls between characters, never inside a pair or a sequence', () => {
    expect(sanitise(`${'x'.repeat(shownCharsMax - 2)}😀y`)).toBe(`${'x'.repeat(shownCharsMax - 2)}…`);
    expect(sanitise(`${'x'.repeat(shownCharsMax - 1)}😀`)).toBe(`${'x'.repeat(shownCharsMax - 1)}…`);
    expect(sanitise(`${'x'.repeat(shownCharsMax - 4)}\x1b]0;secret\x07y`)).toBe(`${'x'.repeat(shownCharsMax - 4)}␛…`);
    expect(sanitise(`${'x'.repeat(shownCharsMax - 2)}\x1b[31m`)).toBe('x'.repeat(shownCharsMax - 2));
  });

  test('the end of a sequence is found up to a kilobyte after the cut', () => {
    const before = 'x'.repeat(shownCharsMax - 2);
    const withEnd = (payloadChars: number): string => sanitise(`${before}\x1b]${'s'.repeat(payloadChars)}\x07`);
    expect(withEnd(1023)).toBe(`${before}␛`);
    expect(withEnd(1024)).toBe(`${before}␛…`);
  });

  test('a word is cut to its own bound', () => {
    expect(sanitiseWord('web-7f9c-x2x4', 20)).toBe('web-7f9c-x2x4');
    expect(sanitiseWord('feature/new-theme', 10)).toBe('feature/n…');
    expect(sanitiseWord('a\x1b[2J\n日本語', 5)).toBe('a␛␊日…');
    expect(sanitiseWord('😀😀', 2)).toBe('…');
    expect(sanitiseWord('abc', 1)).toBe('…');
    expect(sanitiseWord('a', 1)).toBe('a');
    expect(sanitiseWord('é', 1)).toBe('é');
    expect(sanitiseWord('abc', 0)).toBe('');
  });

  test.each([
    ['OSC openers', '\x1b]'],
    ['8-bit OSC openers', '\x9d'],
    ['DCS openers with payload', '\x1bPxxxx'],
    ['CSI openers', '\x1b['],
    ['CSI parameters', '\x1b[0;0;0;0'],
    ['ESC and intermediates', '\x1b    '],
    ['marks', '\u0301'],
    ['colours', '\x1b[1m'],
    ['Hangul pieces', '\u1100'],
    ['lone surrogates', '\ud800'],
  ])('looks at each code unit a few times at most: %s', (_, piece) => {
    const sequence = `\x1b]${'x'.repeat(2000)}`;
    const text = (piece.repeat(shownCharsMax) + sequence).slice(0, shownCharsMax * 4);
    const reads = vi.spyOn(String.prototype, 'charCodeAt');
    const pairReads = vi.spyOn(String.prototype, 'codePointAt');
    try {
      sanitise(text);
      expect(reads.mock.calls.length + pairReads.mock.calls.length).toBeLessThan(6 * (shownCharsMax + 1024));
      expect(reads.mock.calls.length).toBeGreaterThan(1000);
    } finally {
      reads.mockRestore();
      pairReads.mockRestore();
    }
  });
});

describe('always', () => {
  test('nothing unseen remains, a second pass changes nothing, and the width is what a measuring library says', () => {
    fc.assert(
      fc.property(hostileText, text => {
        const safe = sanitise(text);
        expect(safe).not.toMatch(forbidden);
        expect(safe).not.toMatch(/\p{M}{5}/u);
        expect(sanitise(safe)).toBe(safe);
        expect(cellWidth(safe)).toBe(stringWidth(safe));
        expect(sanitiseStyled(text).text).toBe(safe);
      }),
      {numRuns: runsOf(2000)},
    );
  });

  test('a word of any bound is within it and stays as it is', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({min: 1, max: 40}), (text, charsMax) => {
        const word = sanitiseWord(text, charsMax);
        expect(word.length).toBeLessThanOrEqual(charsMax);
        expect(word.isWellFormed()).toBe(true);
        expect(sanitiseWord(word, charsMax)).toBe(word);
      }),
      {numRuns: runsOf(1200)},
    );
  });
});

describe('on a terminal', () => {
  const emulator = createEmulator();
  afterAll(() => emulator.dispose());

  beforeAll(async () => {
    // The witness must be awake: the same row unsafe does all that is looked for.
    const {events} = await emulator.drawRow('\x1b]0;t\x07\x07\x1b[6n\x1b[?2004h\n\n\n\n');
    expect(new Set(events)).toEqual(
      new Set(['title t', 'OSC 0', 'bell', 'reply "\\u001b[3;1R"', 'mode', 'scroll', 'line feed']),
    );
    await emulator.drawRow('\x1b[?2004l');
  });

  const expectHarmless = async (text: string): Promise<void> => {
    const safe = cutToCells(sanitise(text), emulatorColumns);
    const screen = await emulator.drawRow(safe);
    expect(screen.events).toEqual([]);
    expect(screen.row).toBe(2);
    expect([screen.rows[0], screen.rows[1], screen.rows[3], screen.rows[4]]).toEqual(['', 'above', 'below', '']);
    if (!isDisputed(safe)) {
      expect(screen.column).toBe(cellWidth(safe));
    }
  };

  test.each(Object.entries(hostileTexts))('%s does nothing but fill cells', async (_, text) => {
    await expectHarmless(text);
  });

  test('thousands of random hostile rows do nothing but fill cells', async () => {
    await fc.assert(fc.asyncProperty(hostileText, expectHarmless), {numRuns: runsOf(960)});
  });
});
