import {type Judgement, judgeLogs} from '#cli/logs/run-incident.ts';
import {formatInstant, instantFromMs, parseInstant} from '#log/line/instant.ts';
import {type Answer, quoted} from '../answer.ts';
import {
  type Asked,
  callOf,
  commandLine,
  type Given,
  type HeldLog,
  heldFacts,
  moreBytes,
  type Place,
  shorterLists,
  type Toolbox,
} from '../held-logs.ts';

/** Questions about one log whose answers are kept. */
const judgementsMax = 20;

const isTold = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0);

/** Parts that a verdict lists: the most telling come first. */
const partsMax = 3;
/** Before a finding begins, and of it: an incident's minute. Milliseconds. */
const leadMs = 5_000;
const minuteMs = 60_000;

const minuteOf = ({from}: {readonly from: string}) => {
  const at = parseInstant(from) ?? 0n;
  return {since: formatInstant(at - instantFromMs(leadMs)), to: formatInstant(at + instantFromMs(minuteMs))};
};

function* judgementAnswers(
  {records: [verdict, ...findings]}: Judgement,
  held: HeldLog,
  remarks: readonly string[],
  given: {readonly tool: string; readonly bytesMax: number; readonly asked: Given; readonly own: Place},
): Generator<Answer> {
  const spans = ({from, to}: {readonly from: string; readonly to: string}) => ({from, to});
  const {why, text, asked, covered, uncovered, comparedWith, errors, onset} = verdict;
  const facts = {
    ...heldFacts(held),
    basis: verdict.basis,
    gaps: verdict.gaps,
    remarks,
    verdict: {
      ...{verdict: verdict.verdict, why, text, asked, comparedWith, errors, onset},
      covered: covered.slice(0, partsMax),
      uncovered: uncovered.slice(0, partsMax).map(part => ({...spans(part), reason: part.reason})),
    },
  };
  const [first] = findings;
  const told = findings.map((finding, index) => {
    const {since, until, from, to, line} = finding;
    const isSaid = findings.findIndex(other => other.line === line) < index;
    // Several findings begin with the same line, and most lines with the finding.
    const said = {line: isSaid ? null : line, from: from === since ? null : from, to: to === until ? null : to};
    return Object.fromEntries(Object.entries({...finding, ...said}).filter(([, value]) => isTold(value)));
  });
  const {site, branch, file} = given.own;
  const next = first
    ? [{what: 'its first minute', call: callOf('read_log', {site, branch, file, ...minuteOf(first)})}]
    : [];
  const call = callOf(given.tool, {...given.asked, maxBytes: moreBytes(given.bytesMax)});
  yield* shorterLists(told, facts, {what: 'findings', call, next});
}

type IncidentAsked = Place & {readonly since?: string | undefined; readonly to?: string | undefined};

export const judge = async (
  asked: IncidentAsked & {readonly with?: string | undefined; readonly withFile?: string | undefined},
  tool: string,
  {readLog}: Toolbox,
  {signal, bytesMax}: Asked,
): Promise<Iterable<Answer>> => {
  const held = await readLog(asked, signal);
  const isCompared = tool === 'compare';
  const {site, fresh} = asked;
  const other = isCompared ? await readLog({site, branch: asked.with, file: asked.withFile, fresh}, signal) : undefined;
  const remarks = [...held.remarks, ...(other?.remarks ?? [])];
  const parsed = commandLine('incident', {since: asked.since, to: asked.to});
  const say = (words: string) => remarks.push(words);
  const logs = {...held.logs, other: other?.logs.own[0]};
  const key = JSON.stringify([asked.since, asked.to, asked.with, asked.withFile, other?.readAtMs]);
  const known = held.judgements.get(key);
  const judgement = known ?? (await judgeLogs(logs, {parsed, say, signal, sayForeign: quoted}));
  if (held.judgements.size >= judgementsMax) {
    held.judgements.clear();
  }
  held.judgements.set(key, judgement);
  if (judgement.otherUnreadable !== undefined) {
    remarks.push(judgement.otherUnreadable);
  }
  return judgementAnswers(judgement, held, remarks, {tool, bytesMax, asked: {...asked}, own: asked});
};
