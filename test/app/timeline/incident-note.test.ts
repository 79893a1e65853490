import {describe, expect, test} from 'vitest';
import {formatIncident} from '#app/timeline/incident-note.ts';
import {findIncident, type IncidentReport} from '#log/incident/find-incident.ts';
import {findingOf, type IncidentFinding} from '#log/incident/incident-finding.ts';
import {mergeBuffers} from '#log/view/log-view.ts';
import {finishWork} from '#log/work.ts';
import {at, line, sampleFacts, sourced, tallyOf} from '../log/export-samples.ts';

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

test('a site without a name is called by its id; what the buffer lost, and what was too late, is told', () => {
  const branches = sampleFacts.branches.map(branch => ({
    ...branch,
    horizon: undefined,
    evictedLines: 0,
    tooLateLines: 1,
  }));
  const note = format({facts: {...sampleFacts, site: {id: 'site-1', name: undefined}, branches}});
  expect(note).toContain('# Incident: site-1 › master\n');
  expect(note).toContain('- Site: site-1, id site-1\n');
  expect(note).toContain('- Range: no lines\n');
  expect(note).toContain('40 polls, 1 failed; 1 line came too late for the buffer\n');
  expect(note).not.toContain('left the buffer');
  expect(note).not.toContain('nothing older than');
  expect(format()).toContain('nothing older than 2026-11-21T14:00:00.000000000Z was read; 40 polls');
  expect(format()).not.toContain('too late');
});

test('markers that the tally left out are counted with those that the table leaves out', () => {
  const markers = Array.from({length: 201}, (_, id) => sourced({kind: 'quiet', id, at: at(9), since: at(id)}));
  expect(format({tally: {...tallyOf(...markers), markersLeftOut: 30}})).toContain('\n\n31 more are left out here.');
  expect(format({tally: tallyOf(...markers.slice(1))})).not.toContain('left out');
});

test.each([
  [1, 'only', 'only lines of p0\n'],
  [20, 'without', `no lines of ${Array.from({length: 20}, (_, index) => `p${index}`).join(', ')}\n`],
  [21, 'only', 'p18, p19, 1 other source\n'],
  [200, 'only', 'p18, p19, 180 other sources\n'],
] as const)('of %i sources that were picked, at most twenty are named', (count, kind, words) => {
  const sources = {kind, names: Array.from({length: count}, (_, index) => ({pod: `p${index}`}))};
  const note = format({facts: {...sampleFacts, filters: {...sampleFacts.filters, sources: sources as never}}});
  expect(note).toContain('- Chosen: all lines held, filtered: ');
  expect(note).toContain(words);
});

test('lines of nobody and a range of time are filters too', () => {
  const filters = {
    ...sampleFacts.filters,
    sources: {kind: 'only', names: [{}]},
    range: {from: 'A', to: 'B'},
  } as const;
  expect(format({facts: {...sampleFacts, filters}})).toContain(
    'filtered: only lines of lines without a source; nothing before A; nothing after B\n',
  );
});

test('a text of a mark is cut at a thousand characters, a line at two thousand, a name at two hundred', () => {
  const cutAt = (count: number, letter: string, note: string): boolean =>
    note.includes(letter.repeat(count - 1)) && !note.includes(letter.repeat(count + 1));
  const note = format({
    facts: {...sampleFacts, site: {id: 'site-1', name: 's'.repeat(5000)}},
    marks: [{at: at(2), source: 0, note: 'n'.repeat(5000), around: [line(1, 'l'.repeat(5000))]}],
  });
  expect([cutAt(1000, 'n', note), note.match(/l{100,}/)?.[0].length, cutAt(200, 's', note)]).toEqual([
    true,
    2000 - 'stamp '.length - 1,
    true,
  ]);
});

describe('what is other than before', () => {
  const calm: IncidentReport = {...finishWork(findIncident([])), from: at(0), to: at(60)};
  const finding = (change: Partial<IncidentFinding>): IncidentFinding =>
    findingOf({what: 'rise', of: 'failed', subject: 'POST /pay', since: at(30), ...change});
  const sections = (change: Partial<Parameters<typeof formatIncident>[0]>): string =>
    format(change).split('## What is wrong\n\n')[1]?.split('\n\n## Is anything')[0] ?? '';

  test('is nothing in a calm log, of which it is said what was read', () => {
    const note = sections({incident: calm});
    expect(note).toContain('Read: 2026-11-21T14:00:00.000000000Z to 2026-11-21T14:01:00.000000000Z');
    expect(note).toMatch(/\n\n## What changed\n\nNothing that the lines, the branch or its pods report\.$/);
    expect(note).not.toContain('Watched');
    expect(note).not.toContain('## The first and the last line');
    expect(sections({})).toBe('');
  });

  test('stands in two tables: what is wrong, and what changed; then the lines that prove it', () => {
    const wrong = finding({
      before: 0,
      now: 120,
      unit: 'per minute',
      confidence: 'sure',
      first: {source: 0, id: 1, at: at(30)},
    });
    const changed = finding({what: 'changed', of: 'field', subject: 'image', before: 'a', now: 'b', since: at(20)});
    const incident = {...calm, onset: at(30), findings: [wrong, changed]};
    const note = sections({incident, watched: 'POST /pay: 12/min'});
    expect(note).toContain('\n\nWatched: POST /pay: 12/min.\n\n| since | branch | what |  |\n');
    const rows = note.split('\n').filter(row => row.startsWith('| 2026'));
    expect(rows[0]).toMatch(/^\| 2026-11-21T14:00:30\.000000000Z \| master \| 120\/min POST \/pay \| /);
    expect(rows[1]).toMatch(/^\| 2026-11-21T14:00:20\.000000000Z \| {2}\| image.* \| /);
    expect(note.indexOf('## What changed')).toBeGreaterThan(note.indexOf(rows[0] ?? '?'));
    expect(note.indexOf('## What changed')).toBeLessThan(note.indexOf(rows[1] ?? '?'));
  });
});
