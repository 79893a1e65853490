import {takeRecoveryAnswer} from '#log/incident/recovery-watch.ts';
import {formatInstant, instantToMs} from '#log/line/instant.ts';
import {blindnessIn, takeReport} from './incidents.ts';
import {
  type Blindness,
  type BranchState,
  type Check,
  type GuardEffect,
  type GuardEvent,
  type GuardState,
  type GuardStep,
  lastingMs,
  type Moment,
  newBranch,
  type Outgoing,
  recordOf,
  timeOf,
} from './state.ts';
import type {GuardRecord} from './stored.ts';

/** What failed is asked for again within half a minute, and may take some seconds to fail again, milliseconds. */
const nearMs = 45_000;
/** A token is renewed by somebody: in time to wake them. */
const tokenLeadMs = 600_000;
/** The first pause after the notify command failed; each further one is twice as long. */
const retryMs = 10_000;
const triesMax = 6;
/** A page that came twice, as far as anybody knows, is not sent again. */
const cutsMax = 2;
/** Nobody reads more; the oldest are dropped. */
const outboxMax = 1000;

/** A silence that is not told may be chance: it takes its own time, whether or not answers fail meanwhile. */
const goBlind = (
  before: Blindness | undefined,
  {words, why, lastsMs}: Pick<Blindness, 'words' | 'why' | 'lastsMs'>,
  {atMs, monoMs}: Moment,
): Blindness => {
  const isTold = before?.told !== undefined;
  if (!isTold && before?.why === 'silence' && why === 'outage') {
    return before;
  }
  const known = isTold || before?.why === 'silence' || why !== 'silence' ? before : undefined;
  return {
    ...(known ?? {sinceMs: monoMs, sinceAtMs: atMs, checks: 0, told: undefined, lastsMs}),
    ...{words, why, checks: (known?.checks ?? 0) + 1, checkedMs: monoMs, clearMs: undefined},
  };
};

const outage = (words: string): Pick<Blindness, 'words' | 'why' | 'lastsMs'> => ({
  ...{words, why: 'outage', lastsMs: lastingMs},
});

/** What was not told is forgotten at once. */
const clear = (before: Blindness | undefined, {monoMs}: Moment): Blindness | undefined =>
  before?.told && {...before, clearMs: before.clearMs ?? monoMs};

/** Two failures that are further apart may be two faults, with all well between them. */
const isLasting = ({told, checks, sinceMs, checkedMs, lastsMs}: Blindness, {monoMs}: Moment): boolean =>
  told === undefined && checks > (checkedMs - sinceMs > nearMs ? 2 : 1) && monoMs - sinceMs >= lastsMs;

const isClear = ({clearMs = Number.POSITIVE_INFINITY}: Blindness, {monoMs}: Moment): boolean =>
  monoMs - clearMs >= lastingMs;

const isSilenced = ({silences}: GuardState, {id, name}: Pick<BranchState, 'id' | 'name'>, atMs: number): boolean =>
  Math.max(silences[name] ?? 0, silences[id] ?? 0) > atMs;

