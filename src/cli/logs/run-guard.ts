import {resolve} from 'node:path';
import {ApiError} from '#api/client/api-error.ts';
import {backoffMs} from '#app/tail/backoff.ts';
import {type CommandInput, flagChoice, flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import {incidentFormats} from '#cli/arguments/shared-flags.ts';
import {chooseBranches, explainSiteError, resolveSiteId} from '#cli/connection/choose-branches.ts';
import {readPreferences, readSettings} from '#cli/connection/read-settings.ts';
import {exitCodes, NotFoundError, UsageError} from '#cli/io/exit-codes.ts';
import {runNotifyCommand} from '#cli/io/run-notify-command.ts';
import {namesFiles, openNamedLog} from '#cli/open/names-files.ts';
import {openService} from '#cli/open/open-service.ts';
import {findStateFolder} from '#config/settings/folders.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {parseDurationMs} from '#log/tokens/time-words.ts';
import {openedId} from '#service/files/opened-backend.ts';
import {createBudget, nextOf} from './guard/budget.ts';
import {createChecks, heldMbMax} from './guard/checks.ts';
import {createGuard, type GuardEvent, type Moment, toStoredGuard} from './guard/state.ts';
import {step} from './guard/step.ts';
import type {GuardRecord} from './guard/stored.ts';
import {GuardFileError, type GuardFiles, historyMax, openGuardFiles} from './guard-files.ts';

/** So many are read in turn: of more, each waits too long. */
const guardedMax = 200;
const perMinuteDefault = 60;
const perMinuteMax = 6000;
/** Branches come and go. */
const listMs = 300_000;
/** Time passes, and silences are read, at least so often. */
const tickMs = 5000;
const saveMs = 10_000;
/** Keeps the loop from spinning while a check is under way. */
const minSleepMs = 100;

const secondsLength = '2026-11-21T14:02:11'.length;

/** Runs `branchlog guard`: watches until it is ended by a signal. */
export const runGuard = async (input: CommandInput): Promise<number> => {
  const {parsed, io, output, say, signal, atEnd} = input;
  const {clock, random, env} = io;
  const perMinuteWord = flagValue(parsed, 'requests-per-minute');
  const perMinute = perMinuteWord === undefined ? perMinuteDefault : Number(perMinuteWord);
  if (!Number.isInteger(perMinute) || perMinute < 2 || perMinute > perMinuteMax) {
    throw new UsageError(`--requests-per-minute: expected a number from 2 to ${perMinuteMax}, got "${perMinuteWord}"`);
  }
  const silences = readSilenceFlags(parsed, clock.nowMs());
  const format = flagChoice(parsed, 'format', incidentFormats) ?? 'text';
  const {notify} = await readPreferences(parsed, io);
  const command = parsed.values.get('notify-command') ?? notify.command;
  const {service, client, log, isOfFiles, words} = await openGuarded(input);
  // A command renews its token by itself, shortly before it expires.
  const isRenewed =
    isOfFiles || parsed.switches.has('kube') || (await readSettings(parsed, io)).context.token.kind === 'command';
  const [siteWord = '', ...branchWords] = words;
  const siteId = isOfFiles ? openedId : resolveSiteId(service.sites, siteWord);
  const stateFolder = findStateFolder(env, io.homeFolder);
  const files =
    stateFolder === undefined ? undefined : openGuardFiles(stateFolder, {contextName: service.name, siteId}, clock);
  if (silences !== undefined) {
    client.close();
    if (files === undefined) {
      throw new UsageError('no home folder: a silence cannot be written down');
    }
    await files.writeSilences({...(await files.readSilences()), ...silences});
    return exitCodes.done;
  }
  if (files === undefined) {
    say('no home folder: reports are not remembered, and are sent again after a restart');
  }

  const faults = new Map<string, string>();
  /** Says what is wrong with something once; again only after it was well. */
  const sayFault = (about: string, words: string | undefined): void => {
    if (words === undefined) {
      faults.delete(about);
    } else if (faults.get(about) !== words) {
      faults.set(about, words);
      say(words);
    }
  };
  const orSay = async <Result>(about: string, using: Promise<Result> | undefined): Promise<Result | undefined> => {
    try {
      const result = await using;
      sayFault(about, undefined);
      return result;
    } catch (error) {
      if (error instanceof GuardFileError) {
        sayFault(about, `${about}: ${error.message}`);
        return undefined;
      }
      throw error;
    }
  };

  const checks = createChecks({client, siteId, log, clock, random, signal, isOfFiles});
  const momentNow = (): Moment => ({monoMs: clock.monotonicMs(), atMs: checks.serviceNowMs()});
  let state = createGuard(siteWord, await orSay('cannot read what the guard knew', files?.readState()), momentNow());
  const broken = Promise.withResolvers<never>();
  const background = (task: Promise<unknown>): void => {
    task.catch(broken.reject);
  };

  let saving: Promise<void> | undefined;
  let isStale = false;
  let unkept: readonly GuardRecord[] = [];
  let savedMs = Number.NEGATIVE_INFINITY;
  const keep = async ({writeState, addHistory}: GuardFiles): Promise<void> => {
    await writeState(toStoredGuard(state));
    const records = unkept;
    if (records.length > 0) {
      await addHistory(records);
      unkept = unkept.filter(record => !records.includes(record));
    }
  };
  const writeNewest = async (): Promise<void> => {
    while (isStale) {
      isStale = false;
      await orSay('cannot keep what was told', files && keep(files));
    }
    saving = undefined;
  };
  /** Resolves when the newest state is written, or that failed, or the disk hangs. */
  const save = (): Promise<void> => {
    savedMs = clock.monotonicMs();
    isStale = true;
    saving ??= writeNewest();
    return saving;
  };
  atEnd(() => {
    // What was being sent is sent again, and was not cut off by surprise.
    state = {...state, notifying: undefined};
    return save();
  });

  // A link names a branch of a site: there is none to a file.
  const told = (record: GuardRecord): GuardRecord => (isOfFiles ? {...record, link: null} : record);
  let printing: Promise<void> = Promise.resolve();
  const print = (record: GuardRecord): void => {
    const row = format === 'json' ? stringifySafe(record) : sanitise(textOf(record));
    printing = printing.then(() => output.write(`${row}\n`, signal));
    background(printing);
  };
  const runCommand = async (record: GuardRecord): Promise<void> => {
    await saving;
    const failure =
      command === undefined ? undefined : await runNotifyCommand({command, records: [record], env, signal});
    signal.throwIfAborted();
    take({kind: 'notified', failure});
  };
  const take = (event: GuardEvent): void => {
    const {state: next, effects} = step(state, event, momentNow());
    state = next;
    for (const effect of effects) {
      switch (effect.kind) {
        case 'print':
          print(told(effect.record));
          unkept = [...unkept, told(effect.record)].slice(-historyMax);
          break;
        case 'say':
          say(effect.sentence);
          break;
        case 'save':
          background(save());
          break;
        case 'notify':
          background(runCommand(told(effect.record)));
          break;
        default:
          effect satisfies never;
      }
    }
  };

  let hasBegun = false;
  /** With the first answer, since it tells the service's clock. */
  const begin = (): void => {
    if (!hasBegun) {
      hasBegun = true;
      take({kind: 'started'});
    }
  };
  const budget = createBudget(perMinute);
  let listedMs: number | undefined;
  let listDueMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  const list = async (): Promise<void> => {
    const isFirst = listedMs === undefined;
    try {
      const asked = {client, sites: service.sites, siteId, siteWord, signal, countMax: guardedMax};
      const chosen =
        branchWords.length > 0
          ? await chooseBranches({...asked, branchWords, say: isFirst ? say : () => {}})
          : (await client.listBranches(siteId, signal)).value.filter(({status}) => status !== null);
      const tooMany = `${chosen.length} branches are built out; only the first ${guardedMax} are watched`;
      sayFault('too many', chosen.length > guardedMax ? tooMany : undefined);
      listedMs = clock.monotonicMs();
      [listDueMs, failures] = [listedMs + listMs, 0];
      const branches = chosen.slice(0, guardedMax);
      checks.watch(branches);
      take({kind: 'listed', branches: branches.map(({_id, name}) => ({id: _id, name}))});
    } catch (thrown) {
      const error = explainSiteError(thrown, service.sites, siteWord);
      if (isFirst ? isMistake(error) : !isForeseen(error)) {
        throw error;
      }
      signal.throwIfAborted();
      const known = error instanceof ApiError ? error : new ApiError('notFound', String(error));
      failures += 1;
      listDueMs = clock.monotonicMs() + backoffMs({error: known, attemptNumber: failures, random: random()});
      budget.spend(clock.monotonicMs(), known);
      begin();
      take({kind: 'listFailed', message: known.message});
    }
  };
  const check = async (id: string): Promise<void> => {
    const {check: seen, error} = await checks.check(id, state.branches.get(id));
    if (error) {
      budget.spend(clock.monotonicMs(), error);
    }
    begin();
    take({kind: 'checked', id, check: seen});
  };

  const watch = async (): Promise<never> => {
    let isListing = false;
    let hasStarted = false;
    let tickedMs = Number.NEGATIVE_INFINITY;
    for (;;) {
      const nowMs = clock.monotonicMs();
      if (hasStarted && nowMs - tickedMs >= tickMs) {
        tickedMs = nowMs;
        const silenced = await orSay('cannot read who is silenced', files?.readSilences());
        const aheadMs = checks.serviceNowMs() - clock.nowMs();
        const until = silenced && Object.entries(silenced).map(([branch, ms]) => [branch, ms + aheadMs]);
        take({kind: 'silenced', silences: until ? Object.fromEntries(until) : state.silences});
        take({kind: 'token', expiresAtMs: isRenewed ? undefined : client.token.expiresAtMs()});
        if (nowMs - savedMs >= saveMs) {
          background(save());
        }
      }
      const next = nextOf(checks.due(state), nowMs);
      if (budget.isFree(nowMs)) {
        if (listDueMs <= nowMs && !isListing) {
          budget.spend(nowMs);
          isListing = true;
          const listing = list().finally(() => {
            isListing = false;
          });
          if (hasStarted) {
            background(listing);
          } else {
            await listing;
            hasStarted = true;
          }
          continue;
        }
        if (next !== undefined) {
          budget.spend(nowMs);
          background(check(next));
          continue;
        }
      }
      const wakeMs = Math.min(tickedMs + tickMs, budget.isFree(nowMs) ? checks.nextDueMs(state) : budget.freeAtMs());
      await clock.sleep(Math.max(minSleepMs, wakeMs - nowMs), signal);
    }
  };
  try {
    return await Promise.race([watch(), broken.promise]);
  } finally {
    client.close();
  }
};

/** Opens what is watched: branches of a service or a cluster, or files as one log, whose name is that of the site. */
const openGuarded = async (input: CommandInput) => {
  const {parsed, io, say} = input;
  if (!(await namesFiles(parsed, io, say, {needsBranch: false}))) {
    return {
      ...(await openService(input, {follow: true, watchedMax: guardedMax})),
      isOfFiles: false,
      words: parsed.operands,
    };
  }
  if (parsed.operands.includes('-')) {
    throw new UsageError('guard watches files, not a pipe, which ends');
  }
  const {name, service, ...opened} = await openNamedLog(input, {heldMb: heldMbMax, follows: true});
  // Its state is that of these files, wherever it is started.
  const paths = parsed.operands.map(path => resolve(path)).join(' ');
  return {...opened, service: {...service, name: paths}, isOfFiles: true, words: [name]};
};

/** A branch that was named may be gone later, or its name may fit several. */
const isForeseen = (error: unknown): boolean =>
  error instanceof ApiError || error instanceof NotFoundError || error instanceof UsageError;

/** At the start, somebody is there to put it right. */
const isMistake = (error: unknown): boolean =>
  !(error instanceof ApiError) || ['notFound', 'badId', 'setting', 'forbidden'].includes(error.kind);

const readSilenceFlags = (parsed: ParsedArguments, nowMs: number): Readonly<Record<string, number>> | undefined => {
  const flags = parsed.values.get('silence');
  return (
    flags &&
    Object.fromEntries(
      flags.map(flag => {
        const [, branch, time] = /^(.+)=([^=]+)$/s.exec(flag) ?? [];
        const ms = time === undefined ? undefined : parseDurationMs(time);
        if (branch === undefined || ms === undefined) {
          throw new UsageError(`--silence: expected BRANCH=TIME such as master=2h, got "${flag}"`);
        }
        return [branch, nowMs + ms];
      }),
    )
  );
};

const textOf = ({at, site, branch, what, text, basis, link, silenced}: GuardRecord): string =>
  [`${at.slice(0, secondsLength)}Z ${branch ?? site}: ${what}${silenced ? ' (silenced)' : ''}: ${text}`, basis, link]
    .filter(part => part !== null)
    .join(' · ');
