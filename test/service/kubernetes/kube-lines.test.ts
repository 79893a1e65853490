import {expect, test} from 'vitest';
import {openFeed} from './open-feed.ts';

test('shows the lines of a container as they are written', async () => {
  const {addContainer, show, advance, readTexts, readWindow} = openFeed();
  const web = addContainer('web');
  web.write('one');
  await show(web);
  web.write('two');
  await advance(0);
  expect(await readTexts()).toEqual(['one', 'two']);
  const [first, second] = [await readWindow(), await readWindow()];
  expect(second.lines).toBe(first.lines);
});
