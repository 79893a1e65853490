import type {Command} from '#app/keys/keymap.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {Loss} from '#log/window/window-claims.ts';
import {answer, openBranch, type Play, sampleBranches, showScreen} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

/** A line of a source, each a second after the one before, from 14:00:00 on. */
export type SourcedLine = readonly [source: SourceName, text: string];

export const stamp = (second: number): string =>
  new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString().replace('Z', '000000Z');

export const nginx: SourceName = {pod: 'shop-web-7d9c4-abcde', container: 'nginx', stream: 'stdout'};
export const php: SourceName = {pod: 'shop-web-7d9c4-abcde', container: 'php', stream: 'stderr'};
export const otherPhp: SourceName = {pod: 'shop-web-7d9c4-fghij', container: 'php', stream: 'stderr'};

export const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
    answerSearches(play);
  }
};

/** An answer of a service that numbers its lines, the first with the number `first`, which is also its second. */
export const arriveSourced = (
  play: Play,
  lines: readonly SourcedLine[],
  {
    first = 0,
    losses = [],
    podNames = [],
    branchId = undefined as string | undefined,
  }: {
    readonly first?: number;
    readonly losses?: readonly Loss[];
    readonly podNames?: readonly string[];
    readonly branchId?: string | undefined;
  } = {},
): void => {
  const sources = [...new Set(lines.map(([source]) => source))];
  play.windowArrives(
    answer({
      pods: podNames.map(name => ({name, resourceVersion: '1', metadata: {}, createdAt: undefined})),
      lines: lines.map(([, text], index) => `${stamp(first + index)} ${text}`),
      sessionId: 's',
      numbering: {
        series: 'a',
        first: first + 1,
        sources,
        runs: lines.map(([source]) => [sources.indexOf(source), 1] as const),
        losses,
      },
    }),
    branchId,
  );
  answerSearches(play);
};

/** The log of master, whose lines have sources. */
export const openSourced = (
  lines: readonly SourcedLine[],
  {
    columns = 80,
    rows = 12,
    losses = [],
  }: {readonly columns?: number; readonly rows?: number; readonly losses?: readonly Loss[]} = {},
): Play => {
  const play = openBranch({columns, rows}, sampleBranches);
  arriveSourced(play, lines, {losses});
  return play;
};

/** The rows of the pane that are not blank. */
export const paneOf = (play: Play): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .filter(row => row !== '');
