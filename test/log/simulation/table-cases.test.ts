import {expect, test} from 'vitest';
import {findUnseen} from './judge-log.ts';
import {judgeScenario} from './judge-scenario.ts';
import {createSubject} from './subject.ts';
import {tableCases} from './table-cases.ts';
import {watchLooks} from './watch-looks.ts';

for (const {name, build, lost, gaps, fails} of tableCases) {
  (fails ? test.fails : test)(name, () => {
    const watched = watchLooks(build(), createSubject({bufferBytesMax: 1e9}));
    const {gapCount, faults, falseGaps} = judgeScenario(watched);
    expect({
      lost: findUnseen(watched).length,
      gaps: gaps === 'some' && gapCount > 0 ? gaps : gapCount,
      faults: [...faults, ...falseGaps],
    }).toEqual({lost, gaps, faults: []});
  });
}
