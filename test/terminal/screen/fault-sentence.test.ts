import {expect, test} from 'vitest';
import {formatFault} from '#terminal/screen/lifecycle.ts';

const faultWith = (message: string, stack = ''): Error => Object.assign(new TypeError(message), {stack});
const sentence = (what: string): string =>
  `branchlog: stopped by a fault of its own: ${what}. Please report it, with what you did last.`;

test.each<readonly [string, unknown, string]>([
  ['its name and message', faultWith('it broke'), 'TypeError: it broke'],
  [
    'its file',
    faultWith('no', 'TypeError: no\n    at run (/home/ada/app/main.js:12:3)'),
    'TypeError: no (at main.js:12:3)',
  ],
  [
    'its file, without a function',
    faultWith('no', 'x\n  at file:///home/ada/main.js:1:2'),
    'TypeError: no (at main.js:1:2)',
  ],
  ['its file on Windows', faultWith('no', 'x\n  at C:\\app\\main.js:1:2'), 'TypeError: no (at main.js:1:2)'],
  ['no frame of another kind', faultWith('no', 'x\n  at native'), 'TypeError: no'],
  ['safe words', faultWith('a\u001b[31m\n\tb'), 'TypeError: a?[31m b'],
  ['the type of what is no error', 'secret', 'a thrown string'],
  ['the type of nothing', undefined, 'a thrown undefined'],
])('a fault is told with %s', (_, fault, what) => {
  expect(formatFault(fault)).toBe(sentence(what));
});

test('three hundred characters of a message are told', () => {
  expect(formatFault(faultWith('x'.repeat(301)))).toBe(sentence(`TypeError: ${'x'.repeat(300)}`));
});
