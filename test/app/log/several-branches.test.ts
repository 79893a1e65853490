import {describe, expect, test} from 'vitest';
import {selectView} from '#app/select-view.ts';
import {give, type Play, paneOf, sampleState, showScreen, startAt, windowOf} from '../../support/play.ts';

const onBranches = (change = {}): Play => {
  const play = startAt(sampleState(change));
  give(play, 'open');
  play.branchesArrive();
  return play;
};

/** The logs of master and staging, nothing answered yet. */
const onTwo = (change = {}): Play => {
  const play = onBranches(change);
  give(play, 'toggleMark', 'moveDown', 'toggleMark', 'open');
  return play;
};

/** Without the rule above the oldest line of each. */
const linesOf = (play: Play): readonly string[] => paneOf(play).filter(row => !row.includes('nothing older'));
const headerOf = (play: Play): string => showScreen(play.state)[0] ?? '';
const stateRowOf = (play: Play): string => showScreen(play.state).at(-2) ?? '';
const seconds = (first: number, last: number, step = 1): readonly number[] =>
  Array.from({length: Math.floor((last - first) / step) + 1}, (_, index) => first + index * step);
describe('one log of several branches', () => {
  test('each is asked for at once, and again on its own', () => {
    const play = onTwo();
    const ask = (branchId: string) => ({kind: 'fetchWindow', siteId: 'site-1', branchId, generation: 2});
    expect(play.effects.slice(0, 3)).toEqual([{kind: 'cancel'}, ask('b-master'), ask('b-staging')]);
    play.windowArrives(windowOf(1, 2), 'b-staging');
    expect(play.effects).toEqual([{kind: 'pollAfter', branchId: 'b-staging', delayMs: 250, generation: 2}]);
    play.send({kind: 'pollDue', branchId: 'b-staging', generation: 2});
    expect(play.effects).toEqual([ask('b-staging')]);
    give(play, 'tryNow');
    const pressed = (branchId: string) => ({...ask(branchId), isPressed: true});
    expect(play.effects).toEqual([pressed('b-master'), pressed('b-staging')]);
    play.send({kind: 'pollDue', branchId: 'b-hotfix', generation: 2});
    expect(play.effects).toEqual([]);
  });

  test('they share the bound on what is held', () => {
    expect(onTwo().state.log?.sources.map(({tail}) => tail.log.buffer.bytesMax)).toEqual([500_000, 500_000]);
  });

  test('lines stand by timestamp with a short name each; at one time in the order of marking', () => {
    const play = onTwo();
    play.windowArrives(windowOf(2, 3, 5), 'b-staging');
    play.windowArrives(windowOf(1, 3, 4), 'b-master');
    expect(linesOf(play)).toEqual([
      '   14:00:01 master  line 1',
      '   14:00:02 staging line 2',
      '   14:00:03 master  line 3',
      '   14:00:03 staging line 3',
      '   14:00:04 master  line 4',
      '   14:00:05 staging line 5',
    ]);
    expect(headerOf(play)).toBe(' shop › master, staging   live   joined since 14:00:02     quiet since 14:00:05');
  });

  test('each short name has a tone of its own, and the text none', () => {
    const play = onTwo();
    play.windowArrives(windowOf(1), 'b-master');
    play.windowArrives(windowOf(2), 'b-staging');
    const view = selectView(play.state);
    const rows = 'tooSmall' in view || view.pane.kind !== 'rows' ? [] : view.pane.rows;
    const lines = rows.filter(row => row[3]?.tone.startsWith('branch'));
    expect(lines.map(row => row.slice(3, 5).map(({text, tone}) => `${tone}: ${text}`))).toEqual([
      ['branch1: master  ', 'plain: line 1'],
      ['branch2: staging ', 'plain: line 2'],
    ]);
  });

  test('an answer of the wrong place is dropped, and none goes to another branch', () => {
    const play = onTwo();
    const before = play.state.log;
    play.send({kind: 'windowArrived', branchId: 'b-hotfix', generation: 2, answer: windowOf(1)});
    play.send({kind: 'windowArrived', branchId: 'b-master', generation: 1, answer: windowOf(1)});
    expect(play.state.log).toBe(before);
    play.windowArrives(windowOf(1), 'b-staging');
    expect(play.state.log?.sources.map(({tail}) => tail.log.buffer.lineCount)).toEqual([0, 1]);
  });

  test('the header says since when all are joined only once all are, and else whose gaps there are', () => {
    const play = onTwo({columns: 120});
    play.windowArrives(windowOf(...seconds(1, 20)), 'b-master');
    expect(headerOf(play)).not.toContain('joined');
    play.windowArrives(windowOf(...seconds(5, 20)), 'b-staging');
    expect(headerOf(play)).toContain('joined since 14:00:05');
    play.windowArrives(windowOf(...seconds(40, 55)), 'b-staging');
    expect(headerOf(play)).toContain('1 gap in staging');
    expect(headerOf(play)).not.toContain('joined');
    expect(paneOf(play).find(row => row.includes('gap'))).toMatch(
      /^ ── staging: possible gap, 14:00:19\.000 to 14:00:55\.000: the window moved on ─+$/,
    );
    play.windowArrives(windowOf(...seconds(40, 55)), 'b-master');
    expect(headerOf(play)).toContain('2 gaps in master, staging');
  });

  test('the worst connection is told, with its branch; the others go on', () => {
    const play = onTwo();
    expect(headerOf(play)).toContain('connecting…');
    play.windowArrives(windowOf(1, 2), 'b-master');
    expect(headerOf(play)).toContain('staging connecting…');
    play.windowFails(undefined, 'b-staging');
    expect(headerOf(play)).toBe(' shop › master, staging   staging failing since 14:02:10   quiet since 14:00:02');
    expect(stateRowOf(play)).toContain('! staging: api.example.com:443 refused   next try at 14:02:10');
    play.windowArrives(windowOf(1, 2, 3), 'b-master');
    expect(linesOf(play)).toEqual([
      '   14:00:01 master  line 1',
      '   14:00:02 master  line 2',
      '   14:00:03 master  line 3',
    ]);
    play.wait(1000);
    play.windowFails(undefined, 'b-master');
    expect(stateRowOf(play)).toContain('! staging (and 1 more): api.example.com:443 refused');
    play.windowArrives(windowOf(1), 'b-staging');
    expect(headerOf(play)).toContain('master failing since 14:02:11   last good 14:02:10');
  });

  test('scrolled up, the top row stays whichever branch gets lines, and what is below is counted over all', () => {
    const play = onTwo({rows: 10});
    play.windowArrives(windowOf(...seconds(1, 30)), 'b-master');
    play.windowArrives(windowOf(...seconds(1, 30)), 'b-staging');
    give(play, 'pageUp', 'pageUp');
    const before = paneOf(play);
    expect(before[0]).toBe('   14:00:23 master  line 23');
    play.windowArrives(windowOf(...seconds(20, 40)), 'b-staging');
    play.windowArrives(windowOf(...seconds(20, 35)), 'b-master');
    expect(paneOf(play)).toEqual(before);
    expect(stateRowOf(play)).toContain('paused at 14:00:23   25 newer below');
    give(play, 'moveDown');
    expect(paneOf(play)[0]).toBe('   14:00:23 staging line 23');
    give(play, 'goLast');
    expect(paneOf(play).at(-1)).toBe('   14:00:40 staging line 40');
  });

  test('of more than two the others are counted, and of what does not fit', () => {
    const play = onBranches();
    give(play, 'toggleMark', 'moveDown', 'toggleMark', 'moveDown', 'toggleMark', 'open');
    play.windowArrives(windowOf(1));
    expect(headerOf(play)).toContain(' shop › master, staging +1   ');
    play.send({kind: 'resized', columns: 40, rows: 10});
    expect(headerOf(play)).toBe(' shop › master +2   staging connecting…');
  });

  test('Esc leads back to the marks as they were', () => {
    const play = onTwo();
    give(play, 'back');
    expect(play.effects[0]).toEqual({kind: 'cancel'});
    expect(headerOf(play)).toContain('2 marked');
  });

  test('no row is wider than the screen, at any size', () => {
    const play = onTwo();
    play.windowArrives(windowOf(1, 2), 'b-master');
    play.windowArrives(windowOf(...seconds(40, 55)), 'b-staging');
    play.windowFails(undefined, 'b-staging');
    for (const columns of [20, 21, 39, 40, 60, 80, 100, 200]) {
      for (const rows of [5, 10, 24]) {
        const screen = showScreen({...play.state, columns, rows});
        expect(Math.max(...screen.map(row => [...row].length))).toBeLessThanOrEqual(columns);
        expect(screen.length).toBeLessThanOrEqual(rows);
      }
    }
  });
});
