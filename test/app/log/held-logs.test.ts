import {describe, expect, test} from 'vitest';
import {ApiError} from '#api/client/api-error.ts';
import {heldLogsMax} from '#app/log/held-logs.ts';
import type {Effect} from '#app/state/effect.ts';
import {
  branchesNamed,
  give,
  linesOf,
  openBranch,
  openEmptyLog,
  openLogWith,
  type Play,
  paneRows,
  refused,
  sampleBranches,
  showScreen,
  stateRow,
  type,
} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

const minute = 60_000;

/** What a listing asks for besides the branches. */
const polls = (effects: readonly Effect[]): readonly Effect[] => effects.filter(({kind}) => kind === 'fetchWindow');

/** The branches are listed after a while; returns what is polled then. */
const list = (play: Play, afterMs: number): readonly Effect[] => {
  play.wait(afterMs);
  play.branchesArrive(sampleBranches.filter(({name}) => name === 'master' || name === 'staging'));
  return polls(play.effects);
};

const heldIds = ({state}: Play): readonly string[] =>
  state.held.map(({log}) => log.sources.map(({branch}) => branch._id).join('+'));

const heldGeneration = ({state}: Play): number => state.held.at(-1)?.generation ?? -1;

describe('a log that was left', () => {
  test('opens as it was left: place, filters, marks, and the lines that only branchlog still holds', () => {
    const play = openLogWith(linesOf(1, 40));
    type(play, 'filterOut', 're:[02468]$');
    answerSearches(play);
    type(play, 'goToTime', '14:00:09');
    type(play, 'markLine', 'here');
    const before = paneRows(play);
    expect(before).toContain('▸9');
    give(play, 'back');
    expect(stateRow(play)).toBe('40 lines held from 14:00:01 on: Enter opens the log as you left it');
    give(play, 'open');
    answerSearches(play);
    expect(paneRows(play)).toEqual(before);
    // The service has only the newest lines by now.
    play.windowArrives(linesOf(38, 45));
    answerSearches(play);
    expect(paneRows(play).slice(0, -1)).toEqual(before.slice(0, -1));
    expect(play.state.log?.sources[0].tail.log.buffer.lineCount).toBe(45);
    expect(play.state.log?.marks.map(({note}) => note)).toEqual(['here']);
    expect(play.state.held).toEqual([]);
  });

  test('is asked for anew when it opens again, and a gap is marked if it fell behind', () => {
    const play = openLogWith(linesOf(1, 40));
    give(play, 'back', 'open');
    expect(polls(play.effects)).toHaveLength(1);
    expect(showScreen(play.state)[0]).toContain('connecting…');
    play.windowArrives(linesOf(90, 99));
    expect(showScreen(play.state)[0]).toContain('1 gap');
    expect(play.state.log?.sources[0].tail.log.buffer.lineCount).toBe(50);
  });

  test('is polled with the lists of branches for ten minutes, then no more', () => {
    const play = openLogWith(linesOf(1, 40));
    give(play, 'back');
    expect(list(play, 50)).toEqual([]);
    const generation = heldGeneration(play);
    const poll = {kind: 'fetchWindow', siteId: 'site-1', branchId: 'b-master', generation};
    expect(list(play, 30_000)).toEqual([poll]);
    play.send({kind: 'windowArrived', branchId: 'b-master', generation, answer: linesOf(20, 55)});
    expect(play.effects).toEqual([]);
    expect(stateRow(play)).toMatch(/^55 lines held from 14:00:01 on/);
    // Pressing keys lists more often; the logs that were left are polled no faster for that.
    expect([list(play, 5000), list(play, 5000), list(play, 5000)]).toEqual([[], [], [poll]]);
    expect(list(play, 9 * minute)).toEqual([poll]);
    expect(list(play, minute)).toEqual([]);
  });

  test('tells with the next key what came while it was left', () => {
    const play = openLogWith(linesOf(1, 40));
    give(play, 'back');
    list(play, 2 * minute);
    give(play, 'open');
    play.windowArrives(linesOf(6, 52, [45]));
    give(play, 'moveUp');
    expect(stateRow(play)).toBe('since you looked away: 12 lines, 1 error; a goes there');
    give(play, 'goToUnseen');
    expect(paneRows(play)).toContain('▸41');
  });

  test('goes on being polled while another log is open, which its lines do not reach', () => {
    const play = openLogWith(linesOf(1, 40));
    give(play, 'back', 'open');
    play.windowArrives(linesOf(1, 41));
    give(play, 'back');
    const generation = heldGeneration(play);
    list(play, 50);
    give(play, 'moveDown', 'open');
    expect(play.state.log?.sources[0].branch._id).toBe('b-staging');
    play.windowArrives(linesOf(5, 6), 'b-staging');
    expect(list(play, 30_000)).toEqual([{kind: 'fetchWindow', siteId: 'site-1', branchId: 'b-master', generation}]);
    play.send({kind: 'windowArrived', branchId: 'b-master', generation, answer: linesOf(1, 50)});
    expect(play.state.log?.sources[0].tail.log.buffer.lineCount).toBe(2);
    expect(play.state.held[0]?.log.sources[0].tail.log.buffer.lineCount).toBe(50);
  });

  test('is left alone as long as the service asked for, and while the branches can not be listed', () => {
    const play = openLogWith(linesOf(1, 40));
    give(play, 'back');
    const generation = heldGeneration(play);
    expect(list(play, 30_000)).toHaveLength(1);
    const error = new ApiError('tooManyRequests', 'too many requests', {retryAfterMs: 2 * minute});
    play.send({kind: 'windowFailed', branchId: 'b-master', generation, error});
    expect(list(play, minute)).toEqual([]);
    expect(list(play, minute)).toHaveLength(1);
    play.wait(minute);
    play.branchesFail();
    expect(polls(play.effects)).toEqual([]);
    expect(play.state.held[0]?.log.sources[0].tail.log.buffer.lineCount).toBe(40);
  });

  test('takes no answer of a place before it, or after it was opened again', () => {
    const play = openLogWith(linesOf(1, 40));
    const {generation} = play.state;
    give(play, 'back', 'open');
    const before = play.state;
    play.send({kind: 'windowArrived', branchId: 'b-master', generation, answer: linesOf(1, 50)});
    play.send({kind: 'windowFailed', branchId: 'b-master', generation, error: refused});
    expect(play.state).toBe(before);
  });

  test('has the changes of its branch where they happened', () => {
    const play = openLogWith(linesOf(1, 120));
    give(play, 'back');
    play.branchesArrive(
      sampleBranches
        .filter(({name}) => name === 'master')
        .map(branch => ({...branch, status: 'DEPLOY_APPLICATION_FAILED'})),
    );
    give(play, 'open');
    expect(paneRows(play).at(-1)).toContain('DEPLOY_APPLICATION_FAILED');
  });

  test('of several branches opens again when the same ones are marked, in any order', () => {
    const play = openEmptyLog(['master', 'staging']);
    play.windowArrives(linesOf(1, 20), 'b-master');
    play.windowArrives(linesOf(21, 40), 'b-staging');
    give(play, 'back', 'back', 'open');
    expect(play.state.log?.sources).toHaveLength(1);
    give(play, 'back');
    expect(heldIds(play)).toHaveLength(1);
    give(play, 'goLast', 'toggleMark', 'moveUp', 'toggleMark', 'open');
    const buffers = play.state.log?.sources.map(({tail}) => tail.log.buffer.lineCount);
    expect(buffers).toEqual([20, 20]);
  });

  test('without lines is not held; nor is any in another context', () => {
    const empty = openEmptyLog();
    give(empty, 'back');
    expect(empty.state.held).toEqual([]);
    const label = (name: string) => ({label: {name, host: 'api.example.com'}, sites: []});
    const play = openBranch({contexts: [label('production'), label('test')]}, sampleBranches);
    play.windowArrives(linesOf(1, 40));
    give(play, 'back', 'back');
    expect(play.state.held).toHaveLength(1);
    give(play, 'nextContext');
    expect(play.state.held).toEqual([]);
  });
});

