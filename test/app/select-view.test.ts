import {describe, expect, test} from 'vitest';
import {readsAlike} from '#app/select-view.ts';
import {createStore} from '#app/store.ts';
import {give, linesOf, onBranches, openLogWith, sampleState, serviceStartMs} from '../support/play.ts';

describe('two states read alike', () => {
  const {state} = openLogWith(linesOf(1, 100));

  test('as long as header and state row are the same', () => {
    expect(readsAlike(state, {...state, nowMs: state.nowMs + 1})).toBe(true);
    expect(readsAlike(state, {...state, nowMs: state.nowMs + 3_600_000})).toBe(false);
    expect(readsAlike(state, {...state, notice: 'a notice'})).toBe(false);
    const {log} = state;
    expect(
      readsAlike(state, {...state, log: log && {...log, overlay: {kind: 'pods', selectedKey: undefined, top: 0}}}),
    ).toBe(true);
  });

  test('not if only a tone is another', () => {
    const expiring = (leftMs: number) => ({...state, columns: 200, tokenExpiresAtMs: serviceStartMs + 10_000 + leftMs});
    expect(readsAlike(expiring(3_600_000), expiring(30_000))).toBe(false);
  });

  test('of a list as well, and of a terminal that is too small', () => {
    const list = onBranches().state;
    expect(readsAlike(list, {...list, nowMs: list.nowMs + 1})).toBe(true);
    expect(readsAlike(list, {...list, notice: 'a notice'})).toBe(false);
    const small = {...state, columns: 5, rows: 2};
    expect(readsAlike(small, {...small, notice: 'a notice'})).toBe(true);
    const pause = openLogWith(linesOf(1, 100));
    give(pause, 'togglePause');
    expect(readsAlike(state, pause.state)).toBe(false);
  });
});

describe('the store', () => {
  const moment = {nowMs: 0, wallMs: serviceStartMs, random: 0.5, tokenExpiresAtMs: undefined};

  test('tells its listeners of each change, until they no longer listen', () => {
    const store = createStore({initial: sampleState(), readMoment: () => moment, runEffect: () => {}});
    let count = 0;
    const leave = store.subscribe(() => {
      count += 1;
    });
    store.dispatch({kind: 'commandGiven', command: 'moveDown'});
    expect([count, store.state().sitePicker.selectedId]).toEqual([1, 'site-2']);
    leave();
    store.dispatch({kind: 'commandGiven', command: 'moveDown'});
    expect([count, store.state().sitePicker.selectedId]).toEqual([1, 'site-3']);
  });

  test('takes what an effect dispatches after the effects of the event before, one after the other', () => {
    const order: string[] = [];
    const store = createStore({
      initial: sampleState(),
      readMoment: () => moment,
      runEffect: (effect, dispatch) => {
        order.push(`begin ${effect.kind}`);
        if (effect.kind === 'cancel') {
          dispatch({kind: 'commandGiven', command: 'nextTheme'});
        }
        order.push(`end ${effect.kind}`);
      },
    });
    store.dispatch({kind: 'commandGiven', command: 'quit'});
    expect(order).toEqual(['begin cancel', 'end cancel', 'begin exit', 'end exit', 'begin nextTheme', 'end nextTheme']);
  });
});
