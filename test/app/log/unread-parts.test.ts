import {describe, expect, test} from 'vitest';
import {readOn} from '#app/log/fetch-window.ts';
import {goToStart, leavePart, pauseInPart, takeUnread} from '#app/log/unread-ranges.ts';
import type {Event} from '#app/state/event.ts';
import type {LogState} from '#app/state/state.ts';
import {startOfLog, type UnreadFound} from '#log/line/unread.ts';
import {
  answer,
  enter,
  give,
  linesOf,
  logOf,
  openEmptyLog,
  type Play,
  paneRows,
  stateRow,
  type,
} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

const at = (second: number): bigint => BigInt(Date.UTC(2026, 10, 21, 14, 0, second)) * 1_000_000n;

/** Lines of these seconds, with numbers; what is before or after them was not read. */
const numbered = (from: number, to: number, ends: object = {heldFrom: {at: at(from), why: 'unread'}}) =>
  answer({
    ...linesOf(from, to, [540]).value,
    numbering: {series: 'a', first: from, sources: [{}], runs: [[0, to - from + 1] as const], losses: []},
    ...ends,
  });

/** The newest lines of a log, whose first ones were not read. */
const openNewest = (from = 501, to = 900): Play => {
  const play = openEmptyLog();
  play.windowArrives(numbered(from, to));
  return play;
};

const found = (play: Play, what: UnreadFound, goesTo?: bigint): void =>
  play.send({kind: 'unreadFound', generation: play.state.generation, found: what, at: goesTo} as Event);

/** The part around line 100, which is the log of another id. */
const openPart = (): Play => {
  const play = openNewest();
  found(play, {kind: 'part', branchId: 'part-1', at: at(100)});
  play.windowArrives(
    numbered(81, 120, {heldFrom: {at: at(81), why: 'unread'}, heldTo: {at: at(120), why: 'unread'}}),
    'part-1',
  );
  return play;
};

describe('the first line', () => {
  test('is asked for where it was not read', () => {
    const play = openNewest();
    give(play, 'goFirst');
    expect(play.effects).toEqual([
      {kind: 'findUnread', branchId: 'b-master', wish: {kind: 'start'}, generation: play.state.generation},
    ]);
    expect(stateRow(play)).toBe('going to the first line');
    expect(goToStart(play.state, logOf(play), 'goLast')).toBeUndefined();
    const whole = openEmptyLog();
    whole.windowArrives(linesOf(1, 40));
    expect(goToStart(whole.state, logOf(whole), 'goFirst')).toBeUndefined();
  });
});

describe('a part that was found', () => {
  test('is opened as the log of its own id, at its time; the newest lines stay in memory', () => {
    const play = openPart();
    const log = logOf(play);
    expect([log.sources[0].branch._id, log.newest?._id]).toEqual(['part-1', 'b-master']);
    expect(play.state.held.map(({log: held}) => held.sources[0].branch._id)).toEqual(['b-master']);
    expect(paneRows(play).some(row => row.includes('100'))).toBe(true);
    expect(log.viewport.kind).toBe('paused');
  });

  test('keeps the look, the filters and the search, and no search of what was not read', () => {
    const play = openNewest();
    give(play, 'toggleWrap', 'raiseLevel', 'moreContext', 'filterIn');
    enter(play, 'line');
    answerSearches(play);
    give(play, 'toggleFilters');
    const before = logOf(play);
    found(play, {kind: 'part', branchId: 'part-1', at: at(100)});
    const {look, use, minimumLevel, contextLines, areFiltersOff, scan} = logOf(play);
    expect([look.wraps, use.filters, minimumLevel, contextLines, areFiltersOff, scan]).toEqual([
      true,
      before.use.filters,
      before.minimumLevel,
      1,
      true,
      undefined,
    ]);
  });

  test('of a part takes its place, and the newest lines are held once', () => {
    const play = openPart();
    found(play, {kind: 'part', branchId: 'part-2', at: at(10)});
    expect([logOf(play).sources[0].branch._id, logOf(play).newest?._id]).toEqual(['part-2', 'b-master']);
    expect(play.state.held).toHaveLength(1);
  });
});

