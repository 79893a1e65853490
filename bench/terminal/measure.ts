import type {Figure} from './figure.ts';
import type {Million} from './million.ts';
import type {Stage} from './stage.ts';

/** What a measure works with. */
export type Lab = {
  readonly stage: Stage;
  readonly million: () => Promise<Million>;
};

/** One thing to measure, and the rows it comes to. */
export type Measure = (lab: Lab) => Promise<readonly Figure[]>;
