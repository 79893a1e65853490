import {describe, expect, test} from 'vitest';
import type {SaveRequest} from '#app/export/exporter.ts';
import {promptOf} from '#app/keys/input-focus.ts';
import {exportScope, gatherFacts} from '#app/log/export-scope.ts';
import {batchesOf, type Scope} from '#app/parts/log-parts.ts';
import {
  answer,
  enter,
  give,
  linesOf,
  openEmptyLog,
  openLogWith,
  type Play,
  showScreen,
  startAt,
  stateRow,
} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

const textOf = (scope: Scope): readonly string[] =>
  [...batchesOf(scope)]
    .flat()
    .flatMap(({entry}) => (entry.kind === 'line' ? [/line \d+|at .*/.exec(entry.raw)?.[0] ?? ''] : []));

const effectOf = <Kind extends Play['effects'][number]['kind']>(play: Play, kind: Kind) =>
  play.effects.find((effect): effect is Extract<Play['effects'][number], {kind: Kind}> => effect.kind === kind);

const saveRequest = (play: Play): SaveRequest =>
  effectOf(play, 'saveFile')?.request ?? expect.fail('nothing is being saved');

const type = (play: Play, path: string): void => {
  play.send({kind: 'inputKey', key: 'ClearLine'});
  enter(play, path);
};

test('what is picked is copied as received, and of the cursor its line', () => {
  const play = openLogWith(linesOf(1, 30, [12]));
  give(play, 'previousError', 'copyLines');
  expect(effectOf(play, 'copy')).toMatchObject({text: '2026-11-21T14:00:12.000000000Z ERROR line 12', what: '1 line'});
  give(play, 'pickLines', 'moveDown', 'pickLines', 'moveDown', 'moveDown', 'copyLines');
  expect(effectOf(play, 'copy')?.text).toBe(
    [13, 14, 15].map(second => `2026-11-21T14:00:${second}.000000000Z line ${second}`).join('\n'),
  );
});

test('of a log that was opened by name, lines leave as they were written: the time before them is not in the file', () => {
  const {state} = openLogWith(linesOf(1, 30, [12]));
  const play = startAt({...state, rows: 40, context: {name: 'app.log', host: '', parts: 'none'}});
  give(play, 'previousError', 'copyLines');
  expect(effectOf(play, 'copy')?.text).toBe('ERROR line 12');
  give(play, 'openLine', 'copyLines');
  expect(effectOf(play, 'copy')?.text).toBe('ERROR line 12');
  expect(showScreen(play.state).join('\n')).toContain('\n Text  13 bytes\n   ERROR line 12\n');
  give(play, 'back', 'copyVisible');
  expect(effectOf(play, 'copy')?.text).toMatch(/^line \d+\n/);
  give(play, 'pipeToPager');
  expect(effectOf(play, 'pipe')?.request.scope).toMatchObject({chosen: 'all', asWritten: true});
  give(play, 'pickLines', 'pickLines', 'moveDown', 'saveLines');
  type(play, 'x.log');
  expect(saveRequest(play).scope).toMatchObject({chosen: 'picked', asWritten: true});
});

test('without a cursor in view copying begins to pick, and where there is no line it says so', () => {
  const play = openEmptyLog();
  give(play, 'copyLines');
  expect(stateRow(play)).toBe('no lines to copy yet');
  give(play, 'copyVisible');
  expect(stateRow(play)).toBe('no lines to copy yet');
  play.windowArrives(linesOf(1, 30));
  give(play, 'copyLines');
  expect(stateRow(play)).toBe('choose a line, y copies it');
  expect(play.effects).toEqual([]);
  give(play, 'goFirst', 'copyLines');
  expect(stateRow(play)).toBe('no lines to copy here: markers are not copied');
});

test('lines that are folded into one that is picked go with it', () => {
  const traced = ['line 1', 'PHP Fatal error: Uncaught', '    at one', '    at two', 'line 5'];
  const lines = traced.map((text, index) => `2026-11-21T14:00:0${index + 1}.000000000Z ${text}`);
  const play = openLogWith(answer({pods: [], lines, sessionId: 's'}));
  give(play, 'toggleFolds', 'pickLines', 'moveUp', 'copyLines');
  expect(effectOf(play, 'copy')?.text).toBe(lines.slice(1, 4).join('\n'));
  // The selection ended with its copy: all lines are saved.
  give(play, 'saveLines');
  type(play, 'x.log');
  expect([...batchesOf(saveRequest(play).scope)].flat()).toHaveLength(6);
});

test('of too many lines none is copied', () => {
  const long = Array.from(
    {length: 100},
    (_, index) => `2026-11-21T14:00:00.${String(index).padStart(9, '0')}Z ${'x'.repeat(100_000)}`,
  );
  const play = openLogWith(answer({pods: [], lines: long, sessionId: 's'}), 100_000_000);
  give(play, 'pickLines', 'goFirst', 'pickLines', 'goLast', 'copyLines');
  expect(play.effects).toEqual([]);
  expect(stateRow(play)).toMatch(/too many lines for the clipboard: s saves/);
});

