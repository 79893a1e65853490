import {isPodSources} from '#api/client/log-headers-read.ts';
import type {BranchLog, HeldFacts} from '#log/ingest/branch-log.ts';
import type {Instant} from '#log/line/instant.ts';
import {proofs} from '#log/line/proof.ts';
import type {HeldFrom, HeldTo} from '#log/line/unread.ts';
import {type WindowClaims, windowCuts} from '#log/window/window-claims.ts';
import {readTime} from './held-entries.ts';
import {isCount, readTable} from './json-value.ts';

/** What a service said of its windows. */
export type SaidClaims = Pick<WindowClaims, 'cut' | 'sources'>;

/** Returns what is known of a log besides its entries, as JSON. */
export const storeFacts = ({buffer, ...log}: BranchLog, said: SaidClaims): object => ({
  horizon: textOf(log.horizon),
  heldFrom: log.heldFrom && storeTimes(log.heldFrom),
  heldTo: log.heldTo && storeTimes(log.heldTo),
  wholeSince: textOf(log.wholeSince),
  proof: log.proof,
  gapCount: log.gapCount,
  evictedLines: buffer.evictedLines,
  evictedThrough: textOf(buffer.evictedThrough),
  tooLateLines: buffer.tooLateLines,
  said: {cut: said.cut, sources: said.sources},
});

const textOf = (at: Instant | undefined): string | undefined => (at === undefined ? undefined : String(at));

const storeTimes = ({at, why, ...rest}: HeldFrom | HeldTo): object => ({
  ...{at: String(at), why},
  ...('arrivalsFrom' in rest && {arrivalsFrom: textOf(rest.arrivalsFrom)}),
});

/** Reads what `storeFacts` returned; what is not valid counts as not known. `nextId`: no entry of the log has it. */
export const readFacts = (json: unknown, nextId: number): {readonly facts: HeldFacts; readonly said: SaidClaims} => {
  const table = readTable(json);
  const said = readTable(table.said);
  const sources = isPodSources(said.sources) ? said.sources : undefined;
  return {
    facts: {
      horizon: readTime(table.horizon),
      heldFrom: readHeld(table.heldFrom, heldFromWhys),
      heldTo: readHeld(table.heldTo, heldToWhys),
      wholeSince: readTime(table.wholeSince),
      proof: proofs.find(proof => proof === table.proof) ?? 'inferred',
      gapCount: countOf(table.gapCount),
      evictedLines: countOf(table.evictedLines),
      evictedThrough: readTime(table.evictedThrough),
      tooLateLines: countOf(table.tooLateLines),
      nextId,
    },
    said: {cut: windowCuts.find(cut => cut === said.cut), sources},
  };
};

const heldFromWhys: readonly HeldFrom['why'][] = ['asked', 'file', 'memory', 'start'];
const heldToWhys: readonly HeldTo['why'][] = ['newest'];

const countOf = (value: unknown): number => (isCount(value) ? value : 0);

/** What was unread when the log was saved cannot be read from the file: the first reason stands for that, too. */
const readHeld = <Why extends string>(
  json: unknown,
  whys: readonly Why[],
): {readonly at: Instant; readonly why: Why; readonly arrivalsFrom?: Instant} | undefined => {
  const table = readTable(json);
  const at = readTime(table.at);
  const why = whys.find(each => each === table.why) ?? whys[0];
  const arrivalsFrom = readTime(table.arrivalsFrom);
  return at === undefined || why === undefined
    ? undefined
    : {at, why, ...(arrivalsFrom !== undefined && {arrivalsFrom})};
};
