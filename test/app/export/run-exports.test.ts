import {expect, test} from 'vitest';
import {createExportRunner} from '../../../src/app/export/run-exports.ts';
import type {Event} from '../../../src/app/state/event.ts';
import {mergeBuffers} from '../../../src/log/view/merged-view.ts';
import {sampleFacts} from './export-samples.ts';

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
  runner.run({kind: 'saveFile', request}, happening => happenings.push(happening));
  runner.run({kind: 'pipe', request: {to: {kind: 'pager'}, scope}}, happening => happenings.push(happening));
  await new Promise(resolve => setImmediate(resolve));
  expect(happenings).toContainEqual({kind: 'noticed', notice: 'this branchlog was replaced'});
  expect(happenings).toContainEqual({
    kind: 'saveEnded',
    outcome: {kind: 'failed', sentence: 'this branchlog was replaced'},
  });
});
