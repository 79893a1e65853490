import type {Figure} from './figure.ts';
import type {Million} from './million.ts';
import type {Stage} from './stage.ts';

/** The input of a measure. */
export type Lab = {
  readonly stage: Stage;
  readonly million: () => Promise<Million>;
};

/** A measure and the rows that it yields. */
export type Measure = (lab: Lab) => Promise<readonly Figure[]>;