test('what is saved is what the filters leave at that moment, whatever comes later', () => {
  const play = openLogWith(linesOf(1, 30, [12, 20]));
  give(play, 'lowerLevel', 'saveLines');
  type(play, ' x.log ');
  const {scope, path, replaces} = saveRequest(play);
  expect([path, replaces, scope.chosen, textOf(scope)]).toEqual(['x.log', false, 'filtered', ['line 12', 'line 20']]);
  play.windowArrives(linesOf(25, 40, [33]));
  expect(textOf(scope)).toEqual(['line 12', 'line 20']);
});

test('while something is saved its progress is told, nothing else is saved, and Esc cancels', () => {
  const play = openLogWith(linesOf(1, 30));
  give(play, 'saveLines');
  type(play, 'x.log');
  play.send({kind: 'saveProgressed', share: 0.428});
  expect(stateRow(play)).toMatch(/^saving 42 % {3}x\.log +Esc cancels$/);
  give(play, 'saveIncident');
  expect(stateRow(play)).toBe('x.log is still being saved: Esc cancels');
  expect(play.effects).toEqual([]);
  give(play, 'back');
  expect(play.effects).toEqual([{kind: 'cancelSave'}]);
  expect(stateRow(play)).toBe('cancelled: x.log was not saved');
  expect(play.state.screen).toBe('log');
  play.send({kind: 'saveEnded', outcome: {kind: 'saved', sentence: 'too late'}});
  expect(stateRow(play)).not.toContain('too late');
});

test('a file that is there is replaced by its own path only', () => {
  const play = openLogWith(linesOf(1, 30));
  const saveOver = (path: string): SaveRequest => {
    give(play, 'saveLines');
    type(play, 'x.log');
    play.send({kind: 'saveEnded', outcome: {kind: 'exists'}});
    expect(promptOf(play.state)).toMatchObject({kind: 'replaceFile', text: 'x.log'});
    type(play, path);
    const request = saveRequest(play);
    play.send({kind: 'saveEnded', outcome: {kind: 'failed', sentence: 'no'}});
    return request;
  };
  expect(saveOver('x.log')).toMatchObject({what: 'lines', path: 'x.log', replaces: true});
  expect(saveOver('y.log')).toMatchObject({what: 'lines', path: 'y.log', replaces: false});
});

test('that a file is there interrupts nobody who types', () => {
  const play = openLogWith(linesOf(1, 30));
  give(play, 'saveLines');
  type(play, 'x.log');
  give(play, 'openSearch');
  play.send({kind: 'saveEnded', outcome: {kind: 'exists'}});
  expect(promptOf(play.state)?.kind).toBe('search');
  play.send({kind: 'inputKey', key: 'Esc'});
  expect(play.state.log?.saving.kind).toBe('idle');
});

test('nothing typed does nothing, and an empty log has nothing to hand on', () => {
  const play = openEmptyLog();
  for (const command of ['saveLines', 'saveIncident', 'pipeToPager', 'pipeToCommand'] as const) {
    give(play, command);
    expect([promptOf(play.state), play.effects]).toEqual([undefined, []]);
    expect(play.state.notice).toMatch(/^there are no lines to /);
  }
  play.windowArrives(linesOf(1, 3));
  give(play, 'saveLines');
  type(play, ' ');
  give(play, 'pipeToCommand');
  enter(play, ' ');
  expect(play.effects).toEqual([]);
  expect(play.state.log?.saving.kind).toBe('idle');
});

describe('the link to a place', () => {
  const linkIn = (play: Play): string => {
    give(play, 'copyLink');
    return String(effectOf(play, 'copy')?.text ?? '');
  };

  test('is of the cursor, else of the top row, else of the newest line; of an empty log without a time', () => {
    const empty = openEmptyLog();
    expect(linkIn(empty)).toMatch(/shop\/master$/);
    const play = openLogWith(linesOf(1, 30));
    const base = linkIn(empty);
    expect(linkIn(play)).toBe(`${base}@2026-11-21T14:00:30Z`);
    give(play, 'moveUp');
    expect(linkIn(play)).toContain('14:00:25');
    give(play, 'pickLines', 'moveDown');
    expect(linkIn(play)).toContain('14:00:26');
    expect(effectOf(play, 'copy')?.what).toBe(effectOf(play, 'copy')?.text);
  });

  test('is of the branch that wrote the line', () => {
    const play = openEmptyLog(['master', 'staging']);
    play.windowArrives(linesOf(1, 3), 'b-master');
    play.windowArrives(linesOf(4, 6), 'b-staging');
    expect(linkIn(play)).toContain('staging');
    give(play, 'goFirst', 'moveDown', 'pickLines', 'moveDown');
    expect(linkIn(play)).toContain('master');
  });
});

