import {expect, test} from 'vitest';
import {edgeLevel} from '#app/log/row-edges.ts';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {linesOf, openLogWith} from '../../support/play.ts';

const stamped = (...texts: readonly string[]): readonly string[] =>
  texts.map((text, second) => `2026-11-21T14:00:0${second}.000000000Z ${text}`);

test('a line has the sign of its level at the edge, and only the first of a trace does', () => {
  const window = linesOf(1, 1);
  const lines = stamped(
    'level=info msg=a',
    'level=warn msg=b',
    'level=error msg=c',
    'Traceback (most recent call last):',
    '  File "a.py", line 1, in <module>',
    'ValueError: ERROR x',
    'level=fatal msg=d',
  );
  const {state} = openLogWith({...window, value: {...window.value, lines}});
  const buffer = state.log?.sources[0].tail.log.buffer ?? expect.fail();
  const all = sliceEntries(buffer, 0, 20).flatMap(entry => (entry.kind === 'line' ? [entry] : []));
  const signs = all.map(line => edgeLevel(line, buffer));
  expect(signs.map(({text}) => text)).toEqual(['  ', '! ', '✗ ', '✗ ', '  ', '  ', '✗ ']);
  expect(signs.map(({tone}) => tone).slice(0, 3)).toEqual(['plain', 'warn', 'bad']);
  expect(all.map(line => edgeLevel(line, undefined).text)[2]).toBe('✗ ');
});
