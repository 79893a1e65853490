import {describe, expect, test} from 'vitest';
import {ApiError} from '#api/client/api-error.ts';
import {selectLogHeader} from '#app/log/select-log-header.ts';
import {cellWidth} from '#log/text/width.ts';
import {
  answer,
  give,
  header,
  linesOf,
  logOf,
  onBranches,
  openEmptyLog,
  openLogWith,
  type Play,
  sampleBranches,
  sampleState,
  serviceStartMs,
  showScreen,
  startAt,
} from '../../support/play.ts';

// The service's clock shows 14:02:10 when a log is opened; the second poll follows after 250 ms.
const stateRow = ({state}: Play): string => showScreen(state).at(-2) ?? '';

const signedOut = new ApiError('unauthorised', 'token rejected by api.example.com: replace /run/token', {status: 401});
const tooMany = new ApiError('tooManyRequests', 'api.example.com asks to wait', {status: 429});
const broken = new ApiError('server', 'api.example.com answers 500', {status: 500});

/** A log on a wide screen that follows, with its second window. */
const following = (change: Parameters<typeof sampleState>[0] = {}): Play => {
  const play = startAt({...openLogWith(linesOf(100, 120)).state, columns: 120, ...change});
  play.wait(250);
  play.windowArrives(linesOf(100, 121));
  return play;
};

describe('what is said of how the service is reached', () => {
  const context = {
    name: 'prod-eu',
    host: 'api.example.com',
    remarks: [
      {words: 'TLS not checked', isWarning: true},
      {words: 'as jane\u001b[2J', isWarning: false},
    ],
  };

  test('stands in the header of every screen; a warning stays on the narrowest', () => {
    const log = following({context}).state;
    const branches = {...log, screen: 'branches' as const};
    const sites = {...log, screen: 'sites' as const};
    for (const state of [log, branches, sites]) {
      expect(showScreen({...state, columns: 120})[0]).toMatch(/ {3}TLS not checked {3}as jane(?!\u001b)/);
      expect(showScreen({...state, columns: 40})[0]).toContain('TLS not checked');
    }
  });
});

test('what an engine runs are containers', () => {
  const context = {name: 'docker', host: '', parts: 'containers'} as const;
  expect(header(following({context}))).toMatch(/ \d containers? {3}/);
});

