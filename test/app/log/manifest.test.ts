import {expect, test} from 'vitest';
import {defaultPath, formatManifest} from '#app/export/manifest.ts';
import {at, line, sampleFacts, sourced, tallyOf} from './export-samples.ts';

const file = {name: 'x.log', bytes: 100, sha256: 'abc'};

test('tells every kind of marker with its times, in ASCII', () => {
  const tally = tallyOf(
    sourced({kind: 'horizon', id: 0, at: at(0)}),
    line(1, 'one'),
    sourced({
      kind: 'gap',
      id: 2,
      at: at(4),
      after: at(3),
      before: at(4),
      reason: 'unproven',
      proof: 'inferred',
      newLines: 12,
    }),
    sourced({kind: 'pod', id: 3, at: at(5), change: 'gone', name: 'wéb\u202e', since: at(4)}),
    sourced({kind: 'quiet', id: 4, at: at(7), since: at(6)}),
    sourced({
      kind: 'change',
      id: 5,
      at: at(8),
      happenedAt: at(7),
      change: {kind: 'status', before: null, now: 'DEPLOYED'},
    }),
    sourced({
      kind: 'change',
      id: 6,
      at: at(9),
      happenedAt: undefined,
      change: {kind: 'activity', action: 'deploy', status: undefined, createdBy: 'ann'},
    }),
    line(9, 'two', true),
  );
  const text = formatManifest({facts: sampleFacts, tally, chosen: 'filtered', file, version: '1.2.3'});
  expect(text).toMatch(/^[\n -~]*\n$/);
  const stamp = (second: number): string => `2026-11-21T14:00:0${second}.000000000Z`;
  const branchId = 'b-master';
  const {held: _, ...branch} = sampleFacts.branches[0] ?? expect.fail('no branch');
  expect(JSON.parse(text)).toEqual({
    format: 'branchlog manifest',
    formatVersion: 1,
    branchlog: '1.2.3',
    savedAt: '2026-11-21T14:12:00.000000000Z',
    context: sampleFacts.context,
    site: sampleFacts.site,
    branches: [
      {
        ...branch,
        horizon: stamp(0),
        wholeSince: null,
        joinedSince: stamp(5),
        proof: 'inferred',
        restsOn: 'this service does not say how it cuts its windows',
      },
    ],
    file: {...file, lines: 2},
    range: {first: stamp(1), last: stamp(9)},
    chosen: 'filtered',
    filters: sampleFacts.filters,
    lateLines: 1,
    gaps: 1,
    markers: [
      {branchId, at: stamp(0), kind: 'horizon'},
      {
        branchId,
        at: stamp(4),
        kind: 'gap',
        after: stamp(3),
        before: stamp(4),
        reason: 'unproven',
        proof: 'inferred',
        newLines: 12,
      },
      {branchId, at: stamp(5), kind: 'pod', change: 'gone', name: 'wéb\u202e', since: stamp(4)},
      {branchId, at: stamp(7), kind: 'quiet', since: stamp(6)},
      {
        branchId,
        at: stamp(8),
        kind: 'change',
        happenedAt: stamp(7),
        change: {kind: 'status', before: null, now: 'DEPLOYED'},
      },
      {
        branchId,
        at: stamp(9),
        kind: 'change',
        happenedAt: null,
        change: {kind: 'activity', action: 'deploy', createdBy: 'ann'},
      },
    ],
    markersLeftOut: 0,
  });
});

test.each([
  ['counted', {wholeSince: '2026-11-21T14:00:05.000000000Z', joinedSince: null}],
  ['said', {wholeSince: null, joinedSince: '2026-11-21T14:00:05.000000000Z'}],
] as const)('only a counted log is whole: %s', (proof, times) => {
  const branches = sampleFacts.branches.map(branch => ({...branch, held: {since: at(5), proof, restsOn: 'words'}}));
  const text = formatManifest({facts: {...sampleFacts, branches}, tally: tallyOf(), chosen: 'all', file, version: '1'});
  expect(JSON.parse(text).branches[0]).toMatchObject({...times, proof, restsOn: 'words'});
});

test('before any line came, nothing is claimed', () => {
  const branches = sampleFacts.branches.map(branch => ({...branch, held: undefined}));
  const text = formatManifest({facts: {...sampleFacts, branches}, tally: tallyOf(), chosen: 'all', file, version: '1'});
  expect(JSON.parse(text).branches[0]).toMatchObject({wholeSince: null, joinedSince: null, proof: null, restsOn: null});
});

test.each([
  ['shop', ['master'], './shop-master-20261121T141200Z.log'],
  ['../../etc', ['feature/new theme'], './etc-feature-new-theme-20261121T141200Z.log'],
  ['-rf', ['.hidden', 'b', 'c'], './rf-hidden-and-2-more-20261121T141200Z.log'],
  ['日本', ['\u001b]0;x\u0007'], './unnamed-0-x-20261121T141200Z.log'],
  ['s'.repeat(500), ['b'], `./${'s'.repeat(60)}-b-20261121T141200Z.log`],
])('a name made of %j and %j is one for any file system', (siteName, names, path) => {
  const [branch] = sampleFacts.branches;
  const branches = names.flatMap(name => (branch === undefined ? [] : [{...branch, name}]));
  expect(defaultPath({...sampleFacts, site: {id: 'i', name: siteName}, branches}, 'lines')).toBe(path);
});

test('who wrote how many lines is told where the service says it, and a trouble as it was', () => {
  const [entry = expect.fail()] = [line(1, 'one')];
  const tally = tallyOf(
    {...entry, entry: {...entry.entry, source: {pod: 'web-0', container: 'php'}} as never},
    sourced({
      kind: 'change',
      id: 2,
      at: at(2),
      happenedAt: at(2),
      change: {kind: 'trouble', who: 'web-0', reason: 'OOM'},
    }),
  );
  const text = formatManifest({facts: sampleFacts, tally, chosen: 'all', file, version: '1'});
  expect(JSON.parse(text).sources).toEqual([{pod: 'web-0', container: 'php', lines: 1}]);
  expect(JSON.parse(text).markers[0].change).toEqual({kind: 'trouble', who: 'web-0', reason: 'OOM'});
  expect(text.split('\n')[1]).toBe('  "format": "branchlog manifest",');
});

test('the default path of a note, of a site without a name', () => {
  const facts = {...sampleFacts, site: {id: 'site 1', name: undefined}};
  expect(defaultPath(facts, 'incident')).toBe('./incident-site-1-master-20261121T141200Z.md');
  const [branch = expect.fail()] = sampleFacts.branches;
  expect(defaultPath({...facts, branches: [branch, {...branch, name: 'b'}]}, 'lines')).toBe(
    './site-1-master-and-1-more-20261121T141200Z.log',
  );
});