/** Takes an event, and says what is to be done: what is told is told once. */
export const step = (before: GuardState, event: GuardEvent, moment: Moment): GuardStep => {
  const effects: GuardEffect[] = [];
  const {site} = before;
  const hasStarted = before.hasStarted || event.kind === 'started';
  let state = {...before, hasStarted, ranAtMs: hasStarted ? moment.atMs : before.ranAtMs};

  const page = (record: GuardRecord): void => {
    const outbox = [...state.outbox, {record, tries: 0, cuts: 0, nextMs: moment.monoMs}];
    state = {...state, outbox: outbox.slice(-outboxMax)};
  };
  const tell = (record: GuardRecord, isPaged: boolean, isQuiet = false): void => {
    const told = {...record, silenced: isQuiet};
    effects.push({kind: 'print', record: told});
    if (isPaged && !isQuiet) {
      page(told);
    }
  };
  const put = (branch: BranchState): void => {
    state = {...state, branches: new Map(state.branches).set(branch.id, branch)};
  };
  const failed = (words: string): void => {
    // One branch that cannot be read says nothing about the service if others can.
    if (moment.monoMs - state.lastGoodMs > lastingMs || state.service?.told === undefined) {
      state = {...state, service: goBlind(state.service, outage(words), moment)};
    }
  };
  const answered = (): void => {
    const isBack = state.service?.told !== undefined && state.service.clearMs === undefined;
    state = {...state, lastGoodMs: moment.monoMs, service: clear(state.service, moment)};
    for (const branch of isBack ? state.branches.values() : []) {
      // Was that of the service; whether it still cannot be read is yet to be seen.
      if (branch.blind?.why === 'outage' && branch.blind.told === undefined) {
        put({...branch, blind: undefined});
      }
    }
  };

  switch (event.kind) {
    case 'started': {
      const {ranAtMs} = before;
      if (ranAtMs !== undefined && moment.atMs > ranAtMs) {
        const [from, to] = [timeOf(ranAtMs), timeOf(moment.atMs)];
        const text = `the guard did not run from ${from} to ${to}`;
        tell(recordOf({what: 'away', site, branch: null, from, to, text}, moment), moment.atMs - ranAtMs >= lastingMs);
      }
      break;
    }
    case 'ticked':
      break;
    case 'listed': {
      answered();
      const {branches} = state;
      const known = event.branches.map(({id, name}) => ({...(branches.get(id) ?? newBranch(id, name)), name}));
      state = {...state, branches: new Map(known.map(branch => [branch.id, branch]))};
      break;
    }
    case 'listFailed':
      failed(event.message);
      break;
    case 'checked': {
      const {id, check} = event;
      if (check.kind === 'failed') {
        failed(check.message);
      } else {
        answered();
      }
      const branch = state.branches.get(id);
      if (branch === undefined) {
        break;
      }
      if (check.kind === 'failed') {
        put(unanswered(branch, check.message, moment));
      } else {
        take(branch, check);
      }
      break;
    }
    case 'silenced':
      state = {...state, silences: event.silences};
      break;
    case 'token': {
      const {expiresAtMs} = event;
      const {tokenToldMs} = state;
      if (expiresAtMs !== undefined && expiresAtMs !== tokenToldMs) {
        const isSoon = expiresAtMs - moment.atMs <= tokenLeadMs;
        if (isSoon || tokenToldMs !== undefined) {
          const at = timeOf(expiresAtMs);
          const about = isSoon
            ? {what: 'token' as const, text: `the token expires at ${at}`}
            : {what: 'renewed' as const, text: `the token was renewed, and expires at ${at}`};
          tell(recordOf({...about, site, branch: null, from: timeOf(moment.atMs), to: at}, moment), true);
          state = {...state, tokenToldMs: isSoon ? expiresAtMs : undefined};
        }
      }
      break;
    }
    case 'notified': {
      const {notifying, outbox} = state;
      const sent = outbox.find(({record}) => record === notifying);
      state = {...state, notifying: undefined};
      if (sent === undefined) {
        break;
      }
      const {failure} = event;
      const tries = sent.tries + 1;
      const isLast = failure === undefined || tries >= triesMax;
      if (failure !== undefined) {
        const then = isLast ? `given up after ${tries} tries` : 'tried again';
        effects.push({kind: 'say', sentence: `${failure}; ${then}: ${sent.record.id}`});
      }
      const nextMs = moment.monoMs + retryMs * 2 ** (tries - 1);
      const kept = isLast ? [] : [{...sent, tries, nextMs}];
      state = {...state, outbox: outbox.flatMap(each => (each === sent ? kept : [each]))};
      effects.push({kind: 'save'});
      break;
    }
    default:
      event satisfies never;
  }

  function take(branch: BranchState, {answer, entries, report}: Extract<Check, {readonly kind: 'answered'}>): void {
    const {name, seenAtMs, open} = branch;
    const watched = open === undefined ? undefined : {...open, watch: takeRecoveryAnswer(open.watch, answer, entries)};
    const hole = report && blindnessIn(report);
    const blind =
      hole !== undefined
        ? goBlind(branch.blind, hole, moment)
        : report !== undefined || branch.blind?.why === 'outage'
          ? clear(branch.blind, moment)
          : branch.blind;
    const seen = {...branch, open: watched, blind};
    const taken = report ? takeReport(seen, report, site, moment) : {branch: seen, records: []};
    put({...taken.branch, seenAtMs: moment.atMs, hasAnswered: true});
    if (!branch.hasAnswered && seenAtMs !== null && report && instantToMs(report.from) > seenAtMs) {
      const [from, to] = [timeOf(seenAtMs), formatInstant(report.from)];
      const text = `the log from ${from} to ${to} was not seen, and is not held`;
      tell(recordOf({what: 'unseen', site, branch: name, from, to, text}, moment, report), false);
    }
    const isQuiet = isSilenced(state, branch, moment.atMs);
    for (const record of taken.records) {
      // What was found is told below, as soon as it may be.
      if (record.what !== 'found' || isQuiet) {
        tell(record, record.what !== 'ended' || open?.isSent === true, isQuiet);
      }
    }
  }

  // What is due, whatever the event.
  const {service} = state;
  if (service !== undefined && isLasting(service, moment)) {
    const text = `the service cannot be read: ${service.words}`;
    const record = recordOf({what: 'blind', site, branch: null, from: timeOf(service.sinceAtMs), text}, moment);
    tell(record, true);
    state = {...state, service: {...service, told: {record, isSent: true}}};
  } else if (service?.told && isClear(service, moment)) {
    tell(seesAgain(service.told.record, moment), true);
    state = {...state, service: undefined};
  }
  for (const branch of state.branches.values()) {
    const {blind, open, name} = branch;
    const isQuiet = isSilenced(state, branch, moment.atMs);
    if (open?.isSent === false && !isQuiet) {
      tell(open.record, true);
      put({...branch, open: {...open, isSent: true}});
    }
    const isOfService =
      blind?.why === 'outage'
        ? state.service !== undefined
        : blind?.why === 'silence' && state.service?.told !== undefined;
    const now = state.branches.get(branch.id) ?? branch;
    if (blind && !isOfService && isLasting(blind, moment)) {
      const known = {what: 'blind' as const, site, branch: name, from: timeOf(blind.sinceAtMs)};
      const record = recordOf({...known, text: `the log cannot be seen: ${blind.words}`}, moment);
      tell(record, true, isQuiet);
      put({...now, blind: {...blind, told: {record, isSent: !isQuiet}}});
    } else if (blind?.told && isClear(blind, moment)) {
      tell(seesAgain(blind.told.record, moment), blind.told.isSent, isQuiet);
      put({...now, blind: undefined});
    } else if (blind?.told?.isSent === false && !isQuiet) {
      page(blind.told.record);
      put({...now, blind: {...blind, told: {...blind.told, isSent: true}}});
    }
  }
  const isCut = ({cuts}: Outgoing): boolean => cuts >= cutsMax;
  for (const {record} of state.outbox.filter(isCut)) {
    const sentence = `given up, since the guard was killed twice while it sent it: ${record.id}`;
    effects.push({kind: 'say', sentence});
  }
  state = {...state, outbox: state.outbox.filter(outgoing => !isCut(outgoing))};
  const due = state.notifying === undefined ? nextDue(state.outbox, moment) : undefined;
  state = {...state, notifying: state.notifying ?? due};
  if (effects.length > 0 || due || state.outbox.length > before.outbox.length) {
    effects.push({kind: 'save'});
  }
  if (due) {
    effects.push({kind: 'notify', record: due});
  }
  return {state, effects};
};

/** Records of a branch keep their order, and wait for none of another one. */
const nextDue = (outbox: readonly Outgoing[], {monoMs}: Moment): GuardRecord | undefined => {
  const firsts = new Map<string | null, Outgoing>();
  for (const outgoing of outbox) {
    const {branch} = outgoing.record;
    firsts.set(branch, firsts.get(branch) ?? outgoing);
  }
  return [...firsts.values()].find(({nextMs}) => nextMs <= monoMs)?.record;
};

const unanswered = (branch: BranchState, words: string, moment: Moment): BranchState => ({
  ...branch,
  open: branch.open && {...branch.open, watch: takeRecoveryAnswer(branch.open.watch, undefined, [])},
  blind: goBlind(branch.blind, outage(words), moment),
});

const seesAgain = ({site, branch, from}: GuardRecord, moment: Moment): GuardRecord =>
  recordOf(
    {...{what: 'sees', site, branch, from, to: timeOf(moment.atMs)}, text: 'all of it can be read again'},
    moment,
  );
