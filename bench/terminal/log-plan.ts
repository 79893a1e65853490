/** How a branch's log grows. All plans begin with `firstLines` existing lines. */
export type LogPlan = {
  readonly firstLines: number;
  /** How many of the newest lines an answer contains. */
  readonly windowLines: number;
} & (
  | {readonly kind: 'timed'; readonly linesPerSecond: number}
  /** Grows with each request, up to a maximum number of lines. */
  | {readonly kind: 'stepping'; readonly linesPerRequest: number; readonly linesMax: number}
  /** Grows on command. */
  | {readonly kind: 'told'}
);

/** Messages to the service. */
export type ServiceOrder =
  | {readonly kind: 'open'; readonly branch: string; readonly plan: LogPlan}
  | {readonly kind: 'add'; readonly branch: string; readonly lines: number};

/** Messages from the service: its port when it listens, and after each log answer how far the log has got. */
export type ServiceReport =
  | {readonly kind: 'listening'; readonly port: number}
  | {readonly kind: 'answered'; readonly branch: string; readonly linesLogged: number; readonly requests: number};
