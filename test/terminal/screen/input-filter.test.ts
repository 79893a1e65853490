import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createInputFilter, type TerminalReport} from '#terminal/screen/terminal-input.ts';

const all = () => ({mouse: true, answer: true});
const only = (mouse: boolean, answer: boolean) => () => ({mouse, answer});

/** Feeds the pieces and lets go of what is left. */
const feed = (pieces: readonly string[], expected = all) => {
  const filter = createInputFilter(expected);
  const reports: TerminalReport[] = [];
  let typed = '';
  for (const piece of pieces) {
    const filtered = filter.push(piece);
    typed += filtered.typed;
    reports.push(...filtered.reports);
  }
  return {typed: typed + filter.release(), reports};
};

const wheelUp = {kind: 'wheelUp', columnIndex: 9, rowIndex: 4} as const;
const dark = {kind: 'background', backdrop: 'dark'} as const;

describe('reports are taken out', () => {
  test.each([
    ['the wheel', '\u001b[<64;10;5M', [wheelUp]],
    ['the wheel with Shift', '\u001b[<68;10;5M', [wheelUp]],
    ['the wheel down', '\u001b[<65;10;5M', [{...wheelUp, kind: 'wheelDown'}]],
    ['a press', '\u001b[<0;200;60M', [{kind: 'press', columnIndex: 199, rowIndex: 59}]],
    ['a release', '\u001b[<0;10;5m', []],
    ['another button', '\u001b[<2;10;5M', []],
    ['a movement', '\u001b[<35;10;5M', []],
    ['a place that is none', '\u001b[<0;0;5M', []],
    ['a damaged one', '\u001b[<;;M', []],
    ['the old form', '\u001b[M`*%', [wheelUp]],
    ['the old form far to the right', '\u001b[M \u00ff\u0021', [{kind: 'press', columnIndex: 222, rowIndex: 0}]],
    ['focus', '\u001b[I\u001b[O', []],
    ['that the terminal works', '\u001b[0n', [{kind: 'ready'}]],
    ['the background, ended by BEL', '\u001b]11;rgb:1e1e/1e1e/1e1e\u0007', [dark]],
    ['the background, ended by ST', '\u001b]11;rgb:1e/1e/1e\u001b\\', [dark]],
    ['a light background', '\u001b]11;rgb:ffff/ffff/eeee\u0007', [{kind: 'background', backdrop: 'light'}]],
    ['a background with opacity', '\u001b]11;rgba:0000/0000/0000/ffff\u001b\\', [dark]],
    ['the answer to another question', '\u001b]10;rgb:0/0/0\u0007', []],
  ])('%s', (_name, sequence, reports) => {
    expect(feed([`a${sequence}b`])).toEqual({typed: 'ab', reports});
  });

  test('however they are split, and whatever is typed in between', () => {
    const parts = fc.constantFrom(
      'q',
      'jk',
      '\u001b[A',
      '\u001b[5~',
      '\u001bOH',
      '\u001b[1;5C',
      '\u00c3\u00bc',
      '\u001b[<64;10;5M',
      '\u001b[<0;1;1m',
      '\u001b]11;rgb:ffff/ffff/ffff\u001b\\',
      '\u001b[200~pasted \u001b[<64;1;1M \u001b]11;x\u0007\u001b[201~',
    );
    const reportsIn = /^(?:\u001b\[<|\u001b\]11)/;
    fc.assert(
      fc.property(fc.array(parts, {maxLength: 12}), fc.array(fc.nat(200)), (sent, cuts) => {
        const whole = sent.join('');
        const places = [...new Set(cuts.filter(cut => cut < whole.length))].sort((a, b) => a - b);
        const pieces = [0, ...places].map((start, index) => whole.slice(start, places[index]));
        const {typed, reports} = feed(pieces);
        expect(typed).toBe(sent.filter(part => !reportsIn.test(part)).join(''));
        expect(reports).toHaveLength(sent.filter(part => reportsIn.test(part) && !part.endsWith('m')).length);
      }),
    );
  });
});

describe('what is typed passes', () => {
  test('whatever it is, byte for byte, once it is sure that it is no report', () => {
    const harmless = fc
      .string({unit: fc.integer({min: 0, max: 255}).map(code => String.fromCharCode(code))})
      .filter(text => !/\u001b(?:\[[<MIO]|\][\d;]|\[200)/.test(text));
    fc.assert(
      fc.property(fc.array(harmless), pieces => {
        const whole = pieces.join('');
        fc.pre(!/\u001b(?:\[[<MIO]|\]\d|\[200)/.test(whole));
        expect(feed(pieces)).toEqual({typed: whole, reports: []});
      }),
    );
  });

  test.each(['\u001b', '\u001b[', '\u001b]', '\u001b]1', '\u001b[20'])('%j waits, and then is keys', typed => {
    const filter = createInputFilter(all);
    expect(filter.push(`a${typed}`)).toEqual({typed: 'a', reports: []});
    expect([filter.held(), filter.release(), filter.held()]).toEqual(['maybe', typed, 'nothing']);
  });

  test.each(['\u001b[<64;1', '\u001b[M#', '\u001b]11;rgb:ff'])('%j waits longer, and then is dropped', begun => {
    const filter = createInputFilter(all);
    filter.push(begun);
    expect([filter.held(), filter.release(), filter.push('x').typed]).toEqual(['report', '', 'x']);
  });

  test('a text that only begins like an answer is let go when it gets longer than one', () => {
    const typed = `\u001b]11;${'x'.repeat(100)}`;
    expect(feed([typed.slice(0, 50), typed.slice(50)])).toEqual({typed, reports: []});
  });

  test('at once where nothing is expected', () => {
    const filter = createInputFilter(only(false, false));
    expect(filter.push('\u001b')).toEqual({typed: '\u001b', reports: []});
    expect(filter.held()).toBe('nothing');
  });

  test('the old form is letters where no mouse is expected', () => {
    expect(feed(['\u001b[Mabc'], only(false, true))).toEqual({typed: '\u001b[Mabc', reports: []});
  });

  test('what is pasted is not read, to its very end', () => {
    const paste = '\u001b[200~\u001b[<64;1;1M\u001b[201~';
    expect(feed([...`${paste}\u001b[<64;10;5M`])).toEqual({typed: paste, reports: [wheelUp]});
  });
});
