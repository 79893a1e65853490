import type {Answer, LogAnswer} from '#api/client/answer.ts';
import type {Command} from '#app/keys/keymap.ts';
import {answer, type Play, sampleBranches, sampleState, startAt} from './sample-state.ts';
import {showScreen} from './show-screen.ts';

export const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
  }
};

/** Types a text into the input line that is open, and takes it. */
export const enter = (play: Play, text: string): void => {
  play.send({kind: 'textTyped', text});
  play.send({kind: 'inputKey', key: 'Enter'});
};

/** Opens the log of master, or of several branches as one, without a window yet. */
export const openEmptyLog = (names: readonly string[] = ['master'], bufferBytesMax = 1_000_000): Play => {
  const play = startAt(
    sampleState({rows: 9, logSettings: {intervalMs: 2000, bufferBytesMax, keepsColour: false, rows: 'laid-out'}}),
  );
  give(play, 'open');
  play.branchesArrive(sampleBranches.filter(({name}) => names.includes(name)));
  for (const _ of names.length > 1 ? names : []) {
    give(play, 'toggleMark', 'moveDown');
  }
  give(play, 'open');
  return play;
};

const clock = (second: number): string => new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString().slice(0, -5);

/** Lines `line N` at the seconds after 14:00:00 from one to another; some of them say error. */
export const linesOf = (from: number, to: number, errors: readonly number[] = []): Answer<LogAnswer> =>
  answer({
    pods: [{name: 'web-0', resourceVersion: '1', metadata: {}, createdAt: undefined}],
    lines: Array.from({length: to - from + 1}, (_, index) => from + index).map(
      second => `${clock(second)}.000000000Z ${errors.includes(second) ? 'ERROR ' : ''}line ${second}`,
    ),
    sessionId: 's',
  });

/** Five rows in the pane: the horizon and lines, a second each. */
export const openLogWith = (window: Answer<LogAnswer>, bufferBytesMax?: number): Play => {
  const play = openEmptyLog(['master'], bufferBytesMax);
  play.windowArrives(window);
  return play;
};

/** The rows of the pane: what stands in the gutter and the line's number, or the words. */
export const paneRows = (play: Play): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .map(row => {
      const number = /line (\d+)/.exec(row)?.[1];
      return number === undefined || row.startsWith('  ◆ ') ? row.trim() : `${row[0]}${number}`;
    });

/** The row that tells what is the matter, or where the reader is. */
export const stateRow = (play: Play): string => showScreen(play.state).at(-2)?.trim() ?? '';
