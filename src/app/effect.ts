/** Orders to the outside. They are data; `effect-runner.ts` is the one place that carries them out. */
export type Effect =
  | {readonly kind: 'fetchBranches'; readonly siteId: string; readonly generation: number}
  | {readonly kind: 'fetchWindow'; readonly siteId: string; readonly branchId: string; readonly generation: number}
  /** Sends `refreshDue` after that time; a later one takes the place of an earlier one. */
  | {readonly kind: 'refreshAfter'; readonly delayMs: number; readonly generation: number}
  /** Ends the request under way and the timer: their answers are no longer wanted. */
  | {readonly kind: 'cancel'}
  | {readonly kind: 'rememberSite'; readonly siteId: string}
  | {readonly kind: 'repaint'}
  | {readonly kind: 'suspend'}
  | {readonly kind: 'exit'};
