import {timeKeys} from './key-times.ts';
import type {Measure} from './measure.ts';
import {quantile} from './quantile.ts';
import type {Session, TerminalSize} from './session.ts';
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
  const timeIn = async (branchCount: number, size?: TerminalSize): Promise<number> => {
    const session = stage.startProgram([siteOf(branchCount)], size && {size});
    await session.shows('feature/shop-');
    await session.quiet(500);
    await timePairs(session, warmUpPairs);
    const times = await timePairs(session, keyPairs);
    await session.close();
    return quantile(times, 0.5);
  };
  const [inFew, inMany] = [await timeIn(few), await timeIn(many)];
  return [
    {what: 'list key, 10,000 branches: p50', unit: 'ms', value: inMany, must: 20},
    {
      what: 'list key, 10,000 branches, at 80×24: p50',
      unit: 'ms',
      value: await timeIn(many, {columns: 80, rows: 24}),
      must: 6,
    },
    {what: 'list key, 10,000 branches: p50, times that of 5', unit: '×', value: inMany / inFew, must: 2},
  ];
};
