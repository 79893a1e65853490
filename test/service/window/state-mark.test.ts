import {readdirSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createStateMark} from '#service/window/state-store.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const makeFolder = (): string => {
  const folder = createTempFolder('mark');
  onTestFinished(folder.remove);
  return folder.path;
};

test('a mark is renamed to say that the state is behind, and back', () => {
  const folder = makeFolder();
  const mark = createStateMark(folder);
  expect([mark.isBehind(), readdirSync(folder)]).toEqual([false, ['state.current']]);
  expect(statSync(join(folder, 'state.current')).mode & 0o777).toBe(0o600);
  mark.setBehind(true);
  expect([mark.isBehind(), readdirSync(folder)]).toEqual([true, ['state.behind']]);
  mark.setBehind(true);
  expect([createStateMark(folder).isBehind(), readdirSync(folder)]).toEqual([true, ['state.behind']]);
  mark.setBehind(false);
  expect([mark.isBehind(), readdirSync(folder)]).toEqual([false, ['state.current']]);
});

test('a mark that somebody removed is written again', () => {
  const folder = makeFolder();
  const mark = createStateMark(folder);
  rmSync(join(folder, 'state.current'));
  mark.setBehind(true);
  expect([mark.isBehind(), readdirSync(folder)]).toEqual([true, ['state.behind']]);
});

test('a folder that is not there has no mark, and that is no failure', () => {
  const mark = createStateMark(join(makeFolder(), 'missing'));
  mark.setBehind(true);
  expect(mark.isBehind()).toBe(false);
});
