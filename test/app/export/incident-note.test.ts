import {expect, test} from 'vitest';
import {formatIncident} from '../../../src/app/export/incident-note.ts';
import {mergeBuffers} from '../../../src/log/view/merged-view.ts';
import {at, line, sampleFacts, sourced, tallyOf} from './export-samples.ts';

const format = (change: Partial<Parameters<typeof formatIncident>[0]> = {}): string =>
  formatIncident({
    facts: sampleFacts,
    tally: tallyOf(),
    chosen: 'all',
    marks: [],
    all: mergeBuffers([]),
    version: '1.2.3',
    ...change,
  });

test('tells which log, of what time, and whether anything may be missing', () => {
  const tally = tallyOf(line(1, 'calm'), line(2, 'ERROR boom', true), line(3, 'calm'));
  const note = format({tally});
  expect(note).toContain('# Incident: shop › master\n');
  expect(note).toContain('- Range: 2026-11-21T14:00:01.000000000Z to 2026-11-21T14:00:03.000000000Z');
  expect(note).toContain('- Lines: 3 lines, 1 error among them, 1 came late');
  expect(note).toContain('- Chosen: all lines held');
  expect(note).toContain('- Written: 2026-11-21T14:12:00.000000000Z by branchlog 1.2.3');
  expect(note).toContain('## Is anything missing?');
  expect(note).toContain(
    '- master: joined since 2026-11-21T14:00:05.000000000Z, this service does not say how it cuts its windows; 2 gaps since it was opened, 0 in this range',
  );
  expect(note).toContain('40 polls, 1 failed; 3 older lines left the buffer');
  expect(note).toContain('No gap, no pod that came or went');
  expect(note).toContain('Nothing was marked.');
});

test.each([
  ['counted', '- master: whole since 2026-11-21T14:00:05.000000000Z, words; 2 gaps'],
  ['said', '- master: joined since 2026-11-21T14:00:05.000000000Z, words; 2 gaps'],
] as const)('only a counted log is whole: %s', (proof, words) => {
  const branches = sampleFacts.branches.map(branch => ({...branch, held: {since: at(5), proof, restsOn: 'words'}}));
  expect(format({facts: {...sampleFacts, branches}})).toContain(words);
});

test('before any line came, nothing is claimed', () => {
  const branches = sampleFacts.branches.map(branch => ({...branch, held: undefined}));
  expect(format({facts: {...sampleFacts, branches}})).toContain('- master: no line came yet; 2 gaps');
});

test('the markers are a table, and no word of theirs is Markdown', () => {
  const name = 'web|<b>`x`\u001b[2J';
  const pod = {kind: 'pod', id: 1, at: at(2), change: 'appeared', name, since: undefined} as const;
  const gap = {kind: 'gap', id: 2, at: at(4), after: at(3), before: at(4)} as const;
  const note = format({tally: tallyOf(sourced(pod), sourced(gap))});
  const rows = note.split('\n').filter(row => row.startsWith('|'));
  expect(rows).toEqual([
    '| time | branch | what |',
    '| --- | --- | --- |',
    '| 2026-11-21T14:00:02.000000000Z | master | pod web\\|\\<b\\>\\`x\\`␛ came |',
    expect.stringMatching(/^\| 2026-11-21T14:00:04\.000000000Z \| master \| possible gap, .*: the window moved on \|$/),
  ]);
});

test('only so many markers are in the table, and how many are not is said', () => {
  const markers = Array.from({length: 250}, (_, id) =>
    sourced({kind: 'gap', id, at: at(id), after: at(id), before: at(id)}),
  );
  const note = format({tally: tallyOf(...markers)});
  expect(note.split('\n').filter(row => row.startsWith('| 2026'))).toHaveLength(200);
  expect(note).toContain('50 more are left out here.');
});

test('a mark stands with its note and the lines around it, in a fence that they cannot close', () => {
  const around = [line(1, '```` closes?'), line(2, 'shown\u001b[31m\u202e'), line(3, '``` # no heading')];
  const note = format({marks: [{at: at(2), source: 0, note: '# <script> *so*', around}]});
  expect(note).toContain('### 1. 2026-11-21T14:00:02.000000000Z, master\n\n> \\# \\<script\\> \\*so\\*\n\n`````text\n');
  expect(note).toContain('`````text\nstamp ```` closes?\nstamp shown�\nstamp ``` # no heading\n`````\n');
});

test('what was picked and filtered is said, and whether the filters were through', () => {
  const filters = {
    includes: ['a*b'],
    excludes: ['x'],
    minimumLevel: 'warn',
    contextLines: 0,
    isComplete: false,
  } as const;
  expect(format({chosen: 'picked', facts: {...sampleFacts, filters}})).toContain(
    '- Chosen: lines that were picked, filtered: only lines with a\\*b; no lines with x; level warn or worse; not every line had been tried yet',
  );
});
