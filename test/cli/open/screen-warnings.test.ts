import {expect, test} from 'vitest';
import {createScreenWarnings} from '#cli/open/cluster-remarks.ts';

test('warnings are shown as they come, those before the screens were open too, and said again at the end', () => {
  const {warn, show, repeat} = createScreenWarnings();
  const [shown, said]: string[][] = [[], []];
  warn('early');
  show(sentence => shown?.push(sentence));
  warn('late');
  warn('late');
  repeat(sentence => said?.push(sentence));
  expect([shown, said]).toEqual([
    ['early', 'late', 'late'],
    ['early', 'late'],
  ]);
});

test('of many warnings the newest are kept', () => {
  const {warn, repeat} = createScreenWarnings();
  const said: string[] = [];
  for (let index = 0; index < 250; index += 1) {
    warn(`warning ${index}`);
  }
  repeat(sentence => said.push(sentence));
  expect([said.length, said[0], said.at(-1)]).toEqual([100, 'warning 150', 'warning 249']);
});