describe('the logs that are held', () => {
  test('are so many at the most; the one left first goes first', () => {
    const play = openLogWith(linesOf(1, 3));
    for (let count = 0; count < heldLogsMax; count++) {
      give(play, 'back');
      const [first] = play.state.held;
      play.branchesArrive(sampleBranches.slice(1, 2).map(branch => ({...branch, _id: `b-${count}`})));
      give(play, 'open');
      play.windowArrives(linesOf(1, 3), `b-${count}`);
      expect(play.state.held[0]).toEqual(first);
    }
    expect(heldIds(play)[0]).toBe('b-master');
    give(play, 'back');
    expect(heldIds(play)).toHaveLength(heldLogsMax);
    expect(heldIds(play)[0]).toBe('b-0');
  });

  test('share the bound of one log with the open one, and give up their oldest lines for it', () => {
    const play = openLogWith(linesOf(1, 400), 60_000);
    const bytes = (): number =>
      [...play.state.held.map(({log}) => log), ...(play.state.log === undefined ? [] : [play.state.log])]
        .flatMap(({sources}) => sources.map(({tail}) => tail.log.buffer.bytes))
        .reduce((sum, each) => sum + each, 0);
    give(play, 'back');
    play.branchesArrive(branchesNamed('staging'));
    give(play, 'open');
    play.windowArrives(linesOf(1, 300), 'b-staging');
    expect(bytes()).toBeLessThanOrEqual(60_000);
    const held = play.state.held[0]?.log.sources[0].tail.log.buffer;
    expect(held?.lineCount).toBeGreaterThan(100);
    expect(held?.newestLine?.raw).toContain('line 400');
    expect((held?.evictedLines ?? 0) + (held?.lineCount ?? 0)).toBe(400);
    play.windowArrives(linesOf(1, 900), 'b-staging');
    expect(bytes()).toBeLessThanOrEqual(60_000);
  });
});