describe('one word says how the log stands', () => {
  test('live while answers come in time', () => {
    const play = following();
    play.tickAfter(2000);
    expect(header(play)).toContain('   live   ');
    expect(stateRow(play)).toBe(' following');
  });

  test('stale, with its age, as soon as an answer is late; the row below says what is waited for', () => {
    const play = following();
    play.tickAfter(14_000);
    expect(header(play)).toContain('   stale 14 s   ');
    expect(header(play)).not.toContain('live');
    expect(stateRow(play)).toBe(' waiting for an answer since 14:02:11');
    play.tickAfter(110_000);
    expect(header(play)).toContain('   stale 2 min   ');
    play.windowArrives(linesOf(100, 122));
    expect([header(play).includes('   live   '), stateRow(play)]).toEqual([true, ' following']);
  });

  test('a paused log keeps its place in the row below while the header says stale', () => {
    const play = following();
    give(play, 'goFirst');
    play.tickAfter(14_000);
    expect(header(play)).toContain('stale 14 s');
    expect(stateRow(play)).toContain('paused at');
  });

  test('pods that cannot be read are told beside the word, with the beginning of the cause, while they cannot', () => {
    const play = following({columns: 160});
    const window = linesOf(100, 122);
    const unreadable = {pods: 2, of: 4, why: 'Its node says: unable to retrieve container logs.'};
    play.windowArrives({...window, value: {...window.value, unreadable}});
    expect(header(play)).toContain(
      '   live   2 of 4 pods unreadable: Its node says: unable to retrieve container logs.   ',
    );
    expect(header(startAt({...play.state, columns: 80}))).toContain('live   2 of 4 pods unreadable: Its node');
    const opened = {...play.state.context, parts: 'none'} as const;
    expect(header(startAt({...play.state, context: opened}))).toContain(
      'live   Its node says: unable to retrieve container logs., and 1 more',
    );
    play.windowArrives(window);
    expect(header(play)).not.toContain('unreadable');
  });

  test('what keeps pods from working is told beside the word: a quiet log may be one of which nothing can start', () => {
    const play = following({columns: 120});
    const [source] = play.state.log?.sources ?? [];
    const rest = {
      container: 'php',
      state: 'now' as const,
      reason: 'CrashLoopBackOff ×7',
      message: undefined,
      since: undefined,
    };
    const trouble = (pod: string) => ({pod, ...rest});
    const troubles = [trouble('web-1'), trouble('web-2')];
    const sick = startAt({
      ...play.state,
      log: play.state.log &&
        source && {...play.state.log, sources: [{...source, branch: {...source.branch, troubles}}]},
    });
    expect(header(sick)).toContain('   live   2 pods: CrashLoopBackOff ×7   ');
    expect(header(play)).not.toContain('CrashLoopBackOff');
  });

  test('which of the two still works is told where new pods cannot be seen', () => {
    const play = following({columns: 160});
    const window = linesOf(100, 122);
    const unreadable = {pods: 1, of: 4, why: 'The cluster does not accept you (401).', isBlind: true as const};
    play.windowArrives({...window, value: {...window.value, unreadable}});
    expect(header(play)).toContain(
      '   live   new pods unseen, 3 of 4 logs still come: The cluster does not accept you (401).   ',
    );
  });

  test('items of the answer that are no lines are counted while they are in it, paused or not', () => {
    const play = following();
    const window = linesOf(100, 122);
    play.windowArrives({...window, value: {...window.value, notLines: [0, 3, 3]}});
    expect(stateRow(play)).toBe(' following   3 items are not lines');
    give(play, 'goFirst');
    expect(stateRow(play)).toMatch(/^ paused at 14:01:40 {3}3 items are not lines {3}/);
    play.windowArrives(window);
    expect(stateRow(play)).not.toContain('no line');
  });

  test('items that are no lines are counted where there is no line at all', () => {
    const play = openEmptyLog();
    const {value} = linesOf(100, 99);
    play.windowArrives(answer({...value, lines: [], notLines: [0]}));
    expect(stateRow(play)).toContain('1 item is not a line');
  });

  test('a log that is opened waits for its first answer', () => {
    expect(stateRow(openEmptyLog())).toBe(' waiting for an answer');
  });

  test('slowed after 429, with the real delay and the next poll', () => {
    const play = following();
    for (let count = 0; count < 4; count += 1) {
      play.windowFails(tooMany);
    }
    play.wait(4000);
    play.windowArrives(linesOf(100, 122));
    const delayMs = play.effects.flatMap(effect => (effect.kind === 'pollAfter' ? [effect.delayMs] : []))[0] ?? 0;
    expect(Math.round(delayMs / 1000)).toBe(15);
    expect(header(play)).toContain('   slowed to 15 s   ');
    expect(stateRow(play)).toBe(' following, next poll at 14:02:28');
    play.tickAfter(delayMs + 4000);
    expect(header(play)).toContain('   stale 18 s   ');
    const words: string[] = [];
    for (let second = 123; second < 133; second += 1) {
      play.windowArrives(linesOf(100, second));
      words.push(/live|slowed to \d+ s/.exec(header(play))?.[0] ?? '');
      play.wait(2000);
    }
    expect(words.slice(-3)).toEqual(['slowed to 4 s', 'live', 'live']);
  });

  test('failing and signed out are two words, each with its own beginning', () => {
    const play = following();
    play.wait(2000);
    play.windowFails(broken);
    expect(header(play)).toContain('   failing since 14:02:12   last good 14:02:10');
    play.wait(5000);
    play.windowFails(signedOut);
    expect(header(play)).toContain('   signed out since 14:02:17   last good 14:02:10');
    play.wait(5000);
    play.windowFails(new ApiError('token', 'no token in /run/token'));
    expect(header(play)).toContain('   signed out since 14:02:17   ');
    play.wait(5000);
    play.windowFails(broken);
    expect(header(play)).toContain('   failing since 14:02:27   ');
  });

  test('of several branches the stale one is named, not those that answer', () => {
    const play = openEmptyLog(['master', 'staging']);
    play.windowArrives(linesOf(100, 120), 'b-staging');
    play.windowArrives(linesOf(100, 120), 'b-master');
    play.wait(9000);
    play.windowArrives(linesOf(100, 121), 'b-master');
    expect(header(play)).toContain('staging stale 9 s');
    expect(stateRow(play)).toBe(' staging: waiting for an answer since 14:02:10');
  });

  test('a recording that was played to its end follows nothing', () => {
    const play = following();
    play.windowFails(new ApiError('ended', 'the recording has no more answers'));
    play.tickAfter(60_000);
    expect(header(play)).toContain('   end of the recording   ');
    expect(stateRow(play)).toBe(' at the last line');
  });

  test('quiet since stands beside it, as soon as a minute has passed', () => {
    const play = following();
    for (let second = 0; second < 60; second += 4) {
      play.wait(4000);
      play.windowArrives(linesOf(100, 121));
    }
    expect(header(play)).toContain('lines/min');
    play.tickAfter(1000);
    expect(header(play)).toMatch(/ {3}live {3}.*quiet since 14:02:01$/);
  });

  test('the branches say it too', () => {
    const play = onBranches(sampleBranches, {columns: 120});
    expect(header(play)).toContain('   live   as of 14:02:10');
    play.tickAfter(44_000);
    expect(header(play)).toContain('   stale 44 s   as of 14:02:10');
    play.branchesFail(signedOut);
    expect(header(play)).toContain('   signed out since 14:02:54');
    play.wait(1000);
    play.branchesFail(broken);
    expect(header(play)).toContain('   failing since 14:02:55');
  });
});

