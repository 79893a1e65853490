import {findIncident} from '#log/incident/find-incident.ts';
import {findSince} from '#log/incident/since-change.ts';
import {finishWork} from '#log/work.ts';
import type {DrawnCase, Fault, Row} from './drawn-case.ts';
import {randomOf} from './random.ts';
import {blindRow} from './rows/blind.ts';
import {calmRow} from './rows/calm.ts';
import {changedRow, unchangedRow} from './rows/deployments.ts';
import {gridRow} from './rows/grid.ts';
import {ownedRow, ownerRow} from './rows/owners.ts';
import {plantedRow} from './rows/planted.ts';
import {rollOutRow} from './rows/roll-outs.ts';
import {waveRow} from './rows/waves.ts';

/** What must hold of the verdicts. */
export const rows: readonly Row[] = [
  gridRow,
  blindRow,
  calmRow,
  plantedRow,
  rollOutRow,
  ownerRow,
  ownedRow,
  waveRow,
  changedRow,
  unchangedRow,
];

/** A log of a row, and what is wrong with what was said of it. */
export type Judged = {
  readonly drawn: DrawnCase;
  readonly faults: readonly Fault[];
  readonly tookMs: number;
};

/** Draws a log of a row, and judges what is said of it. `clock`: milliseconds, to measure how long that takes. */
export const judgeOne = (
  {name, draw}: Row,
  {seed, index, linesMax}: {readonly seed: number; readonly index: number; readonly linesMax: number},
  clock: () => number = () => 0,
): Judged => {
  const place = rows.findIndex(row => row.name === name);
  const drawn = draw(randomOf(seed * 100_000 + place * 10_000 + index), index, linesMax);
  const beganAt = clock();
  const {sources, asked} = drawn;
  const faults =
    'judge' in drawn
      ? drawn.judge(finishWork(findIncident(sources, {depth: 'whole', asked})))
      : drawn.judgeSince(finishWork(findSince(sources, asked)));
  return {drawn, faults, tookMs: clock() - beganAt};
};

/** How many of so many logs may fail a measure of a row: in proportion, and at least one if the row allows any. */
export const allowedOf = ({count, allowed}: Row, measure: string, drawnCount: number): number =>
  Math.ceil(((allowed[measure] ?? 0) * drawnCount) / count);
