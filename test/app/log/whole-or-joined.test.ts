import {describe, expect, test} from 'vitest';
import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {gatherFacts} from '#app/log/export-scope.ts';
import {readPollSums} from '#app/log/read-log.ts';
import type {State} from '#app/state/state.ts';
import {give, header, linesOf, logOf, openEmptyLog, openLogWith, type Play, showScreen} from '../../support/play.ts';

type Said = Partial<Pick<LogAnswer, 'cut' | 'sources' | 'arrivals'>>;

const window = (from: number, to: number, said: Said): Answer<LogAnswer> => {
  const answer = linesOf(from, to);
  return {...answer, value: {...answer.value, ...said}};
};

const counted: Said = {cut: 'pod', arrivals: {series: 'a', last: 120, dropped: 100}};

/** The rows of the inspector on a screen of 24 rows. */
const inspector = (play: Play, change: Partial<State> = {}): readonly string[] => {
  give(play, 'toggleInspector');
  return showScreen({...play.state, rows: 24, ...change}).slice(2, -2);
};

const notSaid = 'joined: this service does not say how it cuts its windows';

describe('the header', () => {
  test.each<[string, Said]>([
    ['whole', counted],
    ['joined', {cut: 'branch'}],
    ['joined', {cut: 'source', sources: 2}],
    ['joined', {}],
  ])('says %s of a log whose service says %j', (word, said) => {
    expect(header(openLogWith(window(100, 120, said)))).toContain(`   ${word} since 14:0`);
  });

  test('says it beside the gaps too, and takes back whole from the first answer on that is not numbered', () => {
    const play = openLogWith(window(1, 20, counted));
    play.windowArrives(window(40, 55, {...counted, arrivals: {series: 'a', last: 190, dropped: 160}}));
    expect(header(play)).toContain('1 gap, whole since 14:00:55');
    play.windowArrives(window(40, 55, {cut: 'pod'}));
    expect(header(play)).toContain('1 gap, joined since 14:00:55');
  });

  test('says joined of several branches if one of them is', () => {
    const play = openEmptyLog(['master', 'staging']);
    play.windowArrives(window(100, 120, counted), 'b-master');
    play.windowArrives(window(100, 120, counted), 'b-staging');
    expect(header(play)).toContain('whole since');
    play.windowArrives(window(100, 120, {cut: 'branch'}), 'b-staging');
    expect(header(play)).toContain('joined since');
  });
});

describe('the polls', () => {
  test('say on what the log rests, once', () => {
    expect(inspector(openLogWith(window(100, 120, counted))).at(-1)).toBe(' whole: its lines are numbered');
    const inferred = inspector(openLogWith(window(100, 120, {})));
    expect(inferred.filter(row => row.includes('does not say'))).toEqual([` ${notSaid}`]);
  });

  test('say who said how windows are cut', () => {
    const play = openLogWith(window(100, 120, {cut: 'pod'}));
    expect(inspector(play).at(-1)).toBe(' joined: the service cuts each pod on its own, it says so itself');
    const context = {...play.state.context, cutSaidBy: 'context'} as const;
    expect(showScreen({...play.state, rows: 24, context}).at(-3)).toBe(
      ' joined: the service cuts each pod on its own, the context says so',
    );
  });

  test('name each branch where they differ, and nothing before the first window', () => {
    const play = openEmptyLog(['master', 'staging']);
    expect(inspector(play).at(-1)).toBe('');
    play.windowArrives(window(100, 120, {}), 'b-master');
    play.windowArrives(window(100, 120, {}), 'b-staging');
    expect(showScreen({...play.state, rows: 24}).at(-3)).toBe(` ${notSaid}`);
    const other = openEmptyLog(['master', 'staging']);
    other.windowArrives(window(100, 120, {}), 'b-master');
    other.windowArrives(window(100, 120, counted), 'b-staging');
    expect(inspector(other, {columns: 140}).at(-1)).toBe(
      ` master is ${notSaid}   staging is whole: its lines are numbered`,
    );
    expect(readPollSums(other.state, logOf(other))).toContain(
      `0 gaps. master is ${notSaid}. staging is whole: its lines are numbered. The last ones`,
    );
  });

  test('are read with it', () => {
    const play = openLogWith(window(100, 120, {}));
    expect(readPollSums(play.state, logOf(play))).toBe(
      `1 poll, 0 failed, 21 new lines, 0 gaps. The log is ${notSaid}. The last ones, newest first:`,
    );
  });
});

test('what is exported says it', () => {
  const heldOf = (play: Play) => gatherFacts(play.state, logOf(play)).branches[0]?.held;
  expect(heldOf(openEmptyLog())).toBeUndefined();
  expect(heldOf(openLogWith(window(100, 120, {})))).toMatchObject({
    proof: 'inferred',
    restsOn: 'this service does not say how it cuts its windows',
  });
  expect(heldOf(openLogWith(window(100, 120, counted)))).toMatchObject({
    proof: 'counted',
    restsOn: 'its lines are numbered',
  });
});
