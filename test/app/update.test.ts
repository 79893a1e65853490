import {describe, expect, test} from 'vitest';
import {
  answer,
  give,
  onBranches,
  paneOf,
  sampleBranches,
  sampleState,
  showScreen,
  startAt,
  windowOf,
} from '../support/play.ts';

/** The log of master, with lines 1 to 30 in the window. */
const onLog = () => {
  const play = onBranches();
  give(play, 'open');
  play.windowArrives(windowOf(...Array.from({length: 30}, (_, index) => index + 1)));
  return play;
};

describe('log', () => {
  test('is asked for at once, and again only after the answer', () => {
    const play = onBranches();
    give(play, 'open');
    expect(play.effects).toEqual([
      {kind: 'cancel'},
      {kind: 'fetchWindow', siteId: 'site-1', branchId: 'b-master', generation: 2},
      // The branches beside it.
      {kind: 'refreshAfter', delayMs: 30_000, generation: 2},
    ]);
    play.windowArrives(windowOf(1, 2, 3));
    expect(play.effects).toEqual([{kind: 'pollAfter', branchId: 'b-master', delayMs: 250, generation: 2}]);
    play.send({kind: 'pollDue', branchId: 'b-master', generation: 2});
    expect(play.effects.at(-1)).toEqual({kind: 'fetchWindow', siteId: 'site-1', branchId: 'b-master', generation: 2});
  });

  test('shows the newest lines and follows', () => {
    const play = onLog();
    expect(paneOf(play).at(-1)).toContain('14:00:30 line 30');
    play.windowArrives(windowOf(28, 29, 30, 31));
    expect(paneOf(play).at(-1)).toContain('line 31');
    expect(showScreen(play.state).at(-2)).toContain('following');
  });

  test('scrolling up stops following, and nothing moves under the reader', () => {
    const play = onLog();
    give(play, 'moveUp');
    const before = paneOf(play);
    play.windowArrives(windowOf(25, 26, 27, 28, 29, 30, 31, 32, 33));
    expect(paneOf(play)).toEqual(before);
    expect(showScreen(play.state).at(-2)).toContain('4 newer below');
    give(play, 'goLast');
    expect(paneOf(play).at(-1)).toContain('line 33');
  });

  test('a late line goes to its place, marked, and the top row stays', () => {
    const play = onLog();
    give(play, 'moveUp');
    const top = paneOf(play)[0];
    play.windowArrives({
      ...windowOf(),
      value: {
        ...windowOf().value,
        lines: [
          '2026-11-21T14:00:28.000000000Z line 28',
          '2026-11-21T14:00:28.500000000Z late line',
          '2026-11-21T14:00:29.000000000Z line 29',
          '2026-11-21T14:00:30.000000000Z line 30',
        ],
      },
    });
    // With it, the time column has fractions.
    expect(paneOf(play)[0]).toBe(top?.replace(' line', '.000 line'));
    expect(paneOf(play).at(-1)).toContain('14:00:28.500 late late line');
  });

  test('a gap stands between the lines it separates', () => {
    const play = onLog();
    play.windowArrives(windowOf(...Array.from({length: 30}, (_, index) => 40 + index)));
    give(play, 'previousGap');
    const rows = paneOf(play);
    expect(
      rows
        .slice(rows.findIndex(row => row.includes('gap')) - 1)
        .slice(0, 4)
        .map(row => row.replace(/─+$/, '').trim()),
    ).toEqual([
      '14:00:30 line 30',
      '▸── possible gap, 14:00:29.000 to 14:01:09.000: the window moved on',
      '14:00:40 line 40',
      '14:00:41 line 41',
    ]);
    expect(showScreen(play.state)[0]).toContain('1 gap, joined since 14:01:09');
  });

  test('a failed poll changes no line; the header says since when, the state line what and when next', () => {
    const play = onLog();
    const before = paneOf(play);
    play.wait(2000);
    play.windowFails();
    expect(paneOf(play)).toEqual(before);
    expect(showScreen(play.state)[0]).toContain('failing since 14:02:12   last good 14:02:10');
    expect(showScreen(play.state).at(-2)).toContain(
      '! api.example.com:443 refused   next try at 14:02:12   r tries now',
    );
    give(play, 'tryNow');
    expect(play.effects).toContainEqual({
      kind: 'fetchWindow',
      siteId: 'site-1',
      branchId: 'b-master',
      generation: 2,
      isPressed: true,
    });
  });

  test('an answer for a branch that was left is dropped', () => {
    const play = onLog();
    give(play, 'back', 'moveDown', 'open');
    const {state} = play;
    play.send({kind: 'windowArrived', branchId: 'b-master', generation: 2, answer: windowOf(1, 2, 3)});
    expect(play.state.log).toBe(state.log);
    expect(play.effects).toEqual([]);
  });

  test('an empty log says that lines will appear', () => {
    const play = onBranches();
    give(play, 'open');
    play.windowArrives(windowOf());
    expect(showScreen(play.state).join('\n')).toContain('The log has no lines yet');
  });
});

