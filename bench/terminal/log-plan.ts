/** How a branch's log comes to be. All plans begin with `firstLines` lines that are there already. */
export type LogPlan = {
  readonly firstLines: number;
  /** How many of the newest lines an answer holds. */
  readonly windowLines: number;
} & (
  | {readonly kind: 'timed'; readonly linesPerSecond: number}
  /** Grows with each request, up to so many lines. */
  | {readonly kind: 'stepping'; readonly linesPerRequest: number; readonly linesMax: number}
  /** Grows when it is told to. */
  | {readonly kind: 'told'}
);

/** What the service is told. */
export type ServiceOrder =
  | {readonly kind: 'open'; readonly branch: string; readonly plan: LogPlan}
  | {readonly kind: 'add'; readonly branch: string; readonly lines: number};

/** What the service tells: its port when it listens, and after each answer with a log how far that log has come. */
export type ServiceReport =
  | {readonly kind: 'listening'; readonly port: number}
  | {readonly kind: 'answered'; readonly branch: string; readonly linesLogged: number; readonly requests: number};
