import {PassThrough} from 'node:stream';
import {afterEach, expect, test} from 'vitest';
import {selectView} from '#app/select-view.ts';
import type {State} from '#app/state/state.ts';
import {columnsMin, rowsMin} from '#app/state/step.ts';
import {createStore} from '#app/store.ts';
import {type DrawnApp, drawApp} from '#ui/draw-app.tsx';
import {paintScreen} from '#ui/paint-screen.ts';
import {colourTheme, darkTheme, highContrastLightTheme, plainTheme, type Theme} from '#ui/theme.ts';
import {hostileTexts} from '../log/hostile-text.ts';
import {give, refused, sampleBranches, sampleState, serviceStartMs, startAt, windowOf} from '../support/play.ts';
import {createStage, type Stage} from '../terminal/stage.ts';

let apps: DrawnApp[] = [];
afterEach(() => {
  for (const app of apps) {
    app.unmount();
  }
  apps = [];
});

const names = [
  ...Object.values(hostileTexts),
  '漢字かな交じり文'.repeat(20),
  '👩‍👩‍👧 e\u0301 ﷽ \u200b.',
  'क्षत्रिय क्ष्म',
  ...Array.from({length: 60}, (_, index) => `site ${index}`),
];
const sites = names.map((name, index) => ({id: `site-${index}`, name, openedAtMs: index % 2 === 0 ? 5000 : undefined}));

/** First screens, and what may come before Ink is there or stays after it. */
const states: Readonly<Record<string, (size: Partial<State>) => State>> = {
  'the sites': sampleState,
  'sites with all that a name may hold': size => sampleState({...size, sites}),
  'the last of many sites': size =>
    sampleState({...size, sites, sitePicker: {selectedId: sites.at(-1)?.id, filter: ''}}),
  'a filter that hides all sites': size => sampleState({...size, sitePicker: {selectedId: undefined, filter: 'xyz'}}),
  'no sites, and a notice': size => sampleState({...size, sites: [], notice: `漢 \u001b[2J ${'long '.repeat(60)}`}),
  'the branches, asked for': size => openBranches(size).state,
  'the branches with a record': size => withBranches(size).state,
  'branches with all that a name may hold, and a record beside them': size => {
    const play = openBranches(size);
    const [first] = sampleBranches;
    play.branchesArrive(names.flatMap((name, index) => (first ? [{...first, _id: `b-${index}`, name}] : [])));
    return play.state;
  },
  'the branches, refused': size => {
    const play = openBranches(size);
    play.branchesFail();
    return play.state;
  },
  'a log, asked for': size => openLog(size).state,
  'a log with lines': size => {
    const play = openLog(size);
    play.windowArrives(windowOf(1, 2, 3));
    return play.state;
  },
  'a log, refused': size => {
    const play = openLog(size);
    play.windowFails(refused);
    return play.state;
  },
  ...Object.fromEntries(
    (
      [
        'togglePods',
        'toggleSources',
        'toggleFilterList',
        'chooseColumns',
        'toggleSummary',
        'toggleIncident',
        'toggleInspector',
        'openPalette',
      ] as const
    ).map(command => [
      `over a log, ${command}`,
      (size: Partial<State>): State => {
        const play = openLog(size);
        play.windowArrives(windowOf(1, 2, 3));
        give(play, command);
        return play.state;
      },
    ]),
  ),
  'the help': size => {
    const play = startAt(sampleState(size));
    play.send({kind: 'commandGiven', command: 'toggleHelp'});
    return play.state;
  },
};

const openBranches = (size: Partial<State>) => {
  const play = startAt(sampleState(size));
  play.send({kind: 'commandGiven', command: 'open'});
  return play;
};

const withBranches = (size: Partial<State>) => {
  const play = openBranches(size);
  play.branchesArrive();
  return play;
};

const openLog = (size: Partial<State>) => {
  const play = withBranches(size);
  play.send({kind: 'commandGiven', command: 'open'});
  return play;
};

const sizes: readonly (readonly [columns: number, rows: number])[] = [
  [80, 24],
  [200, 50],
  [100, 30],
  [40, 10],
  [columnsMin, rowsMin],
  [columnsMin - 1, rowsMin],
  [12, 3],
  [1, 1],
];

const themes: readonly Theme[] = [plainTheme, colourTheme, darkTheme, highContrastLightTheme];

const enter = async ({columns, rows}: State): Promise<Stage> => {
  const stage = createStage();
  stage.screen.enter();
  Object.assign(stage.terminal, {columns, rows});
  stage.terminal.emit('resize');
  await stage.clock.moveOn(100);
  expect(stage.screen.size).toEqual({columns, rows});
  return stage;
};

/** Returns what was written since the last call. */
const written = async ({terminal, clock}: Stage): Promise<string> => {
  for (let turn = 0; turn < 3; turn += 1) {
    await clock.moveOn(100);
  }
  return terminal.writes.splice(0).join('');
};

const paint = ({screen}: Stage, state: State, theme: Theme): void => {
  const {frame, block} = paintScreen(selectView(state), theme);
  screen.putRows(block);
  screen.stream.write(frame);
};

const draw = ({screen}: Stage, state: State, theme: Theme): void => {
  const store = createStore({
    initial: state,
    readMoment: () => ({nowMs: 10_000, wallMs: serviceStartMs, random: 0.5, tokenExpiresAtMs: undefined}),
    runEffect: () => {},
  });
  const keys = Object.assign(new PassThrough(), {isTTY: true, setRawMode: () => {}, ref: () => {}, unref: () => {}});
  const stdin = keys as unknown as NodeJS.ReadStream;
  apps.push(drawApp({store, theme, noteKey: () => {}, putRows: screen.putRows}, {stdout: screen.stream, stdin}));
};

/** Ink reports pasted text in brackets from now on, in no particular order with its first frame. */
const withoutPasteBrackets = (bytes: string): string => bytes.replaceAll('\u001b[?2004h', '');

test.each(Object.keys(states))(
  '%s: the rows painted before Ink are those that Ink draws, byte for byte',
  async name => {
    for (const [index, [columns, rows]] of sizes.entries()) {
      const state = states[name]?.({columns, rows}) ?? sampleState();
      const theme = themes[(index + Object.keys(states).indexOf(name)) % themes.length] ?? plainTheme;
      const [painted, drawn] = [await enter(state), await enter(state)];
      paint(painted, state, theme);
      draw(drawn, state, theme);
      const bytes = await written(painted);
      expect(bytes.length).toBeGreaterThan(columns);
      expect(bytes, `${columns}×${rows}`).toBe(withoutPasteBrackets(await written(drawn)));
      draw(painted, state, theme);
      expect(withoutPasteBrackets(await written(painted)), `${columns}×${rows}`).toBe('');
    }
  },
);
