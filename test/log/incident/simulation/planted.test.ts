import {expect, test} from 'vitest';
import {findIncident} from '../../../../src/log/incident/find-incident.ts';
import {isTrouble} from '../../../../src/log/incident/incident-finding.ts';
import {finishWork} from '../../../../src/log/work/work.ts';
import {runsOf} from '../../../support/thorough.ts';
import {judgeIncident, kinds} from './judge-incident.ts';
import {randomLog} from './random-log.ts';

// Others are drawn by `node bench/incident.ts`, from SEED.
const seed = Number(process.env.SEED ?? 42);
/** Loud logs take long to make. */
const rateMax = 4;

test(`of planted incidents hardly any is missed, and nearly all begin where they do (SEED=${seed})`, () => {
  const missed = Array.from({length: runsOf(12)}, (_, index) => index).flatMap(index => {
    const kind = kinds[index % kinds.length] ?? 'errors';
    const log = randomLog(seed * 1000 + index, kind, rateMax);
    const {place, offSeconds} = judgeIncident(log, finishWork(findIncident([log.source])));
    return place <= 1 && offSeconds <= 5 ? [] : [`${kind} ${seed * 1000 + index}: place ${place}, ${offSeconds} s off`];
  });
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(1);
});

test(`in calm logs hardly anything is found (SEED=${seed})`, () => {
  const found = Array.from({length: runsOf(12)}, (_, index) => seed * 1000 + 500 + index).flatMap(each =>
    finishWork(findIncident([randomLog(each, undefined, rateMax).source]))
      .findings.filter(isTrouble)
      .map(({what, subject}) => `${each}: ${what} ${subject}`),
  );
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(1);
});
