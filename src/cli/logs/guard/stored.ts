import {z} from 'zod';

const time = z.string();
const value = z.union([z.number(), z.string()]).nullable();

const findingShape = z.object({
  what: z.enum(['rise', 'slower', 'stopped', 'storm', 'new', 'gone', 'fewer', 'changed', 'restart', 'fatal']),
  by: z.enum(['errors', 'kind', 'failed', 'pod', 'status', 'request', 'message', 'source', 'field']),
  /** Foreign text. */
  subject: z.string(),
  since: time,
  until: time.nullable(),
  before: value,
  now: value,
  unit: z.string().nullable(),
});

/** A finding that somebody is paged for. */
export type ToldFinding = z.infer<typeof findingShape>;

const spanShape = z.object({from: time, to: time});

const recordShape = z.object({
  kind: z.literal('guard'),
  /**
   * `found`, `more` of it, `ended`; `blind`, `sees` again; `token`: it is about to expire, `renewed`; `away`: the guard
   * did not run, `unseen`: nor is the log of that time held.
   */
  what: z.enum(['found', 'more', 'ended', 'blind', 'sees', 'token', 'renewed', 'away', 'unseen']),
  /** The same for whatever is told twice. */
  id: z.string(),
  /** When it was told, by the service's clock. */
  at: time,
  site: z.string(),
  /** Null: the whole service. */
  branch: z.string().nullable(),
  from: time,
  /** Null: it goes on. */
  to: time.nullable(),
  text: z.string(),
  basis: z.string().nullable(),
  proof: z.string().nullable(),
  comparedWith: spanShape.nullable(),
  findings: z.array(findingShape),
  link: z.string().nullable(),
  silenced: z.boolean(),
});

/** What is printed, and what the notify command gets. */
export type GuardRecord = z.infer<typeof recordShape>;

const toldShape = z.object({record: recordShape, isSent: z.boolean()});

const branchShape = z.object({
  id: z.string(),
  name: z.string(),
  /** By the service's clock, milliseconds; null before its first answer. */
  seenAtMs: z.number().nullable(),
  open: toldShape.nullable(),
  /** Incidents that ended; the newest last. */
  closed: z.array(z.object({keys: z.array(z.string()), endedAt: time})),
  /** Blindness that was told. */
  blind: toldShape.nullable(),
});

export const storedShape = z.object({
  site: z.string(),
  /** When the guard last ran, by the service's clock. */
  ranAtMs: z.number().nullable(),
  service: toldShape.nullable(),
  tokenToldMs: z.number().nullable(),
  branches: z.array(branchShape),
  /**
   * Records that the notify command has not got; how often it was run and failed, and how often a guard was killed
   * while it ran.
   */
  outbox: z.array(z.object({record: recordShape, tries: z.number(), cuts: z.number()})),
});

export type Told = z.infer<typeof toldShape>;
export type StoredBranch = z.infer<typeof branchShape>;
export type StoredGuard = z.infer<typeof storedShape>;

/** What was told, the newest last. */
export const historyShape = z.array(recordShape);

/** Up to when the reports about a branch were looked at, by its name. */
export const seenShape = z.record(z.string(), time);

/** Until when branches, by name or id, are silenced: milliseconds since 1970. */
export const silencesShape = z.record(z.string(), z.number());
