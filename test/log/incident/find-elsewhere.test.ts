import {expect, test} from 'vitest';
import {findElsewhere} from '#log/incident/find-elsewhere.ts';
import {findIncident, type IncidentReport} from '#log/incident/find-incident.ts';
import {findingOf} from '#log/incident/incident-finding.ts';
import type {IncidentSource} from '#log/incident/verdict.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {formatClock, instantFromMs} from '#log/line/instant.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import {finishWork} from '#log/work.ts';

type Line = readonly [second: number, text: string];
type Plan = {
  readonly from?: number;
  readonly to?: number;
  readonly every?: number;
  readonly errorsEvery?: number;
  /** Nothing is lost before or after, but between two windows these seconds may be. */
  readonly gap?: readonly [from: number, to: number];
};

const startMs = Date.UTC(2026, 10, 21, 14);
const stamp = (second: number): string =>
  `${new Date(startMs + Math.round(second * 1000)).toISOString().slice(0, -1)}000000Z`;

/** Twenty minutes of orders; from 14:15:00 on every so many seconds an error, in 8 s what took 80 ms, and no payments. */
const sourceOf = (
  {from = 0, to = 1200, every = 1, errorsEvery, gap}: Plan,
  isIll = errorsEvery !== undefined,
): IncidentSource => {
  const lines: readonly Line[] = Array.from({length: to - from}, (_, index) => from + index).flatMap(
    (second): readonly Line[] =>
      second % every > 0
        ? []
        : [
            [second, `level=info msg="order stored" id=${second}`],
            [
              second + 0.1,
              JSON.stringify({
                level: 'info',
                method: 'GET',
                path: '/cart',
                status: 200,
                duration_ms: isIll && second >= 900 ? 8000 + (second % 7) : 80 + (second % 7),
              }),
            ],
            ...(isIll && second >= 900 ? [] : [[second + 0.2, 'level=info msg="payment taken"'] as const]),
            ...(errorsEvery !== undefined && second >= 900 && second % errorsEvery === 0
              ? [[second + 0.5, 'level=error msg="quote refused"'] as const]
              : []),
          ],
  );
  const windows =
    gap === undefined ? [lines] : [lines.filter(([at]) => at < gap[0]), lines.filter(([at]) => at >= gap[1])];
  const log = windows.reduce(
    (held, some) =>
      takeWindow(held, {lines: some.map(([at, text]) => `${stamp(at)} ${text}`), pods: [], cut: 'branch'}).log,
    createBranchLog(1e9),
  );
  return {
    buffer: log.buffer,
    shapes: noShapes,
    podNames: [],
    wholeSince: undefined,
    proof: 'counted',
    knownChanges: [],
  };
};

const here = finishWork(findIncident([sourceOf({errorsEvery: 2})]));

/** `what subject holds`, without what is told twice. */
const compared = (other: Plan, isIll?: boolean, isReadable = true): readonly string[] =>
  finishWork(findElsewhere(here, {branch: 'other', source: sourceOf(other, isIll), isReadable})).findings.flatMap(
    ({what, of, subject, elsewhere}) =>
      elsewhere === undefined
        ? []
        : [
            `${what} ${of === 'errors' ? 'errors' : subject}: ${elsewhere.holds} ${elsewhere.now === undefined ? '-' : Math.round(elsewhere.now)}${elsewhere.holes
              .map(({kind, from, to}) => ` ${kind} ${formatClock(from)} ${formatClock(to)}`)
              .join('')}`,
          ],
  );

const told = (errors: string, cart: string, payments: string): readonly string[] => [
  `rise errors: ${errors}`,
  `new quote refused: ${errors}`,
  `slower GET /cart: ${cart}`,
  `stopped payment taken: ${payments}`,
];

test('what another branch does not have is here only', () => {
  expect(compared({})).toEqual(told('false 0', 'false 86', 'false 60'));
});

test('what it has too is told with its figure', () => {
  expect(compared({errorsEvery: 3})).toEqual(told('true 20', 'true 8006', 'true 0'));
});

test('a few errors of many lines are not as bad; of a tenth of the traffic a tenth of the errors is', () => {
  expect(compared({errorsEvery: 60}).slice(0, 2)).toEqual(['rise errors: false 1', 'new quote refused: false 1']);
  expect(compared({every: 10, errorsEvery: 10})).toEqual(told('true 6', 'true 8006', 'true 0'));
});

