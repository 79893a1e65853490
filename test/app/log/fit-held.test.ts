import {describe, expect, test} from 'vitest';
import {findHeld, fitHeld, heldLines, readNewLines, reopenLog, takeTail} from '#app/log/held-logs.ts';
import type {HeldLog, LogState, State} from '#app/state/state.ts';
import {createBuffer} from '#log/buffer/buffer.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {finishWork} from '#log/work.ts';
import {answer, linesOf, logOf, openEmptyLog, openLogWith, sampleBranches, type, windowOf} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

const bytesOf = ({sources}: LogState): number => sources.reduce((sum, {tail}) => sum + tail.log.buffer.bytes, 0);
const held = (log: LogState): HeldLog => ({log, generation: 1, leftAtMs: 0, askedAtMs: 0});
const counts = ({held: logs}: State): readonly number[] => logs.map(({log}) => heldLines(log).count);

/** Two logs of forty lines that were left, and one of forty that is open. */
const play = openLogWith(linesOf(1, 40));
const log = logOf(play);
const bytes = bytesOf(log);
const fitted = (room: number, change: Partial<State> = {}): State =>
  fitHeld({
    ...play.state,
    held: [held(log), held(logOf(openLogWith(linesOf(1, 40))))],
    logSettings: {...play.state.logSettings, bufferBytesMax: room},
    ...change,
  });

describe('the bound on what is held', () => {
  test('is kept as long as all fits, to the byte', () => {
    expect(counts(fitted(3 * bytes))).toEqual([40, 40]);
    const state = {
      ...play.state,
      held: [held(log)],
      logSettings: {...play.state.logSettings, bufferBytesMax: 2 * bytes},
    };
    expect(fitHeld(state)).toBe(state);
    expect(counts(fitHeld({...state, logSettings: {...state.logSettings, bufferBytesMax: 2 * bytes - 1}}))[0]).toBe(39);
  });

  test('takes the oldest lines of the log that was left first, then of the next', () => {
    const half = fitted(2.5 * bytes);
    expect(counts(half)).toEqual([20, 40]);
    expect(half.held[0]?.log.sources[0].tail.log.buffer.newestLine?.raw).toMatch(/line 40$/);
    expect(half.held[0]?.log.sources[0].tail.log.buffer.bytesMax).toBe(log.sources[0].tail.log.buffer.bytesMax);
    expect(half.held[0]?.generation).toBe(1);
    expect(half.held[1]?.log).not.toBe(half.held[0]?.log);
    expect(counts(fitted(1.5 * bytes)).at(-1)).toBe(20);
    expect(counts(fitted(1.5 * bytes))).toHaveLength(1);
    expect(counts(fitted(bytes))).toEqual([]);
    expect(half.context).toBe(play.state.context);
  });

  test('counts the open log, if there is one', () => {
    expect(counts(fitted(2 * bytes, {log: undefined}))).toEqual([40, 40]);
    expect(counts(fitted(1.5 * bytes, {log: undefined}))).toEqual([20, 40]);
  });

  test('leaves the open log alone, and a state without any that was left', () => {
    const alone = {...play.state, held: [], logSettings: {...play.state.logSettings, bufferBytesMax: 1}};
    expect(fitHeld(alone)).toBe(alone);
    expect(fitted(bytes / 2).log).toBe(log);
  });

  test('of several branches each gives up its share', () => {
    const two = openEmptyLog(['master', 'staging']);
    two.windowArrives(linesOf(1, 40), 'b-master');
    two.windowArrives(linesOf(1, 20), 'b-staging');
    const both = logOf(two);
    const state = fitHeld({
      ...two.state,
      log: undefined,
      held: [held(both)],
      logSettings: {...two.state.logSettings, bufferBytesMax: bytesOf(both) / 2},
    });
    expect(state.held[0]?.log.sources.map(({tail}) => tail.log.buffer.lineCount)).toEqual([20, 10]);
  });
});

