/** Orders to the outside. They are data; `effect-runner.ts` is the one place that carries them out. */
export type Effect =
  /** Asks for the branches; ends a listing that is under way and its timer. */
  | {readonly kind: 'fetchBranches'; readonly siteId: string; readonly generation: number}
  /** Asks for a branch's window; ends that branch's request under way and its timer, and no other's. */
  | {readonly kind: 'fetchWindow'; readonly siteId: string; readonly branchId: string; readonly generation: number}
  /** Sends `refreshDue` after that time; a later one takes the place of an earlier one. */
  | {readonly kind: 'refreshAfter'; readonly delayMs: number; readonly generation: number}
  /** Sends `pollDue` for that branch after that time; a later one for the branch takes the place of an earlier one. */
  | {readonly kind: 'pollAfter'; readonly branchId: string; readonly delayMs: number; readonly generation: number}
  /** Ends all requests under way and all timers: their answers are no longer wanted. */
  | {readonly kind: 'cancel'}
  | {readonly kind: 'rememberSite'; readonly siteId: string}
  | {readonly kind: 'repaint'}
  | {readonly kind: 'suspend'}
  | {readonly kind: 'exit'};
