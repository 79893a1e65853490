import {describe, expect, test} from 'vitest';
import {createTally, formatManifest} from '#app/export/manifest.ts';
import {exportScope, gatherFacts} from '#app/log/export-scope.ts';
import {recallLog, toMemory} from '#app/log/memory.ts';
import {readOverlay} from '#app/log/read-log.ts';
import {batchesOf} from '#app/parts/log-parts.ts';
import {announceLog} from '#app/reader/announce/announce-log.ts';
import {addToQueue, emptyQueue, readQueue} from '#app/reader/announce/line-queue.ts';
import {formatIncident} from '#app/timeline/incident-note.ts';
import {toStored} from '#cli/connection/log-memories.ts';
import {decodeBranchState} from '#config/memory/branch-state.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import type {} from '#log/overview/log-memory.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {mergeBuffers} from '#log/view/log-view.ts';
import {finishWork} from '#log/work.ts';
import {startAt} from '../../support/play.ts';
import {answerSummaries} from '../play-summary.ts';
import {arriveSourced, give, nginx, openSourced, otherPhp, paneOf, php, type SourcedLine} from './sourced-log.ts';

const lines: readonly SourcedLine[] = [
  [nginx, 'GET /a'],
  [php, 'ERROR out of memory'],
  [otherPhp, 'ERROR out of memory'],
  [php, 'ERROR out of memory'],
];

const open = (size = {}) => openSourced(lines, {rows: 40, ...size});

const logOf = (play: ReturnType<typeof open>) => play.state.log ?? expect.fail('no log is open');

describe('the summary', () => {
  test('counts errors by source, and Enter shows only that source', () => {
    const play = open();
    give(play, 'toggleSummary');
    answerSummaries(play);
    const rows = paneOf(play);
    const head = rows.findIndex(row => row.startsWith(' errors by source'));
    expect(rows.slice(head, head + 3).map(row => row.trim())).toEqual([
      expect.stringMatching(/^errors by source {2}in 3 lines, 2 different$/),
      expect.stringMatching(/^2 {3}66 % {2}shop-web-7d9c4-abcde php stderr/),
      expect.stringMatching(/^1 {3}33 % {2}shop-web-7d9c4-fghij php stderr/),
    ]);
    give(play, 'nextSection', 'openLine');
    expect(paneOf(play).at(-1)).toContain('only abcde php   2 of 4');
  });

  test('has no such section for a log of one source', () => {
    const play = openSourced([[php, 'ERROR out of memory']], {rows: 40});
    give(play, 'toggleSummary');
    answerSummaries(play);
    expect(paneOf(play).join('\n')).not.toContain('by source');
  });
});

test('the incident says which source carries the errors, without looking for names of pods in lines', () => {
  const {buffer} = logOf(open()).sources[0].tail.log;
  const {findings} = finishWork(
    findIncident([
      {buffer, shapes: noShapes, podNames: ['memory'], wholeSince: undefined, proof: 'counted', knownChanges: []},
    ]),
  );
  expect(findings.filter(({of}) => of === 'pod').map(({subject}) => subject)).toEqual([
    'shop-web-7d9c4-abcde php',
    'shop-web-7d9c4-fghij php',
  ]);
});

describe('what is saved', () => {
  const save = (play: ReturnType<typeof open>) => {
    const scope = exportScope(play.state, logOf(play));
    const tally = createTally();
    for (const batch of batchesOf(scope)) {
      tally.take(batch);
    }
    return {facts: gatherFacts(play.state, logOf(play)), tally: tally.result(), chosen: scope.chosen, version: '1'};
  };

  test('names the sources that were shown, and counts the lines of each', () => {
    const play = open();
    give(play, 'toggleSources', 'moveDown', 'filterIn', 'back');
    const saved = save(play);
    expect(formatIncident({...saved, marks: [], all: mergeBuffers([])})).toContain(
      '- Chosen: all lines held, filtered: only lines of shop-web-7d9c4-abcde php stderr',
    );
    const manifest = JSON.parse(formatManifest({...saved, file: {name: 'a.log', bytes: 1, sha256: ''}}));
    expect(manifest.filters.sources).toEqual({kind: 'only', names: [php]});
    expect(manifest.sources).toEqual([{...php, lines: 2}]);
  });

  test('names no sources if the service says nothing', () => {
    const saved = save(openSourced([[{}, 'GET /a']]));
    expect(JSON.parse(formatManifest({...saved, file: {name: 'a.log', bytes: 1, sha256: ''}}))).not.toHaveProperty(
      'sources',
    );
  });
});

