import {cleanup, render} from 'ink-testing-library';
import {afterAll, afterEach, beforeAll, describe, expect, test, vi} from 'vitest';
import type {Effect} from '#app/state/effect.ts';
import type {State} from '#app/state/state.ts';
import {createStore, type Store} from '#app/store.ts';
import {composeRows, type RowBlock} from '#terminal/screen/frame-change.ts';
import {App} from '#ui/app.tsx';
import {plainTheme, sixteenDarkTheme, type Theme} from '#ui/theme.ts';
import {answer, sampleBranches, sampleState, serviceStartMs, windowOf} from '../support/play.ts';

// Ink's testing stdout does not know its rows, and Ink would run programs at each frame to find out.
beforeAll(() => {
  vi.stubEnv('COLUMNS', '100');
  vi.stubEnv('LINES', '24');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

afterEach(cleanup);

// What Ink's testing stdout tells as its width; rows it does not know.
const columns = 100;

const open = async (change: Partial<State> = {}, theme: Theme = plainTheme) => {
  const effects: Effect[] = [];
  const store: Store = createStore({
    initial: sampleState({columns, rows: 24, ...change}),
    readMoment: () => ({nowMs: 10_000, wallMs: serviceStartMs, random: 0.5, tokenExpiresAtMs: undefined}),
    runEffect: effect => effects.push(effect),
  });
  let block: RowBlock | undefined;
  const putRows = (rows: RowBlock | undefined): void => {
    block = rows;
  };
  const app = render(<App store={store} theme={theme} noteKey={() => {}} putRows={putRows} />);
  await vi.waitFor(() => expect(app.stdin.listenerCount('readable')).toBeGreaterThan(0));
  const frame = (): string => {
    const rowsOfInk = app.lastFrame() ?? '';
    const rowCount = rowsOfInk.split('\n').length + (block?.rowIndex === undefined ? 0 : block.rows.length - 1);
    return composeRows(rowsOfInk, block, rowCount).join('\n');
  };
  const text = (): string => frame().replaceAll(/\u001b\[[0-9;]*m/g, '');
  return {
    store,
    effects,
    frame,
    text,
    block: () => block,
    rowsOfInk: (): readonly string[] => (app.lastFrame() ?? '').split('\n'),
    press: (keys: string): void => app.stdin.write(keys),
    shows: (wanted: string | RegExp): Promise<void> => vi.waitFor(() => expect(text()).toMatch(wanted)),
    branchesArrive: (branches = sampleBranches): void =>
      store.dispatch({kind: 'branchesArrived', generation: 1, answer: answer(branches)}),
  };
};

const openBranches = async (theme?: Theme) => {
  const screen = await open({}, theme);
  screen.press('\r');
  await screen.shows('Asking the service');
  screen.branchesArrive();
  await screen.shows('▸ ✗ staging');
  return screen;
};

/** More branches than the screen has rows. */
const openManyBranches = async () => {
  const screen = await open({rows: 10});
  screen.press('\r');
  await screen.shows('Asking the service');
  const [first] = sampleBranches;
  const many = Array.from({length: 20}, (_, index) => ({...first, _id: `b${index}`, name: `branch-${index}`}));
  screen.branchesArrive(many as typeof sampleBranches);
  await screen.shows('▸ ○ branch-0 ');
  return screen;
};

const openLog = async () => {
  const screen = await openBranches();
  screen.press('\r');
  await screen.shows('Asking the service for the log');
  screen.store.dispatch({kind: 'windowArrived', branchId: 'b-staging', generation: 2, answer: windowOf(1, 2, 3)});
  await screen.shows('14:00:03 line 3');
  return screen;
};

describe('the screens', () => {
  test('fill the rows of the terminal exactly', async () => {
    for (const screen of [await open(), await openBranches(), await openLog()]) {
      expect(screen.frame().split('\n')).toHaveLength(24);
    }
  });

  test('Enter twice leads from the sites to the log of the first branch, Esc back, q out', async () => {
    const screen = await openLog();
    screen.press('\u001b');
    await screen.shows('not built out');
    expect(screen.store.state().screen).toBe('branches');
    screen.press('q');
    await vi.waitFor(() => expect(screen.effects.at(-1)).toEqual({kind: 'exit'}));
  });

  test('keys that arrive in one piece are taken one by one', async () => {
    const screen = await open();
    screen.press('jj\r');
    await vi.waitFor(() => expect(screen.store.state().branches?.siteId).toBe('site-3'));
  });

  test('digits do nothing: the list component never sees a key', async () => {
    const screen = await open();
    screen.press('3');
    screen.press('j');
    await screen.shows('▸ shipping');
    expect(screen.store.state().screen).toBe('sites');
    expect(screen.effects).toEqual([]);
  });

  test('letters are text while the filter is open, q among them', async () => {
    const screen = await open();
    screen.press('/');
    screen.press('q?j');
    await screen.shows('/ q?j█');
    expect(screen.effects).toEqual([]);
    screen.press('\u007f\u007f\u007f');
    await screen.shows('/ █');
    screen.press('ship');
    screen.press('\r');
    await vi.waitFor(() => expect(screen.store.state().branches?.siteId).toBe('site-2'));
  });

  test('status is told by glyph and words without colour, and by colour where there is one', async () => {
    const isColoured = /\u001b\[3[0-9]m/;
    expect((await openBranches()).frame()).not.toMatch(isColoured);
    const rows = (await openBranches(sixteenDarkTheme)).frame().split('\n');
    expect(rows.find(row => row.includes('staging'))).toContain('\u001b[1m\u001b[97m\u001b[41m✗');
    expect(rows.find(row => row.includes('hotfix'))).toContain('\u001b[33m◐');
  });

  test('the highlight walks through more branches than fit, and every step is in sight', async () => {
    const screen = await openManyBranches();
    for (let index = 0; index < 20; index++) {
      await screen.shows(new RegExp(`▸ ○ branch-${index} `));
      screen.press('\u001b[B');
    }
    screen.press('g');
    await screen.shows('▸ ○ branch-0 ');
  });

  test('a screen with a list is drawn by Ink, a pane over a log too, and the rows of a log go past it', async () => {
    for (const [screen, height] of [
      [await open(), 24],
      [await openBranches(), 24],
      [await openManyBranches(), 10],
    ] as const) {
      expect(screen.block()).toBeUndefined();
      expect(screen.rowsOfInk()).toHaveLength(height);
    }
    const log = await openLog();
    expect(log.rowsOfInk()).toEqual(['branchlog']);
    expect(log.block()).toMatchObject({rowIndex: 0});
    expect(log.block()?.rows).toHaveLength(24);
    for (const [key, shown] of [
      ['P', /▸.*web-0/],
      [':', / ▸ move up/],
    ] as const) {
      log.press(key);
      await log.shows(shown);
      expect(log.block()).toBeUndefined();
      expect(log.rowsOfInk()).toHaveLength(24);
      log.press('\u001b');
      await log.shows('14:00:03 line 3');
      expect(log.rowsOfInk()).toEqual(['branchlog']);
    }
    log.press('\u001b');
    await log.shows('▸ ✗ staging');
    expect(log.block()).toBeUndefined();
  });

  test('a terminal that is too small gets one line', async () => {
    expect((await open({columns: 10, rows: 3})).text()).toBe('needs 20×5');
  });
});