describe('a log that was left', () => {
  test('is found by its site and exactly its branches', () => {
    const [master = expect.fail(), staging = expect.fail()] = ['b-master', 'b-staging'].map(id =>
      sampleBranches.find(({_id}) => _id === id),
    );
    const state = {held: [held(log)]};
    expect(findHeld(state, 'site-1', [master])?.log).toBe(log);
    expect(findHeld(state, 'site-2', [master])).toBeUndefined();
    expect(findHeld(state, 'site-1', [staging])).toBeUndefined();
    expect(findHeld(state, 'site-1', [master, staging])).toBeUndefined();
    expect(findHeld(state, 'site-1', [])).toBeUndefined();
  });

  test('opens with the latest records, connecting, and nothing asked for', () => {
    const [master = expect.fail()] = sampleBranches.filter(({_id}) => _id === 'b-master');
    const asking = {...log, watch: {...log.watch, isAsking: true, asksAgain: true}};
    const reopened = reopenLog(held(asking), [{...master, status: 'NEW'}]);
    expect(reopened.sources[0].branch.status).toBe('NEW');
    expect(reopened.sources[0].tail.connection).toEqual({kind: 'connecting'});
    expect(reopened.watch).toEqual({...log.watch, isAsking: false, asksAgain: false});
    expect(reopenLog(held(log), []).sources[0].branch).toBe(log.sources[0].branch);
    const failing = openLogWith(linesOf(1, 3));
    failing.windowFails();
    expect(reopenLog(held(logOf(failing)), []).sources[0].tail.connection.kind).toBe('failing');
  });
});

describe('a tail that takes the place of another', () => {
  const [source] = log.sources;

  test('of an unknown branch changes nothing, and with the same lines only the tail', () => {
    expect(takeTail(log, 'nobody', source.tail)).toBe(log);
    const tail = {...source.tail, lastAnswerAtMs: 5};
    const taken = takeTail(log, 'b-master', tail);
    expect(taken.sources[0]).toEqual({...source, tail});
    expect(taken.sourceNames).toBe(log.sourceNames);
    expect(finishWork(readNewLines(noShapes, source.tail.log.buffer, source.tail.log.buffer))).toBe(noShapes);
  });

  test('has its new lines counted by shape', () => {
    const later = logOf(openLogWith(linesOf(1, 45, [44]))).sources[0].tail;
    const {shapes} = takeTail(log, 'b-master', later).sources[0];
    expect(shapes).not.toBe(source.shapes);
    expect(finishWork(readNewLines(noShapes, createBuffer(1_000_000), later.log.buffer)).shapes.size).toBe(1);
  });

  test('keeps what is known of patterns, as another state only if it changed', () => {
    const searched = openLogWith(linesOf(1, 40));
    type(searched, 'openSearch', 'line 4');
    answerSearches(searched);
    const before = logOf(searched).use.patterns;
    const {tail} = logOf(searched).sources[0];
    const trimmed = logOf(openLogWith(linesOf(1, 41))).sources[0].tail;
    expect(takeTail(logOf(searched), 'b-master', {...tail}).use.patterns).toBe(before);
    const {use} = takeTail(logOf(searched), 'b-master', trimmed);
    expect(use.patterns[0]?.version).toBe(use.patterns[0]?.matches.version());
    searched.windowArrives(linesOf(1, 44));
    answerSearches(searched);
    expect(logOf(searched).use.patterns).toHaveLength(1);
  });

  test('drops a remembered choice of sources only if none of them writes any more, with its first lines', () => {
    const numbered = (pod: string) =>
      answer({
        ...windowOf(1).value,
        numbering: {series: 'a', first: 1, sources: [{pod}], runs: [[0, 1] as const], losses: []},
      });
    const pickAfter = (wanted: string | undefined, window: ReturnType<typeof windowOf>) => {
      const opened = openEmptyLog();
      const picked = wanted === undefined ? {} : {pod: wanted};
      const {tail} = logOf(openLogWith(window)).sources[0];
      return takeTail({...logOf(opened), sourcePick: {kind: 'only', names: [picked]}}, 'b-master', tail).sourcePick;
    };
    expect(pickAfter('web-1', numbered('web-1'))).toBeDefined();
    expect(pickAfter('web-0', numbered('web-1'))).toBeUndefined();
    expect(pickAfter(undefined, numbered('web-1'))).toBeDefined();
    // Nobody says who wrote the lines.
    expect(pickAfter('web-0', windowOf(1))).toBeDefined();
  });
});