describe('what is remembered of a branch', () => {
  test('has the choice of sources, which hides their lines when the log is opened again', () => {
    const play = open();
    give(play, 'toggleSources', 'togglePause', 'back');
    const memory = toMemory(play.state, logOf(play));
    expect(memory.sourcePick).toEqual({kind: 'hide', names: [nginx]});
    const stored = decodeBranchState(JSON.parse(JSON.stringify(toStored(memory))));
    expect(stored.sourcePick).toEqual(memory.sourcePick);
    const again = open();
    const recalled = recallLog(again.state, logOf(again), memory);
    expect(recalled.log?.sourcePick).toEqual(memory.sourcePick);
    expect(recalled.notice).toBe('as you left it: choice of sources active; X shows all lines');
  });

  test('is forgotten once none of its sources writes any more', () => {
    const shownAfter = (pod: string) => {
      const before = openSourced([]);
      const memory = {...toMemory(before.state, logOf(before)), sourcePick: {kind: 'only', names: [{pod}]} as const};
      const play = startAt(recallLog(before.state, logOf(before), memory));
      arriveSourced(play, [
        [{pod: 'web-1'}, 'a'],
        [{pod: 'web-2'}, 'b'],
      ]);
      return logOf(play).sourcePick?.names;
    };
    expect(shownAfter('web-2')).toEqual([{pod: 'web-2'}]);
    expect(shownAfter('gone')).toBeUndefined();
  });

  test('a choice that is none is dropped', () => {
    expect(decodeBranchState({sourcePick: {kind: 'some', names: []}}).sourcePick).toBeUndefined();
    expect(decodeBranchState({sourcePick: {kind: 'hide', names: [{pod: 1, stream: 'x'}, 'y']}}).sourcePick).toEqual({
      kind: 'hide',
      names: [{stream: 'x'}],
    });
  });
});

describe('the screen reader', () => {
  test('says the source of passing lines once, when it changes', () => {
    const play = open();
    const before = play.state;
    arriveSourced(
      play,
      [
        [nginx, 'one'],
        [nginx, 'two'],
        [php, 'three'],
      ],
      {first: 4},
    );
    const {entries} = announceLog(before, play.state, logOf(play), 'event');
    const {sentences, left} = readQueue(addToQueue(emptyQueue, entries));
    expect(sentences).toEqual(['abcde nginx: 14:00:04 one', '14:00:05 two', 'abcde php: 14:00:06 three']);
    expect(readQueue(addToQueue(left, entries.slice(2))).sentences).toEqual(['14:00:06 three']);
  });

  test('says it when a key goes to a line of another source', () => {
    const play = open({rows: 6});
    give(play, 'goFirst', 'moveDown');
    const spoken = (...commands: Parameters<typeof give>[1][]) =>
      commands.map(command => {
        const before = play.state;
        give(play, command);
        return announceLog(before, play.state, logOf(play), 'key').sentences;
      });
    expect(spoken('moveDown')).toEqual([['abcde php: 14:00:01 ERROR out of memory']]);
  });

  test('reads the list of sources', () => {
    const play = open();
    give(play, 'toggleSources', 'togglePause');
    const {overlay} = logOf(play);
    expect(overlay && readOverlay(play.state, logOf(play), overlay)).toBe(
      'shop-web-7d9c4-abcde, nginx, stdout, 1 line, hidden',
    );
  });
});

test('f in the pods shows the lines of that pod by their source, not by what they say', () => {
  const play = open();
  arriveSourced(play, [], {first: 4, podNames: ['shop-web-7d9c4-abcde']});
  give(play, 'togglePods', 'openLine');
  expect(paneOf(play).join('\n')).toMatch(/Lines held\n +▸? *nginx stdout +1\n +php stderr +2/);
  give(play, 'back', 'filterIn');
  expect(paneOf(play).at(-1)).toContain('only 2 of 3 sources   3 of 4');
});
