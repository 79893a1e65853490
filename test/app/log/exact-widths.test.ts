import {expect, test} from 'vitest';
import {branchListWidth, fitBranchColumns} from '#app/lists/branch-rows.ts';
import {columnGap, fitPollColumns, pollColumns, type SourcedPoll} from '#app/log/poll-columns.ts';
import {sampleBranches, serviceStartMs} from '../../support/play.ts';

test('the last column of the branch list stays at exactly the width that it needs, or the spaces narrow, and goes with one cell less', () => {
  const listedWith = {news: new Map(), nowMs: serviceStartMs};
  // The indicator and the mark stand before the columns.
  const room = branchListWidth(sampleBranches, listedWith) - 3;
  const widthsAt = (columns: number): readonly number[] => {
    const {cellsOf} = fitBranchColumns(sampleBranches, columns, listedWith);
    return (['name', 'status', 'pods', 'since'] as const).map(cellsOf);
  };
  const whole = widthsAt(1000);
  expect(whole).toContain('PODS'.length);
  expect(widthsAt(room)).toEqual(whole);
  // Where it is tight, each of the three spaces between the columns is a cell narrower.
  expect(widthsAt(room - 3)).toEqual(whole);
  expect(widthsAt(room - 4)).toEqual(whole.map(width => (width === 'PODS'.length ? 0 : width)));
});

test('the last column of the polls stays at exactly the width that it needs, and goes with one cell less', () => {
  const poll: SourcedPoll = {
    source: 0,
    poll: {
      kind: 'failed',
      atMs: 0,
      nextPollInMs: 2000,
      reason: 'the service refused',
      status: 503,
      errorKind: 'server',
    },
  };
  const all = pollColumns({formatMoment: () => '14:02:11', branchNames: ['master']});
  const titles = (columns: number): readonly string[] => fitPollColumns(all, [poll], columns).map(({title}) => title);
  const widths = fitPollColumns(all, [poll], 1000).map(({width}) => width);
  const room = 2 + widths.reduce((sum, width) => sum + width, 0) + columnGap * (widths.length - 1);
  expect(titles(room)).toEqual(all.map(({title}) => title));
  expect(titles(room - 1)).toEqual(all.map(({title}) => title).slice(0, -1));
});