describe('what is known of a log that is saved', () => {
  const factsOf = (play: Play, change: object = {}) =>
    gatherFacts(play.state, {...(play.state.log ?? expect.fail()), ...change});

  test('its place, its branch and its polls', () => {
    const play = openLogWith(linesOf(1, 30));
    const facts = factsOf(play);
    expect(facts.site).toEqual({id: 'site-1', name: 'shop'});
    expect(facts.branches).toHaveLength(1);
    expect(facts.branches[0]).toMatchObject({
      id: 'b-master',
      name: 'master',
      gapCount: 0,
      evictedLines: 0,
      tooLateLines: 0,
    });
    expect(facts.branches[0]?.held).toMatchObject({proof: 'inferred'});
    expect(facts.branches[0]?.held?.restsOn).not.toBe('');
    expect(facts.savedAtMs).toBe(play.state.nowMs + play.state.clockOffsetMs);
    expect(factsOf(openEmptyLog()).branches[0]?.held).toBeUndefined();
    expect(gatherFacts({...play.state, sites: []}, play.state.log ?? expect.fail()).site.name).toBeUndefined();
  });

  test('the filters that are on, and none that are off', () => {
    const play = openLogWith(linesOf(1, 30));
    for (const [command, text] of [
      ['filterIn', 'line 1'],
      ['filterOut', 'line 2'],
      ['filterIn', 'line 3'],
    ] as const) {
      give(play, command);
      enter(play, text);
      expect(factsOf(play).filters.isComplete).toBe(false);
      answerSearches(play);
    }
    const range = {from: 0n, to: undefined};
    const pick = {kind: 'only', names: [{}]};
    expect(factsOf(play, {minimumLevel: 'warn', range, sourcePick: pick, contextLines: 3}).filters).toEqual({
      includes: ['line 1', 'line 3'],
      excludes: ['line 2'],
      minimumLevel: 'warn',
      sources: pick,
      range: {from: '1970-01-01T00:00:00.000000000Z', to: undefined},
      contextLines: 3,
      isComplete: true,
    });
    const off = {includes: [], excludes: [], minimumLevel: 'none', sources: undefined, range: undefined};
    expect(factsOf(play, {areFiltersOff: true, minimumLevel: 'warn', range, sourcePick: pick}).filters).toMatchObject(
      off,
    );
    const {use} = play.state.log ?? expect.fail();
    const filters = use.filters.map((filter, index) => ({...filter, isOff: index === 0}));
    expect(factsOf(play, {use: {...use, filters}}).filters.includes).toEqual(['line 3']);
  });

  test('all is chosen where the filters are off', () => {
    const play = openLogWith(linesOf(1, 30, [12]));
    const log = play.state.log ?? expect.fail();
    const chosen = (change: object): string => exportScope(play.state, {...log, ...change}).chosen;
    expect([chosen({}), chosen({minimumLevel: 'error'})]).toEqual(['all', 'filtered']);
    expect(chosen({minimumLevel: 'error', areFiltersOff: true})).toBe('all');
  });
});

test('an incident that is saved has the marks and what is watched; lines have neither', () => {
  const play = openLogWith(linesOf(1, 30));
  give(play, 'pickLines', 'markLine');
  enter(play, 'here');
  give(play, 'back', 'saveIncident');
  type(play, 'x.md');
  const note = saveRequest(play);
  expect([note.what, note.marks.length, note.all.entryCount]).toEqual(['incident', 1, 31]);
  expect(note.incident).toHaveLength(1);
  expect(note).toHaveProperty('watched', undefined);
  play.send({kind: 'saveEnded', outcome: {kind: 'saved', sentence: 'saved'}});
  expect(stateRow(play)).toBe('saved');
  give(play, 'saveLines');
  type(play, 'x.log');
  expect(saveRequest(play).marks).toEqual([]);
  expect(saveRequest(play)).not.toHaveProperty('incident');
});

test('that filters hide every line is told before lines are saved, not before a note is', () => {
  const play = openLogWith(linesOf(1, 30));
  give(play, 'filterIn');
  enter(play, 'nowhere');
  answerSearches(play);
  give(play, 'saveLines');
  expect(play.state.notice).toMatch(/^this saves 0 lines, as filters hide them all: leave it, and \S+ shows them$/);
  play.send({kind: 'inputKey', key: 'Esc'});
  give(play, 'saveIncident');
  expect(play.state.notice).toBeUndefined();
});

test('of lines for the clipboard eight million characters are the most, and what is too long is not shortened', () => {
  const lines = (size: number) =>
    answer({pods: [], lines: [`2026-11-21T14:00:00.000000000Z ${'x'.repeat(size)}`], sessionId: 's'});
  const copied = (size: number): number | undefined => {
    const play = openLogWith(lines(size), 100_000_000);
    give(play, 'pickLines', 'copyLines');
    return effectOf(play, 'copy')?.text.length;
  };
  const stamp = '2026-11-21T14:00:00.000000000Z '.length;
  const max = 8 * 1024 * 1024;
  expect(copied(max - stamp - 1)).toBe(max - 1);
  expect(copied(max - stamp)).toBeUndefined();
});