describe('in a part', () => {
  test.each(['goLast', 'togglePause', 'back'] as const)('%s leads to the newest lines, which are followed', command => {
    const play = openPart();
    give(play, command);
    expect([logOf(play).sources[0].branch._id, logOf(play).newest, logOf(play).viewport.kind]).toEqual([
      'b-master',
      undefined,
      'following',
    ]);
    expect(logOf(play).sources[0].tail.log.buffer.lineCount).toBe(400);
  });

  test('any other key stays in it, and its end is not followed', () => {
    const play = openPart();
    expect(leavePart(play.state, logOf(play), 'moveDown')).toBeUndefined();
    const following = {...logOf(play), viewport: {kind: 'following'} as const};
    expect(pauseInPart(play.state, following).viewport.kind).toBe('paused');
    const newest = openNewest();
    expect(pauseInPart(newest.state, logOf(newest))).toBe(logOf(newest));
    expect(leavePart(newest.state, logOf(newest), 'goLast')).toBeUndefined();
  });
});

describe('what is in the newest part, or nowhere', () => {
  test('is gone to where it was a time', () => {
    const play = openPart();
    found(play, {kind: 'newest'}, at(600));
    expect(logOf(play).sources[0].branch._id).toBe('b-master');
    expect(paneRows(play).some(row => row === '▸600')).toBe(true);
    const newest = openNewest();
    found(newest, {kind: 'newest'}, at(700));
    expect(paneRows(newest).some(row => row === '▸700')).toBe(true);
  });

  test('is no more hits where it was a search', () => {
    const play = openPart();
    found(play, {kind: 'newest'});
    expect(stateRow(play)).toBe('no more hits between here and the newest lines');
    expect(logOf(play).sources[0].branch._id).toBe('part-1');
    found(play, {kind: 'none', why: 'no more hits above, up to the beginning'});
    expect(stateRow(play)).toBe('no more hits above, up to the beginning');
  });

  test('is read back to where it is near', () => {
    const play = openNewest();
    found(play, {kind: 'near'}, at(400));
    expect([stateRow(play), logOf(play).goToAt]).toEqual(['reading back to that time', at(400)]);
    found(play, {kind: 'near', why: 'no line has a time'}, startOfLog);
    expect(stateRow(play)).toBe('no line has a time: reading back to the first line');
  });

  test('of a log that was left changes nothing', () => {
    const play = openNewest();
    const {state} = play;
    play.send({kind: 'unreadFound', generation: 0, found: {kind: 'none', why: 'x'}, at: undefined} as Event);
    expect(play.state.log).toBe(state.log);
    const taken = takeUnread(state, logOf(play), {
      kind: 'unreadFound',
      generation: 1,
      found: {kind: 'none', why: 'why'},
      moment: {} as never,
    });
    expect(taken.state.notice).toBe('why');
  });
});

