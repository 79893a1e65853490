import {describe, expect, test} from 'vitest';
import {keepMatching} from '#app/log/keep-matching.ts';
import {selectLogHeader} from '#app/log/select-log-header.ts';
import {selectLogState} from '#app/log/select-log-state.ts';
import {selectLogView} from '#app/log/select-log-view.ts';
import {updateLog} from '#app/log/update-log.ts';
import type {ViewRow} from '#app/rows/view-row.ts';
import type {LogState, State} from '#app/state/state.ts';
import {next} from '#app/state/step.ts';
import type {Tail} from '#app/tail/tail.ts';
import {give, linesOf, logOf, openEmptyLog, openLogWith, type Play, refused, textOf, type} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

const wide: Partial<State> = {columns: 200, rows: 24};
const play = openLogWith(linesOf(1, 100, [50, 60]));
const log = logOf(play);
const state: State = {...play.state, ...wide};

const withTail = (of: LogState, change: (tail: Tail) => Partial<Tail>): LogState => {
  const [{branch, tail, ...rest}, ...others] = of.sources;
  return {...of, sources: [{...rest, branch, tail: {...tail, ...change(tail)}}, ...others]};
};
const withBuffer = (change: Partial<Tail['log']['buffer']>): LogState =>
  withTail(log, tail => ({log: {...tail.log, buffer: {...tail.log.buffer, ...change}}}));

/** The words of a row, and those of one tone. */
const words = (row: ViewRow): string => textOf(row).trim();
const stateWords = (change: Partial<LogState>, of: Partial<State> = {}): string =>
  words(selectLogState({...state, ...of}, {...log, ...change}));
const toned = (row: ViewRow, tone: string): string =>
  row
    .filter(each => each.tone === tone)
    .map(({text}) => text)
    .join('');

describe('the row of the state', () => {
  test('says what is searched and how far, in a unit that fits', () => {
    const scan = (progress?: {name: string; doneBytes: number; allBytes: number}): string =>
      stateWords({scan: {patternId: 1, direction: 'earlier', progress} as never});
    expect(scan()).toMatch(/^searching +\S+ cancels$/);
    const of = (doneBytes: number, allBytes: number): string | undefined =>
      / {3,}(.*?[MG]B)/.exec(scan({name: 'a.log', doneBytes, allBytes}))?.[1]?.trim();
    expect(scan({name: 'a.log', doneBytes: 1, allBytes: 2})).toMatch(/^searching a\.log /);
    expect([of(4.2e9, 10e9), of(5e8, 1e9), of(5e6, 999_000_000), of(0, 1_500_000)]).toEqual([
      '4.2 of 10 GB',
      '0.5 of 1 GB',
      '5 of 999 MB',
      '0 of 1.5 MB',
    ]);
  });

  test('says how much of a file is saved', () => {
    const saving = {kind: 'writing', share: 0.559, path: '/tmp/a.log'} as never;
    expect(stateWords({saving})).toMatch(/^saving 55 % +\/tmp\/a\.log +\S+ cancels$/);
    expect(stateWords({saving}, {notice: 'a notice'})).toBe('a notice');
  });

  test('counts what left the buffer or came too late for it', () => {
    const row = (change: Parameters<typeof withBuffer>[0]): string => words(selectLogState(state, withBuffer(change)));
    expect(row({evictedLines: 0, tooLateLines: 0})).toBe('following');
    expect(row({evictedLines: 1})).toBe('following   1 older line left the buffer');
    expect(row({evictedLines: 2})).toContain('2 older lines left');
    expect(row({tooLateLines: 1})).toBe('following   1 line too late for the buffer');
    expect(row({tooLateLines: 3})).toContain('3 lines too late');
  });

  test('names how rows are drawn, where that is not as usual', () => {
    const look = (change: Partial<LogState['look']>): string => stateWords({look: {...log.look, ...change}});
    expect(look({})).toBe('following');
    expect(look({rows: 'received'})).toBe('following   as received');
    expect(look({rows: 'escaped', wraps: true})).toBe('following   escaped, wrapped');
    expect(look({cellsLeft: 1})).toBe('following   from column 2');
    const columns = [{name: 'a', columns: 5}];
    expect(look({columns})).toBe('following   1 column');
    expect(look({columns, rows: 'received'})).toBe('following   as received');
    expect(
      words(
        selectLogState(
          {...state, logSettings: {...state.logSettings, rows: 'received'}},
          {...log, look: {...log.look, columns}},
        ),
      ),
    ).toBe('following   laid out, 1 column');
  });

  test('says when answers come late, slowly, or not any more', () => {
    const at = {kind: 'live', lastGoodAtMs: 10_000, nextPollAtMs: 12_000} as const;
    const with_ = (connection: Tail['connection']): ViewRow =>
      selectLogState(
        state,
        withTail(log, () => ({connection})),
      );
    expect(words(with_({...at, slowedToMs: undefined}))).toBe('following');
    expect(words(with_({...at, slowedToMs: 8000}))).toBe('following, next poll at 14:02:12');
    expect(toned(with_({...at, slowedToMs: 8000}), 'good')).toBe('following');
    expect(words(with_({kind: 'ended', lastGoodAtMs: 1}))).toBe('at the last line');
    expect(words(with_({kind: 'connecting'}))).toBe('waiting for an answer');
    expect(words(with_({...at, nextPollAtMs: -60_000, slowedToMs: undefined}))).toBe(
      'waiting for an answer since 14:01:00',
    );
  });

  test('counts what is below a pause, and the errors among it', () => {
    const paused = openLogWith(linesOf(1, 100, [50, 60]));
    give(paused, 'goFirst');
    const row = (of: LogState): string => words(selectLogState({...paused.state, columns: 200}, of));
    expect(row(logOf(paused))).toMatch(/^paused at 14:00:01 {3}96 newer below {3}2 errors among them +\S+ follows$/);
    expect(row({...logOf(paused), newest: logOf(paused).sources[0].branch})).toContain('   96 below, then more   ');
    give(paused, 'goLast', 'moveUp');
    expect(row(logOf(paused))).toMatch(/^paused at 14:01:35 {3}1 newer below +\S+ follows$/);
    give(paused, 'goLast', 'togglePause');
    expect(row(logOf(paused))).toMatch(/^paused at 14:01:36 +\S+ follows$/);
    expect(row({...logOf(paused), newest: logOf(paused).sources[0].branch})).toContain('0 below, then more');
  });

  test('of several branches that fail, names one and counts the others', () => {
    const several = openEmptyLog(['master', 'staging', 'hotfix/cart']);
    const row = (): string => words(selectLogState({...several.state, columns: 200}, logOf(several)));
    const ids = logOf(several).sources.map(({branch}) => branch._id);
    several.windowFails(refused, ids[0]);
    expect(row()).toMatch(/^! \S+: api\.example/);
    several.windowFails(refused, ids[1]);
    expect(row()).toMatch(/^! \S+ \(and 1 more\): api\.example/);
  });
});

