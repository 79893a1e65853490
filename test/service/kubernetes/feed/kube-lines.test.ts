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

test('after a cut, reads from two whole seconds before, and shows nothing twice', async () => {
  const {addContainer, show, advance, readTexts, readWindow} = openFeed();
  const web = addContainer('web');
  await show(web);
  web.write('one');
  web.write('two');
  await advance(100);
  await readTexts();
  web.breakStreams('cut');
  web.write('three');
  await advance(1_000);
  expect(await readTexts()).toEqual(['one', 'two', 'three']);
  expect(web.requests.at(-1)?.sinceTime).toBe('2026-11-22T11:59:58Z');
  expect((await readWindow()).arrivals).toMatchObject({last: 3, dropped: 0});
});
