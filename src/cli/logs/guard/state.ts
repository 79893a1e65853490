import {basisWords} from '#app/words/verdict-words.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import {createRecoveryWatch, type RecoveryAnswer, type RecoveryWatch} from '#log/incident/recovery-watch.ts';
import type {Entry} from '#log/line/entry.ts';
import {formatInstant, instantFromMs, parseInstant} from '#log/line/instant.ts';
import {formatDeepLink} from '#log/words/deep-link.ts';
import {matchOf} from './paged.ts';
import type {GuardRecord, StoredBranch, StoredGuard, Told} from './stored.ts';

/** An incident is over when nothing of it came for so long, milliseconds. */
export const quietMs = 300_000;

/** Blindness is told once it lasted so long, and that it is over likewise, milliseconds. */
export const lastingMs = 60_000;

/** Nothing can be seen since then: `told` once that lasted. Times are milliseconds by the monotonic clock. */
export type Blindness = {
  readonly words: string;
  readonly sinceMs: number;
  /** By the service's clock, milliseconds. */
  readonly sinceAtMs: number;
  /** No answer came; or answers say so: a source is silent, or anything else. */
  readonly why: 'outage' | 'silence' | 'other';
  readonly checks: number;
  /** When it was last seen to be so. */
  readonly checkedMs: number;
  /** So long it must last. */
  readonly lastsMs: number;
  readonly told: Told | undefined;
  /** Since when all can be seen again. */
  readonly clearMs: number | undefined;
};

export type BranchState = Omit<StoredBranch, 'blind' | 'closed' | 'open'> & {
  readonly open: (Told & {readonly watch: RecoveryWatch; readonly toldMs: number}) | undefined;
  readonly blind: Blindness | undefined;
  /** `endedMs` is by the monotonic clock, which is not set; undefined: before this guard began. */
  readonly closed: readonly (StoredBranch['closed'][number] & {readonly endedMs?: number})[];
  readonly hasAnswered: boolean;
  /** What stopped, since when that is noticed, and how long it must last to be told, by the monotonic clock. */
  readonly waiting: ReadonlyMap<string, {readonly sinceMs: number; readonly lastsMs: number}>;
};

export type Outgoing = StoredGuard['outbox'][number] & {
  readonly nextMs: number;
};

export type GuardState = {
  /** As it was named. */
  readonly site: string;
  readonly branches: ReadonlyMap<string, BranchState>;
  readonly service: Blindness | undefined;
  readonly lastGoodMs: number;
  /** When the guard last ran, by the service's clock, milliseconds; until it has started, the one before. */
  readonly ranAtMs: number | undefined;
  readonly hasStarted: boolean;
  readonly tokenToldMs: number | undefined;
  readonly silences: Readonly<Record<string, number>>;
  readonly outbox: readonly Outgoing[];
  /** What the notify command is being run for. */
  readonly notifying: GuardRecord | undefined;
};

/** The service's clock, since 1970, and the monotonic one, milliseconds. */
export type Moment = {readonly atMs: number; readonly monoMs: number};

/** The result of a request for the log of a branch. Without a report if the log was not judged again. */
export type Check =
  | {readonly kind: 'failed'; readonly message: string}
  | {
      readonly kind: 'answered';
      readonly answer: RecoveryAnswer;
      readonly entries: readonly Entry[];
      readonly report: IncidentReport | undefined;
    };

export type GuardEvent =
  | {readonly kind: 'started' | 'ticked'}
  | {readonly kind: 'listed'; readonly branches: readonly {readonly id: string; readonly name: string}[]}
  | {readonly kind: 'listFailed'; readonly message: string}
  | {readonly kind: 'checked'; readonly id: string; readonly check: Check}
  | {readonly kind: 'silenced'; readonly silences: Readonly<Record<string, number>>}
  | {readonly kind: 'token'; readonly expiresAtMs: number | undefined}
  | {readonly kind: 'notified'; readonly failure: string | undefined};

