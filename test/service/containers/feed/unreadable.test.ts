import {expect, test} from 'vitest';
import {openFeed} from '../../kubernetes/open-feed.ts';
import {refuse} from '../../kubernetes/scripted-cluster.ts';

const nodeDown = (): readonly ReturnType<typeof refuse>[] =>
  Array.from({length: 20}, () => refuse(500, 'The node cannot be reached.'));

test('a first answer that was waited for says that a log cannot be read, and is never empty without a word', async () => {
  const {addContainer, branch, advance} = openFeed({firstReadMsMax: 30_000});
  const web = addContainer('web');
  web.answers.push(...nodeDown());
  branch.setPlaces([web.place()]);
  const answer = expect(branch.readWindow()).rejects.toThrow('The node cannot be reached.');
  await advance(10_000);
  await answer;
});

test('a first answer brings the lines of a log that could not be read for a moment', async () => {
  const {addContainer, branch, advance} = openFeed({firstReadMsMax: 30_000});
  const web = addContainer('web');
  web.write('1');
  web.answers.push(...nodeDown().slice(0, 2));
  branch.setPlaces([web.place()]);
  const answer = branch.readWindow();
  await advance(10_000);
  expect((await answer).lines).toEqual([expect.stringContaining(' 1')]);
});

test.each([
  [undefined, 1],
  [true, 0],
])(
  'a log that cannot be read is told in the answers, and to the operator if that is somebody else: %s',
  async (readerIsOperator, count) => {
    const {addContainer, show, advance, readWindow, warnings} = openFeed({readerIsOperator});
    const [web, php] = [addContainer('web'), addContainer('php')];
    web.answers.push(...Array.from({length: 20}, () => 'unable to retrieve container logs for containerd://0123'));
    await show(web, php);
    await advance(6_000);
    expect(await readWindow()).toMatchObject({
      unreadablePods: new Map([['web', expect.stringContaining('unable to retrieve container logs')]]),
    });
    expect(warnings).toHaveLength(count);
  },
);

test('a pod without a node has no log yet, and is not one that cannot be read', async () => {
  const {addContainer, show, advance, readWindow} = openFeed();
  const web = addContainer('web', {instanceId: undefined, state: 'waiting'});
  web.answers.push(...Array.from({length: 60}, () => refuse(204)));
  await show(web);
  await advance(30_000);
  expect(await readWindow()).toMatchObject({lines: [], unreadablePods: undefined});
});