test('over a gap nobody can tell what did not come, but what came is certain', () => {
  const gap = ' gap 14:00:00 14:19:59';
  expect(compared({gap: [960, 1020]})).toEqual(told(`unknown 0${gap}`, `unknown 86${gap}`, `false 48${gap}`));
  expect(compared({gap: [960, 1020], errorsEvery: 2})).toEqual(
    told(`true 24${gap}`, `true 8006${gap}`, `unknown 0${gap}`),
  );
});

test('nobody can tell from lines that begin later, from few lines, from none, and from some that could not be read', () => {
  const older = ' older 14:15:00 14:16:40';
  expect(compared({from: 1000})).toEqual(
    told(`unknown 0${older}`, `unknown 86${older}`, 'false 40 older 14:14:59 14:16:40'),
  );
  expect(compared({every: 400})).toEqual(told('unknown 0', 'unknown -', 'unknown 0'));
  const none = 'older 14:15:00 14:19:59';
  expect(compared({to: 0})).toEqual(
    told(`unknown 0 ${none}`, `unknown - ${none}`, `unknown 0 older 14:14:59 14:19:59`),
  );
  const unread = 'gap 14:15:00 14:19:59';
  expect(compared({}, false, false)).toEqual(
    told(`unknown 0 ${unread}`, `unknown 86 ${unread}`, 'false 60 gap 14:14:59 14:19:59'),
  );
});

/** A log of lines as they are, whose service says nothing of who wrote them. */
const sourceWith = (lines: readonly Line[]): IncidentSource => ({
  ...sourceOf({to: 0}),
  buffer: takeWindow(createBranchLog(1e9), {
    lines: lines.toSorted(([a], [b]) => a - b).map(([at, text]) => `${stamp(at)} ${text}`),
    pods: [],
    cut: 'branch',
  }).log.buffer,
});

/** Twenty minutes of orders in three versions; from 14:15:00 on one of them, or all in turn, refuse quotes. */
const versioned = (refusing: readonly string[]): IncidentSource =>
  sourceWith(
    Array.from({length: 1200}, (_, second): readonly Line[] => [
      [second, `level=info msg="order stored" version=2.${second % 3}.0`],
      ...(second >= 900
        ? [[second + 0.5, `level=error msg="quote refused" version=${refusing[second % refusing.length]}`] as const]
        : []),
    ]).flat(),
  );

test("whose lines they mostly are there is told where they are somebody's here", () => {
  const whoElsewhere = (refusingHere: readonly string[], refusing: readonly string[]) => {
    const report = finishWork(findIncident([versioned(refusingHere)]));
    const other = {branch: 'other', source: versioned(refusing), isReadable: true};
    const {findings} = finishWork(findElsewhere(report, other));
    return findings
      .find(({of}) => of === 'kind')
      ?.elsewhere?.who?.map(({field, value, share}) => [field, value, share]);
  };
  expect(whoElsewhere(['2.0.0'], ['2.1.0'])).toEqual([['version', '2.1.0', 1]]);
  // There it is nobody's, and here it is nobody's.
  expect(whoElsewhere(['2.0.0'], ['2.0.0', '2.1.0', '2.2.0'])).toBeUndefined();
  expect(whoElsewhere(['2.0.0', '2.1.0', '2.2.0'], ['2.1.0'])).toBeUndefined();
});

test('what became fewer here is as few there if it fell to half of the way, by the ratio', () => {
  const at = (second: number) => instantFromMs(startMs + second * 1000);
  // From 60 a minute to 15: halfway, by the ratio, are 30.
  const fewer = findingOf({
    ...{what: 'fewer', of: 'message', subject: 'payment taken', since: at(900), unit: 'per minute'},
    ...{before: 60, now: 15, confidence: 'sure', total: 120},
  });
  const report: IncidentReport = {...here, findings: [fewer], to: at(1200)};
  const holdsWith = (every: number) => {
    const source = sourceWith(
      Array.from({length: 1200}, (_, second): readonly Line[] => [
        [second, `level=info msg="order stored" id=${second}`],
        ...(second < 900 || second % every === 0 ? [[second + 0.2, 'level=info msg="payment taken"'] as const] : []),
      ]).flat(),
    );
    const {findings} = finishWork(findElsewhere(report, {branch: 'other', source, isReadable: true}));
    return [findings[0]?.elsewhere?.holds, Math.round(findings[0]?.elsewhere?.now ?? -1)];
  };
  expect([1, 2, 4].map(holdsWith)).toEqual([
    [false, 60],
    [true, 30],
    [true, 15],
  ]);
});