describe('a tick', () => {
  test('that changes no word changes nothing', () => {
    const play = following();
    const {state} = play;
    play.tickAfter(1000);
    expect(play.state).toBe(state);
    play.tickAfter(14_000);
    expect(play.state).not.toBe(state);
  });

  test.each([1, 12, 20, 40])('finds its place on a screen of %i columns', columns => {
    for (const play of [following(), startAt(sampleState())]) {
      play.send({kind: 'resized', columns, rows: 24});
      play.windowFails(broken);
      play.send({kind: 'noticed', notice: 'copied 3 lines'});
      play.tickAfter(60_000);
      const widths = showScreen(play.state).map(row => cellWidth(row));
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    }
  });

  test('asks for nothing', () => {
    const play = following();
    play.tickAfter(60_000);
    expect(play.effects).toEqual([]);
  });
});

describe('the next try', () => {
  test('is told until it is under way, then “trying now”', () => {
    const play = following();
    play.windowFails(broken);
    expect(stateRow(play)).toBe(' ! api.example.com answers 500   next try at 14:02:11   r tries now');
    play.tickAfter(2000);
    expect(stateRow(play)).toBe(' ! api.example.com answers 500   trying now');
  });

  test('is under way when its time has come or its key was pressed', () => {
    const play = following();
    play.windowFails(new ApiError('server', 'api.example.com answers 503', {status: 503, retryAfterMs: 60_000}));
    expect(stateRow(play)).toContain('next try at 14:03:10');
    give(play, 'tryNow');
    expect(stateRow(play)).toBe(' ! api.example.com answers 503   trying now');
    play.windowFails(broken);
    expect(stateRow(play)).toContain('next try at');
    play.send({kind: 'pollDue', branchId: 'b-master', generation: play.state.generation});
    expect(stateRow(play)).toContain('trying now');
  });

  test('the same for the branches', () => {
    const play = startAt(sampleState({columns: 120}));
    give(play, 'open');
    play.branchesFail(new ApiError('server', 'api.example.com answers 503', {status: 503, retryAfterMs: 60_000}));
    expect(stateRow(play)).toContain('next try at 14:03:10');
    give(play, 'tryNow');
    expect(stateRow(play)).toBe(' ! api.example.com answers 503   trying now');
  });
});

describe('the token’s time', () => {
  const at = (minutes: number, columns = 120): string =>
    header(following({columns, tokenExpiresAtMs: serviceStartMs + 10_250 + minutes * 60_000}));

  test('stands in the log’s header by the service’s clock', () => {
    expect(at(42)).toContain('   live   token 42 min   ');
    expect(at(400)).toContain('   token 6 h   ');
    expect(at(-1)).toContain('   token expired   ');
    expect(header(following())).not.toContain('token');
  });

  test('colours: dim, yellow below ten minutes, red below two', () => {
    const toneAt = (minutes: number) => {
      const play = following({tokenExpiresAtMs: serviceStartMs + 10_250 + minutes * 60_000});
      return selectLogHeader(play.state, logOf(play)).find(({text}) => text.startsWith('token'))?.tone;
    };
    expect([42, 9, 1, -1].map(toneAt)).toEqual(['dim', 'busy', 'bad', 'bad']);
  });

  test('a narrow header has it only when it is urgent', () => {
    expect(at(42, 60)).not.toContain('token');
    expect(at(9, 60)).toContain('   live   token 9 min');
    expect(at(9, 40)).toContain('live   token 9 min');
  });

  test('ticks count it down', () => {
    const play = following({tokenExpiresAtMs: serviceStartMs + 10_250 + 42 * 60_000});
    play.tickAfter(1000);
    expect(header(play)).toContain('token 41 min');
  });

  test('the lists have the same words', () => {
    const play = startAt(sampleState({tokenExpiresAtMs: serviceStartMs + 10_000 + 42 * 60_000}));
    expect(header(play)).toContain('token 42 min');
    give(play, 'open');
    play.branchesArrive();
    expect(header(play)).toContain('token 42 min');
  });
});

