import type {AskedWith} from '#cli/commands/doctor/conformance/run-suite.ts';

/** An answer's JSON, as the tests spoil it. */
export type DoubleAnswer = {
  data: string[];
  podNamesList?: unknown;
  branchlog?: DoubleField | undefined;
  [other: string]: unknown;
};

export type DoubleField = {
  series: unknown;
  first: number;
  numbers?: number[][] | undefined;
  runs: number[][];
  sources: unknown[];
  losses: Record<string, unknown>[];
  pods?: unknown;
};

export type NumberedDouble = {
  answer(headers: AskedWith): DoubleAnswer;
  /** One more line arrives. */
  grow(): void;
  /** Another pod comes, in place of the last one. */
  changePods(): void;
  /** How often it was asked. */
  readonly askedCount: number;
};

const windowLines = 8;

type Held = {readonly number: number; readonly second: number; readonly source: number};

const runsOf = (values: readonly number[], countsUp: boolean): number[][] => {
  const runs: number[][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last && value === (last[0] ?? 0) + (countsUp ? (last[1] ?? 0) : 0)) {
      last[1] = (last[1] ?? 0) + 1;
    } else {
      runs.push([value, 1]);
    }
  }
  return runs;
};

/**
 * A service that keeps to the convention, written from docs/serve.md alone. It holds the last lines to arrive, ordered
 * by time; every fourth line arrives late.
 */
export const createNumberedDouble = (lineCount = 12, series = 'a:b'): NumberedDouble => {
  const held: Held[] = [];
  let pod = 1;
  let askedCount = 0;
  const grow = (): void => {
    const number = held.length + 1;
    held.push({number, second: number % 4 === 0 ? number - 3 : number, source: number % 3 === 0 ? 1 : 0});
  };
  for (let number = 1; number <= lineCount; number += 1) {
    grow();
  }
  const textOf = ({number, second}: Held): string =>
    `2026-11-21T14:00:${String(second).padStart(2, '0')}.000000000Z line ${number}`;
  return {
    grow,
    changePods: () => {
      pod += 1;
    },
    get askedCount() {
      return askedCount;
    },
    answer: ({after, pods}) => {
      askedCount += 1;
      const [, askedSeries, text] = /^(.*):(\d+)$/.exec(after ?? '') ?? [];
      const number = askedSeries === series && Number(text) <= held.length ? Number(text) : undefined;
      const window = held.slice(-windowLines);
      const lines =
        number === undefined
          ? window.toSorted((a, b) => a.second - b.second || a.number - b.number)
          : window.filter(line => line.number > number);
      const tag = `tag-${pod}`;
      const losses = [
        {source: 1, after: '2026-11-21T14:00:06Z', before: '2026-11-21T14:00:09Z', number: 6, why: 'the file was cut'},
        {number: 11, why: 'the disk was full', lines: 3},
      ];
      return {
        ...(pods === tag ? {} : {podNamesList: [{name: `web-${pod}`, resourceVersion: '1', metadata: {}}]}),
        data: lines.map(textOf),
        events: [],
        sessionId: 's',
        branchlog: {
          series,
          first: lines[0]?.number ?? held.length + 1,
          numbers: runsOf(
            lines.map(line => line.number),
            true,
          ),
          runs: runsOf(
            lines.map(({source}) => source),
            false,
          ),
          sources: [
            {pod: 'web-1', container: 'nginx'},
            {pod: 'web-1', container: 'php', stream: 'stderr'},
          ],
          losses: losses.filter(loss => loss.number <= held.length && loss.number > (number ?? 0)),
          pods: tag,
        },
      };
    },
  };
};
