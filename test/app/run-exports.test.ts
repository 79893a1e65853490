import {describe, expect, test} from 'vitest';
import {createExportRunner} from '#app/run-exports.ts';
import type {Event} from '#app/state/event.ts';
import {mergeBuffers} from '#log/view/log-view.ts';
import {sampleFacts} from './log/export-samples.ts';

test('an exporter that cannot be loaded ends the save and the pipe with its sentence', async () => {
  const happenings: Event[] = [];
  const runner = createExportRunner(async () => {
    throw new Error('this branchlog was replaced');
  });
  const view = mergeBuffers([]);
  const scope = {view, first: 0, end: 0, chosen: 'all'} as const;
  const request = {
    what: 'lines',
    path: 'master.log',
    replaces: false,
    scope,
    facts: sampleFacts,
    marks: [],
    all: view,
  } as const;
  runner.run({kind: 'saveFile', request}, event => happenings.push(event));
  runner.run({kind: 'pipe', request: {to: {kind: 'pager'}, scope}}, event => happenings.push(event));
  await new Promise(resolve => setImmediate(resolve));
  expect(happenings).toContainEqual({kind: 'noticed', notice: 'this branchlog was replaced'});
  expect(happenings).toContainEqual({
    kind: 'saveEnded',
    outcome: {kind: 'failed', sentence: 'this branchlog was replaced'},
  });
});

describe('a save', () => {
  const view = mergeBuffers([]);
  const scope = {view, first: 0, end: 0, chosen: 'all'} as const;
  const request = (path: string) =>
    ({what: 'lines', path, replaces: false, scope, facts: sampleFacts, marks: [], all: view}) as const;
  const settled = async (): Promise<void> => {
    await new Promise(resolve => setImmediate(resolve));
  };

  /** An exporter whose saves end when they are told to. */
  const setup = () => {
    const happenings: Event[] = [];
    const saves: {readonly path: string; readonly signal: AbortSignal; readonly end: () => void}[] = [];
    let opened = 0;
    const runner = createExportRunner(async () => {
      opened += 1;
      return {
        save: ({path}, signal, onProgress) =>
          new Promise(resolve => {
            onProgress(0.5);
            saves.push({path, signal, end: () => resolve({kind: 'saved', sentence: path} as never)});
          }),
        pipe: async () => undefined,
      };
    });
    const run = (effect: Parameters<typeof runner.run>[0]): void => runner.run(effect, event => happenings.push(event));
    return {happenings, saves, runner, run, openings: () => opened};
  };

  test('tells how far it is and how it ended; the exporter is opened once', async () => {
    const {happenings, saves, run, openings} = setup();
    run({kind: 'saveFile', request: request('a')});
    await settled();
    saves[0]?.end();
    await settled();
    run({kind: 'pipe', request: {to: {kind: 'pager'}, scope}});
    await settled();
    expect(happenings).toEqual([
      {kind: 'saveProgressed', share: 0.5},
      {kind: 'saveEnded', outcome: {kind: 'saved', sentence: 'a'}},
    ]);
    expect(openings()).toBe(1);
  });

  test('that is cancelled is told to stop, and is heard of no more', async () => {
    const {happenings, saves, run} = setup();
    run({kind: 'saveFile', request: request('a')});
    await settled();
    run({kind: 'cancelSave'});
    expect(saves[0]?.signal.aborted).toBe(true);
    saves[0]?.end();
    await settled();
    expect(happenings).toEqual([{kind: 'saveProgressed', share: 0.5}]);
  });

  test('ends the one before', async () => {
    const {happenings, saves, run} = setup();
    run({kind: 'saveFile', request: request('a')});
    await settled();
    run({kind: 'saveFile', request: request('b')});
    await settled();
    expect(saves.map(({path, signal}) => [path, signal.aborted])).toEqual([
      ['a', true],
      ['b', false],
    ]);
    for (const {end} of saves) {
      end();
    }
    await settled();
    expect(happenings.filter(({kind}) => kind === 'saveEnded')).toEqual([
      {kind: 'saveEnded', outcome: {kind: 'saved', sentence: 'b'}},
    ]);
  });

  test('that is under way at the end is stopped, and waited for until it has cleaned up', async () => {
    const {saves, runner, run} = setup();
    run({kind: 'saveFile', request: request('a')});
    await settled();
    let isClosed = false;
    const closed = runner.close().then(() => {
      isClosed = true;
    });
    await settled();
    expect([saves[0]?.signal.aborted, isClosed]).toEqual([true, false]);
    saves[0]?.end();
    await closed;
    expect(isClosed).toBe(true);
  });
});
