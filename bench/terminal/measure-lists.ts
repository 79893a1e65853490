import {timeKeys} from './key-times.ts';
import type {Measure} from './measure.ts';
import {quantile} from './quantile.ts';
import type {Session} from './session.ts';
import {siteOf} from './site-of.ts';

const [few, many] = [5, 10_000];
const keyPairs = 60;
/** Not counted: the first keys run code for the first time. */
const warmUpPairs = 10;

const timePairs = async (session: Session, pairs: number): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    times.push(...(await timeKeys(session, 'j', 1)), ...(await timeKeys(session, 'k', 1)));
  }
  return times;
};

/** Measures a key in a list of branches, from the key to the last byte of the answer, in a long list and a short one. */
export const measureLists: Measure = async ({stage}) => {
  const timeIn = async (branchCount: number): Promise<readonly number[]> => {
    const session = stage.startProgram([siteOf(branchCount)]);
    await session.shows('feature/shop-0');
    await session.quiet(500);
    await timePairs(session, warmUpPairs);
    const times = await timePairs(session, keyPairs);
    await session.close();
    return times;
  };
  const [inFew, inMany] = [quantile(await timeIn(few), 0.5), quantile(await timeIn(many), 0.5)];
  return [
    {what: 'list key, 10,000 branches: p50', unit: 'ms', value: inMany},
    {what: 'list key, 10,000 branches: p50, times that of 5', unit: '×', value: inMany / inFew, must: 2},
  ];
};
