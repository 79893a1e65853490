import {expect, test} from 'vitest';
import {createCopy} from '#cli/screens/start/create-screens-store.ts';

const copyTo = (term: string) => {
  const written: string[] = [];
  return {copy: createCopy({TERM: term}, bytes => written.push(bytes)), written};
};

test('sends a text to the terminal and says what and how much', () => {
  const {copy, written} = copyTo('xterm-256color');
  expect(copy('é', 'name of master')).toBe("sent name of master, 2 bytes, to the terminal's clipboard");
  expect(copy(new Uint8Array([65]), 'a line')).toBe("sent a line, 1 byte, to the terminal's clipboard");
  expect(written).toEqual(['\u001b]52;c;w6k=\u0007', '\u001b]52;c;QQ==\u0007']);
});

test('sends nothing that is too much, and says how much may be', () => {
  const {copy, written} = copyTo('xterm-256color');
  expect(copy('x'.repeat(80_000), '3 lines')).toMatch(/^3 lines is too much .*: 80,000 of at most [\d,]+ bytes$/);
  expect(written).toEqual([]);
});

test('says where there is no clipboard', () => {
  const {copy, written} = copyTo('linux');
  expect(copy('x', 'a line')).toContain('no clipboard');
  expect(written).toEqual([]);
});