describe('near an end of what was read', () => {
  test('the lines beyond it are asked for at once, and only once', () => {
    const play = openNewest(501, 900);
    give(play, 'previousError');
    expect(play.effects.map(({kind}) => kind)).toContain('fetchWindow');
    const order = play.effects.find(({kind}) => kind === 'fetchWindow');
    expect(order).toMatchObject({after: {wants: 'earlier'}, branchId: 'b-master'});
    give(play, 'moveUp');
    expect(play.effects.map(({kind}) => kind)).not.toContain('fetchWindow');
  });

  test('nothing is asked for in a log that was read from its beginning, or that did not change', () => {
    const play = openEmptyLog();
    play.windowArrives(linesOf(1, 40));
    give(play, 'moveUp');
    expect(play.effects).toEqual([]);
    const step = {state: play.state, effects: []};
    expect(readOn(logOf(play), step)).toEqual(step);
    expect(readOn(logOf(play), {state: {...play.state, log: undefined}, effects: []}).effects).toEqual([]);
  });

  test('of a full buffer the part is opened that goes on there', () => {
    const play = openNewest(501, 560);
    const log = logOf(play);
    const [source] = log.sources;
    const full = (change: object): LogState => {
      const {buffer} = source.tail.log;
      const tail = {...source.tail, log: {...source.tail.log, buffer: {...buffer, bytesMax: buffer.bytes, ...change}}};
      return {...log, sources: [{...source, tail}]};
    };
    const ordered = (before: LogState, top: number) => {
      const paused = {kind: 'paused', top: {source: 0, id: -1, at: at(top)}, rowsAbove: 0} as const;
      return readOn(before, {state: {...play.state, log: {...before, viewport: paused}}, effects: []}).effects;
    };
    expect(ordered(full({}), 0)).toEqual([
      {
        kind: 'findUnread',
        branchId: 'b-master',
        wish: {kind: 'edge', direction: 'earlier'},
        generation: play.state.generation,
      },
    ]);
    expect(ordered(full({evictedLines: 5}), 0)).toMatchObject([{wish: {kind: 'time'}}]);
    // Not before the first line is on top.
    expect(ordered(full({}), 520)).toEqual([]);
    const still = full({});
    expect(readOn(still, {state: {...play.state, log: {...still}}, effects: []}).effects).toEqual([]);
  });
});

describe('a search of what was not read', () => {
  const search = (play: Play, query: string): void => {
    type(play, 'openSearch', query);
    answerSearches(play);
  };

  test('goes on above what was read, tells how far it is, and is cancelled with Esc', () => {
    const play = openNewest();
    search(play, 'nowhere');
    expect(logOf(play).scan).toMatchObject({direction: 'earlier'});
    expect(play.effects).toContainEqual(
      expect.objectContaining({kind: 'scanUnread', branchId: 'b-master', direction: 'earlier'}),
    );
    play.send({
      kind: 'scanProgressed',
      generation: play.state.generation,
      progress: {name: 'app.log', doneBytes: 1, allBytes: 4},
    });
    expect(logOf(play).scan?.progress).toEqual({name: 'app.log', doneBytes: 1, allBytes: 4});
    expect(play.effects).toEqual([]);
    give(play, 'back');
    expect([stateRow(play), logOf(play).scan]).toEqual(['the search of the unread part was cancelled', undefined]);
    expect(play.effects).toContainEqual({kind: 'cancelScan'});
    expect(logOf(play).use.search.kind).not.toBe('none');
  });

  test('goes on from a part into the newest lines, from their first one, and then into the rest', () => {
    const play = openPart();
    search(play, 're:line (100|501|700)$');
    found(play, {kind: 'newest'});
    answerSearches(play);
    expect(logOf(play).sources[0].branch._id).toBe('b-master');
    expect(paneRows(play).some(row => row === '▸501')).toBe(true);
    give(play, 'nextHit');
    expect(paneRows(play).some(row => row === '▸700')).toBe(true);
    give(play, 'nextHit');
    expect(stateRow(play)).toBe('no more hits below');

    // The newest lines may have been searched already.
    const again = openNewest();
    search(again, 're:line (100|501)$');
    found(again, {kind: 'part', branchId: 'part-1', at: at(100)});
    found(again, {kind: 'newest'});
    expect(paneRows(again).some(row => row === '▸501')).toBe(true);

    const other = openPart();
    search(other, 'line 100');
    found(other, {kind: 'newest'});
    answerSearches(other);
    expect([logOf(other).sources[0].branch._id, logOf(other).scan?.direction]).toEqual(['b-master', 'earlier']);
  });

  test('goes on from the last hit on either side', () => {
    const play = openPart();
    search(play, 'line 100');
    give(play, 'nextHit');
    expect(logOf(play).scan?.direction).toBe('later');
    give(play, 'previousHit');
    expect(logOf(play).scan?.direction).toBe('earlier');
    const {scan} = logOf(play);
    give(play, 'previousHit');
    expect(logOf(play).scan).toBe(scan);
    expect(play.effects).toEqual([]);
  });
});
