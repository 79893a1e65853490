import {expect, test, vi} from 'vitest';
import {paneOf} from '#app/log/log-pane.ts';
import {textOf} from '#log/line/entry.ts';
import {preparePages} from '#ui/app.tsx';
import {answer, give, openBranch, type Play, windowOf} from '../support/play.ts';

const rows = 4;

/** Opens a log of lines 1 to 30 in a pane of four rows. */
const openLog = (): Play => {
  const play = openBranch({rows: rows + 4, columns: 80});
  const lines = Array.from(
    {length: 30},
    (_, index) => `2026-11-21T14:00:${`${index + 10}`}.000000000Z line ${index + 1}`,
  );
  play.windowArrives(answer({...windowOf().value, lines}));
  return play;
};

/** Notes the lines that are laid out, in order. */
const watchLines = ({state}: Play): readonly string[] => {
  const {log} = state;
  if (!log) {
    throw new Error('No log is open.');
  }
  const laidOut: string[] = [];
  const pane = paneOf(state, log);
  const {bodyOf} = pane;
  vi.spyOn(pane, 'bodyOf').mockImplementation(line => {
    laidOut.push(line.entry.kind === 'line' ? textOf(line.entry) : line.entry.kind);
    return bodyOf(line);
  });
  return laidOut;
};

test('the pages around the screen are laid out before a key asks for them, the nearest lines first', async () => {
  const play = openLog();
  give(play, 'pageUp', 'pageUp');
  const laidOut = watchLines(play);
  await preparePages(play.state, () => false);
  expect(laidOut).toEqual([20, 19, 18, 17, 25, 26, 27, 28].map(line => `line ${line}`));
});

test('nothing is laid out ahead while the newest line is followed, or once the screen is another', async () => {
  const play = openLog();
  const followed = watchLines(play);
  await preparePages(play.state, () => false);
  expect(followed).toEqual([]);
  give(play, 'pageUp');
  const paused = watchLines(play);
  await preparePages(play.state, () => true);
  expect(paused).toEqual([]);
  give(play, 'back');
  await expect(preparePages(play.state, () => false)).resolves.toBeUndefined();
});