export type GuardEffect =
  | {readonly kind: 'print' | 'notify'; readonly record: GuardRecord}
  | {readonly kind: 'say'; readonly sentence: string}
  | {readonly kind: 'save'};

export type GuardStep = {readonly state: GuardState; readonly effects: readonly GuardEffect[]};

export const newBranch = (id: string, name: string): BranchState => ({
  ...{id, name, seenAtMs: null, open: undefined, closed: [], blind: undefined, hasAnswered: false, waiting: new Map()},
});

/** Returns the state of a guard that starts, with what one before it knew. */
export const createGuard = (site: string, stored: StoredGuard | undefined, {monoMs}: Moment): GuardState => ({
  site,
  branches: new Map(
    (stored?.branches ?? []).map(({open, blind, ...branch}) => [
      branch.id,
      {
        ...branch,
        open: open === null ? undefined : {...open, ...watching(open.record.findings), toldMs: monoMs},
        blind: blindOf(blind, monoMs),
        hasAnswered: false,
        waiting: new Map(),
      },
    ]),
  ),
  service: blindOf(stored?.service ?? null, monoMs),
  lastGoodMs: Number.NEGATIVE_INFINITY,
  ranAtMs: stored?.ranAtMs ?? undefined,
  hasStarted: false,
  tokenToldMs: stored?.tokenToldMs ?? undefined,
  silences: {},
  outbox: (stored?.outbox ?? []).map(outgoing => ({...outgoing, nextMs: monoMs})),
  notifying: undefined,
});

export const watching = (findings: GuardRecord['findings']) => ({
  watch: createRecoveryWatch(matchOf(findings), quietMs),
});

const blindOf = (told: Told | null, monoMs: number): Blindness | undefined =>
  told === null
    ? undefined
    : {
        ...{words: told.record.text, sinceMs: monoMs, sinceAtMs: Date.parse(told.record.from)},
        ...{why: 'other', checks: 0, checkedMs: monoMs, lastsMs: lastingMs, told, clearMs: undefined},
      };

const storedTold = (told: Told | undefined): Told | null =>
  told === undefined ? null : {record: told.record, isSent: told.isSent};

/** Returns what the next guard must know. */
export const toStoredGuard = ({site, ranAtMs, service, tokenToldMs, branches, ...rest}: GuardState): StoredGuard => ({
  ...{site, ranAtMs: ranAtMs ?? null, service: storedTold(service?.told), tokenToldMs: tokenToldMs ?? null},
  branches: [...branches.values()].map(({id, name, seenAtMs, open, closed, blind}) => ({
    ...{id, name, seenAtMs, open: storedTold(open), blind: storedTold(blind?.told)},
    closed: closed.map(({keys, endedAt}) => ({keys, endedAt})),
  })),
  outbox: rest.outbox.map(({record, tries, cuts}) => ({
    ...{record, tries},
    cuts: record === rest.notifying ? cuts + 1 : cuts,
  })),
});

export const timeOf = (ms: number): string => formatInstant(instantFromMs(ms));

type Known = Pick<GuardRecord, 'what' | 'site' | 'branch' | 'from' | 'text'> &
  Partial<Pick<GuardRecord, 'to' | 'findings'>>;

/** Returns a record; `report` is on what it rests. */
export const recordOf = (known: Known, {atMs}: Moment, report?: IncidentReport): GuardRecord => {
  const {what, site, branch, from} = known;
  const {comparedWith, proof} = report?.basis ?? {};
  const at = parseInstant(from);
  return {
    kind: 'guard',
    id: [what, site, branch ?? '', what === 'more' ? atMs : from].join(' '),
    at: timeOf(atMs),
    to: null,
    findings: [],
    ...known,
    basis: report === undefined ? null : basisWords(report, formatInstant),
    proof: proof ?? null,
    comparedWith:
      comparedWith === undefined ? null : {from: formatInstant(comparedWith.from), to: formatInstant(comparedWith.to)},
    link: branch === null ? null : formatDeepLink({site, branch, at}),
    silenced: false,
  };
};