describe('everywhere', () => {
  test('the clock of the service is followed from two seconds on: less is how it is rounded', () => {
    const play = startAt(sampleState());
    give(play, 'open');
    const offset = play.state.clockOffsetMs;
    const arriveAt = (serviceTimeMs: number): void =>
      play.send({
        kind: 'branchesArrived',
        generation: play.state.generation,
        answer: {...answer(sampleBranches), serviceTimeMs},
      });
    arriveAt(offset + play.state.nowMs + 2000);
    expect(play.state.clockOffsetMs).toBe(offset);
    arriveAt(offset + play.state.nowMs - 2000);
    expect(play.state.clockOffsetMs).toBe(offset);
    arriveAt(offset + play.state.nowMs + 2001);
    expect(play.state.clockOffsetMs).toBe(offset + 2001);
    arriveAt(offset + play.state.nowMs - 60_000);
    expect(play.state.clockOffsetMs).toBe(offset - 60_000);
  });

  test('help shows the keys of the screen it is asked on, and goes away with the next command', () => {
    const play = onLog();
    give(play, 'toggleHelp');
    expect(showScreen(play.state).join('\n')).toContain('pause or resume following');
    expect(showScreen(play.state).at(-1)?.trim()).toBe('? close   ↑↓ scroll   / search');
    give(play, 'back');
    expect(play.state.screen).toBe('log');
    expect(play.state.focus.kind).toBe('screen');
  });

  test('below 20×5 there is one line that says so', () => {
    expect(showScreen(sampleState({columns: 19, rows: 5}))).toEqual(['needs 20×5, is 19×5']);
    expect(showScreen(sampleState({columns: 80, rows: 4}))).toEqual(['needs 20×5, is 80×4']);
  });

  test('no row is wider than the screen, at any size', () => {
    for (const play of [startAt(sampleState()), onBranches(), onLog()]) {
      for (const columns of [20, 21, 39, 40, 41, 60, 79, 80, 99, 100, 101, 200]) {
        for (const rows of [5, 6, 10, 24, 60]) {
          const screen = showScreen({...play.state, columns, rows});
          expect(Math.max(...screen.map(row => [...row].length))).toBeLessThanOrEqual(columns);
          expect(screen.length).toBeLessThanOrEqual(rows);
        }
      }
    }
  });

  test('quitting cancels what is under way', () => {
    const play = onLog();
    give(play, 'quit');
    expect(play.effects).toEqual([{kind: 'cancel'}, {kind: 'exit'}]);
  });
});

test('a key that does nothing says so once on each screen', () => {
  const play = startAt(sampleState());
  const told = (): string | undefined => {
    play.send({kind: 'keyUnused', key: 'J'});
    const {notice} = play.state;
    give(play, 'repaint');
    return notice;
  };
  expect(told()).toBe('J does nothing here · ? help');
  expect(told()).toBeUndefined();
  give(play, 'open');
  expect(told()).toBe('J does nothing here · ? help');
});