describe('a notice beside a failure', () => {
  const failing = (columns: number, notice: string): Play => {
    const play = following({columns});
    play.windowFails(broken);
    play.send({kind: 'noticed', notice});
    return play;
  };

  test('both are told, without a key', () => {
    expect(stateRow(failing(120, 'copied 3 lines'))).toBe(
      ' ! api.example.com answers 500   copied 3 lines   next try at 14:02:11   r tries now',
    );
    expect(stateRow(failing(80, 'copied 3 lines'))).toBe(
      ' ! api.example.com answers 500   copied 3 lines   next try at 14:02:11',
    );
  });

  test('a long notice is cut to what the failure leaves', () => {
    expect(stateRow(failing(80, `saved ${'x'.repeat(200)}`))).toMatch(
      /^ ! api\.example\.com answers 500 {3}saved x{38,40}…$/,
    );
  });

  test('a long failure leaves room for a notice', () => {
    const play = following({columns: 80});
    play.windowFails(new ApiError('server', 'y'.repeat(200)));
    play.send({kind: 'noticed', notice: 'copied 3 lines'});
    expect(stateRow(play)).toMatch(/^ ! y+… {3}copied 3 lines$/);
  });

  test('a file that is being saved is told beside it too', () => {
    const play = following();
    const {state} = play;
    const saving = {...logOf(play), saving: {kind: 'writing', what: 'lines', path: '/tmp/a.log', share: 0.42}} as const;
    const other = startAt({...state, log: saving});
    other.windowFails(broken);
    expect(stateRow(other)).toContain('! api.example.com answers 500   saving 42 %');
  });

  test('the branches tell both', () => {
    const play = startAt(sampleState({columns: 120}));
    give(play, 'open');
    play.branchesFail(broken);
    play.send({kind: 'noticed', notice: 'copied the value'});
    expect(stateRow(play)).toContain('! api.example.com answers 500   copied the value');
  });
});

test('one line a minute is one line', () => {
  expect(header(openLogWith(linesOf(125, 125)))).toMatch(/ 1 line\/min$/);
  expect(header(openLogWith(linesOf(124, 125)))).toMatch(/ 2 lines\/min$/);
});

test('one branch is one branch', () => {
  const play = startAt(sampleState({columns: 120}));
  give(play, 'open');
  play.send({kind: 'branchesArrived', generation: play.state.generation, answer: answer(sampleBranches.slice(0, 1))});
  expect(header(play)).toContain('1 branch, 0 deployed');
});

describe('a log that never had a line', () => {
  test('says so, until the first comes', () => {
    const play = openEmptyLog();
    expect(header(play)).not.toContain('no line');
    play.windowArrives(linesOf(100, 99));
    expect(header(play)).toContain('   live   no line has come yet');
    play.tickAfter(14_000);
    expect(header(play)).toContain('stale 14 s');
    play.windowArrives(linesOf(100, 101));
    expect(header(play)).not.toContain('no line');
  });

  test('is named beside others', () => {
    const play = openEmptyLog(['master', 'staging']);
    play.windowArrives(linesOf(100, 120));
    play.windowArrives(linesOf(100, 99), 'b-staging');
    expect(showScreen({...play.state, columns: 120})[0]).toContain('   no line from staging yet');
  });
});

test('a slow line is said in the header, until it is quick again', () => {
  const play = openLogWith(linesOf(1, 3));
  play.send({kind: 'linePaced', isSlow: true});
  expect(header(play)).toContain('slow line');
  play.send({kind: 'linePaced', isSlow: false});
  expect(header(play)).not.toContain('slow line');
});