describe('the header', () => {
  const header = (of: LogState, change: Partial<State> = {}): string =>
    words(selectLogHeader({...state, ...change}, of));

  test('counts pods once there was an answer, unless nothing has any', () => {
    const pods = (count: number): LogState =>
      withTail(log, tail => ({
        pods: Array.from({length: count}, () => tail.pods[0] ?? expect.fail()),
        log: {...tail.log, pods: Array.from({length: count}, () => tail.log.pods[0] ?? expect.fail())},
      }));
    expect(header(pods(1))).toContain('   1 pod   ');
    expect(header(pods(2))).toContain('   2 pods   ');
    expect(header(pods(2), {context: {name: 'a', host: 'b', parts: 'none'}})).not.toContain('pod');
    expect(header(logOf(openEmptyLog()))).not.toContain('pod');
  });

  test('has the lines of the last minute, and since when it is quiet', () => {
    const at = (nowMs: number): string => header(log, {nowMs});
    // The newest line is of 14:01:40.
    expect(at(10_000)).toMatch(/ 60 lines\/min$/);
    expect(at(40_000)).toMatch(/ 60 lines\/min$/);
    expect(at(40_001)).toMatch(/ quiet since 14:01:40$/);
    expect(at(3_579_999)).toMatch(/ quiet since 14:01:40$/);
    expect(at(3_580_000)).toMatch(/ quiet since 14:01:40, 1 h$/);
    const arrived = withTail(log, () => ({lastNewLineAtMs: 100_000}));
    expect(header(arrived, {nowMs: 160_000})).toContain('lines/min');
    expect(header(arrived, {nowMs: 160_001})).toContain('quiet since');
  });

  test('says which part of a log that was not read to its end is whole', () => {
    const toEnd = withTail(log, tail => ({
      log: {...tail.log, heldTo: {at: 1_795_269_700_000_000_000n, why: 'unread'}},
    }));
    expect(header(toEnd)).toMatch(/ joined 14:\d\d:\d\d to 1/);
    expect(header(log)).toMatch(/ joined since 14:/);
    expect(header(withTail(log, tail => ({log: {...tail.log, gapCount: 2}})))).toMatch(/ 2 gaps, joined since 14:/);
    expect(header({...log, newest: log.sources[0].branch})).toContain('   part   ');
    expect(header(log)).not.toContain('   part   ');
  });

  test('leaves half of the row at most to why pods cannot be read, but at least 24 cells', () => {
    const unreadable = {pods: 2, of: 4, why: 'because '.repeat(40), isBlind: false} as never;
    const blind = withTail(log, () => ({unreadable}));
    const cells = (columns: number): number =>
      toned(selectLogHeader({...state, columns}, blind), 'bad').trimEnd().length;
    expect(cells(200)).toBeGreaterThan(90);
    expect(cells(200)).toBeLessThanOrEqual(100);
    expect(cells(40)).toBeLessThanOrEqual(24);
    expect(header(blind)).toContain('2 of 4 pods unreadable: because');
  });
});

describe('the pane', () => {
  const rows = (of: LogState, change: Partial<State> = {}): string => {
    const {pane} = selectLogView({...state, ...change}, of);
    return pane.kind === 'rows' ? pane.rows.map(words).join('\n') : expect.fail();
  };

  test('says what hides every line', () => {
    const hides = (
      change: Partial<LogState>,
      texts: readonly string[] = [],
      some = openLogWith(linesOf(1, 3)),
    ): string => {
      for (const text of texts) {
        type(some, 'filterIn', text);
        answerSearches(some);
      }
      // Filters are made after each step.
      const of = keepMatching(some.state, next({...some.state, log: {...logOf(some), ...change}})).state;
      return /.*hides?.*/.exec(rows(of.log ?? expect.fail()))?.[0] ?? '';
    };
    const sourcePick = {kind: 'only', names: [{pod: 'other'}]} as const;
    const range = {to: 1n};
    expect(hides({range})).toBe('The range of time hides all 3 lines.');
    expect(hides({range}, [], openLogWith(linesOf(1, 1)))).toBe('The range of time hides the only line.');
    expect(hides({sourcePick})).toBe('The choice of sources hides all 3 lines.');
    expect(hides({minimumLevel: 'error'})).toBe('The minimum level error hides all 3 lines.');
    expect(hides({minimumLevel: 'error', range})).toBe('The filters hide all 3 lines.');
    expect(hides({}, ['none'])).toBe('The filter hides all 3 lines.');
    expect(hides({}, ['none', 'nothing'])).toBe('The filters hide all 3 lines.');
    expect(hides({}, ['line'])).toBe('');
  });

  test('of an empty log says why there may be no lines', () => {
    const empty = openEmptyLog();
    const live = {kind: 'live', lastGoodAtMs: 10_000, nextPollAtMs: 12_000, slowedToMs: undefined} as const;
    const with_ = (connection: Tail['connection'], change: Partial<State> = {}): string =>
      rows(
        withTail(logOf(empty), () => ({connection})),
        change,
      ).trim();
    const file = {context: {name: 'a', host: 'b', parts: 'none'}} as const;
    expect(with_({kind: 'connecting'})).toBe('Asking the service for the log…');
    expect(with_({kind: 'connecting'}, file)).toBe('Reading the log…');
    expect(with_(live, file)).toBe('The log has no lines yet. New lines appear here.');
    expect(with_(live)).toMatch(
      /^The log has no lines yet\. New lines appear here\.\nThe branch is: .*\. No pods are live\.$/,
    );
    expect(with_({kind: 'ended', lastGoodAtMs: 1})).toBe('The recording has no lines for this log.');
  });

  test('has hints for errors and their sum, once there are more than ten', () => {
    const hints = (of: Play): string => words(selectLogView({...of.state, columns: 250}, logOf(of)).hints);
    const errors = (count: number): Play =>
      openLogWith(
        linesOf(
          1,
          100,
          Array.from({length: count}, (_, index) => 20 + index),
        ),
      );
    expect(hints(errors(10))).not.toContain('sum up');
    expect(hints(errors(11))).toContain('sum up');
    const one = errors(1);
    expect(hints(one)).toContain('last error');
    give(one, 'goFirst');
    expect(hints(one)).toMatch(/error/);
    expect(hints(one)).not.toContain('last error');
    expect(hints(errors(0))).not.toContain('error');
  });
});

describe('a key of the log', () => {
  test('goes back to the branches, or says that nothing else was opened', () => {
    const back = updateLog(play.state, 'back');
    expect([back.state.screen, back.state.log, back.state.generation, back.effects.map(({kind}) => kind)]).toEqual([
      'branches',
      undefined,
      play.state.generation + 1,
      ['cancel', 'fetchBranches'],
    ]);
    const noBranches = updateLog({...play.state, branches: undefined}, 'back');
    expect([noBranches.state.screen, noBranches.effects]).toEqual(['sites', [{kind: 'cancel'}]]);
    expect(updateLog({...play.state, log: undefined}, 'goFirst').effects).toEqual([]);
  });

  test('times since the last mark say if there is none', () => {
    const times = openLogWith(linesOf(1, 3));
    const notices: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      give(times, 'nextTimeMode');
      notices.push(`${logOf(times).look.time}: ${times.state.notice ?? ''}`);
    }
    expect(notices.filter(notice => notice.startsWith('sinceMark'))).toEqual([
      expect.stringMatching(/^sinceMark: times count from the last mark, but there is none: \S+ sets one$/),
    ]);
    expect(notices.filter(notice => !notice.startsWith('sinceMark')).every(notice => notice.endsWith(': '))).toBe(true);
    give(times, 'toggleWrap');
    expect(times.state.notice).toBeUndefined();
  });

  test('a page keeps one row of the page before', () => {
    const pages = openLogWith(linesOf(1, 100));
    const top = (): string =>
      selectLogState(pages.state, logOf(pages))
        .map(({text}) => text)
        .join('');
    give(pages, 'goFirst');
    expect(top()).toContain('paused at 14:00:01');
    give(pages, 'pageDown', 'pageDown');
    // Five rows, of which the first has the horizon.
    expect(top()).toContain('paused at 14:00:08');
  });
});
