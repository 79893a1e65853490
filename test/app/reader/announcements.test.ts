import {describe, expect, test} from 'vitest';
import {openPrompt} from '#app/keys/prompt.ts';
import {readCurrentEntry, readLogPlace, readOverlay} from '#app/log/read-log.ts';
import {
  announceBranches,
  announceSites,
  readBranchesPlace,
  readSitesPlace,
} from '#app/reader/announce/announce-lists.ts';
import {announceLog, retryWords} from '#app/reader/announce/announce-log.ts';
import {addToQueue, emptyQueue, type HeardEntry, readQueue} from '#app/reader/announce/line-queue.ts';
import {createAnnouncer} from '#app/reader/announcer.ts';
import {branchNews} from '#app/reader/read/read-branch.ts';
import {announcePrompt, createReader, readPrompt} from '#app/reader/reader.ts';
import {listItems, placeInList, readEntry} from '#app/rows/read-entry.ts';
import type {BranchesState, LogState, State} from '#app/state/state.ts';
import {createStore} from '#app/store.ts';
import {
  answer,
  decode,
  enter,
  give,
  linesOf,
  onBranches,
  openEmptyLog,
  openLogWith,
  type Play,
  refused,
  sampleBranches,
  sampleState,
  serviceStartMs,
  startAt,
  typeFilter,
  windowOf,
} from '../../support/play.ts';

const branchesOf = ({branches}: State): BranchesState => branches ?? expect.fail();
const logOf = ({log}: State): LogState => log ?? expect.fail();

/** What is said of the branches after a step. */
const afterStep = (play: Play, step: () => void): readonly string[] => {
  const before = play.state;
  step();
  return announceBranches(before, play.state, branchesOf(play.state));
};

describe('the sites', () => {
  const heard = (play: Play, step: () => void): readonly string[] => {
    const before = play.state;
    step();
    return announceSites(before, play.state);
  };

  test('begin with the context, its remarks, and what is highlighted', () => {
    const place = (name: string, host: string, remarks: object[] = []): readonly string[] =>
      readSitesPlace(sampleState({context: {name, host, remarks} as never}));
    expect(place('production', 'api.example.com')[0]).toBe('Sites of production, api.example.com.');
    expect(place('api.example.com', 'api.example.com')[0]).toBe('Sites of api.example.com.');
    expect(place('api.example.com', 'api.example.com:8443')[0]).toBe('Sites of api.example.com:8443.');
    expect(
      place('a', 'b', [
        {words: 'no TLS', isWarning: true},
        {words: 'demo', isWarning: false},
      ]).slice(1, 3),
    ).toEqual(['Warning: no TLS.', 'demo.']);
    expect(readSitesPlace(sampleState({sites: []})).at(-1)).toMatch(
      /^No site is configured, and none was opened yet\. Press .* and type the id of a site\.$/,
    );
    expect(readSitesPlace(sampleState()).at(-1)).toContain('item 1 of 3, selected');
  });

  test('tell a move, a filter and how many fit it, and that it was cleared', () => {
    const play = startAt(sampleState());
    expect(heard(play, () => give(play, 'moveDown'))).toEqual([expect.stringContaining('shipping')]);
    expect(heard(play, () => play.send({kind: 'ticked'}))).toEqual([]);
    expect(heard(play, () => give(play, 'openFilter'))).toEqual([
      'Filter: type a name, or the id of a site. Enter opens, Escape clears.',
    ]);
    expect(heard(play, () => play.send({kind: 'textTyped', text: 'blo'}))[0]).toBe('Filter blo: 2.');
    expect(heard(play, () => play.send({kind: 'inputKey', key: 'ClearLine'}))[0]).toBe('Filter cleared.');
    expect(heard(play, () => give(play, 'toggleHelp'))).toEqual([]);
  });

  test('tell that one is back, and another context as a place', () => {
    const play = onBranches();
    expect(heard(play, () => give(play, 'back'))).toEqual(['Back to the sites.', expect.stringContaining('shop')]);
    const contexts = [
      {label: {name: 'production', host: 'a'}, sites: sampleState().sites},
      {label: {name: 'staging', host: 'b'}, sites: []},
    ];
    const other = startAt(sampleState({contexts, context: {name: 'production', host: 'a'}}));
    expect(heard(other, () => give(other, 'nextContext'))[0]).toBe('Sites of staging, b.');
    const none = startAt(sampleState({sites: []}));
    give(none, 'openFilter');
    expect(heard(none, () => play.send({kind: 'ticked'}))).toEqual([]);
  });
});

describe('the branches', () => {
  test('begin with their site, and what was answered', () => {
    const play = startAt(sampleState());
    expect(afterStep(play, () => give(play, 'open'))).toEqual(['Branches of shop.', 'Asking the service for them.']);
    expect(afterStep(play, () => play.branchesFail())).toEqual([
      expect.stringMatching(/^Retrying in 1 s: api\.example\.com:443 refused\.$/),
    ]);
    expect(readBranchesPlace(play.state, branchesOf(play.state)).at(-1)).toMatch(/^Retrying in/);
    const said = afterStep(play, () => play.branchesArrive());
    expect(said.slice(0, 2)).toEqual(['The service answers again.', '5 branches, 1 deployed.']);
    play.branchesFail();
    expect(readBranchesPlace(play.state, branchesOf(play.state))[1]).toBe('5 branches, 1 deployed.');
  });

  test('that are none are told as such, and nothing is highlighted', () => {
    const play = startAt(sampleState());
    give(play, 'open');
    expect(afterStep(play, () => play.branchesArrive([]))).toEqual(['This site has no branches.']);
  });

  test('tell a listing only for what it changed, and a failure once', () => {
    const play = onBranches();
    expect(afterStep(play, () => play.branchesArrive())).toEqual([]);
    expect(afterStep(play, () => play.branchesFail())).toHaveLength(1);
    expect(afterStep(play, () => play.branchesFail())).toEqual([]);
    const again = afterStep(play, () => play.branchesArrive(sampleBranches.slice(1)));
    expect(again[0]).toBe('The service answers again.');
    const faulty = (skipped: number): readonly string[] =>
      afterStep(play, () =>
        play.send({
          kind: 'branchesArrived',
          generation: play.state.generation,
          answer: {...answer(sampleBranches.slice(1)), skipped: Array.from({length: skipped}, () => 'x') as never},
        }),
      );
    expect(faulty(1)).toEqual(['1 part of the answer is not as described.']);
    expect(faulty(1)).toEqual([]);
    expect(faulty(2)).toEqual(['2 parts of the answer are not as described.']);
  });

  test('tell moves, marks, choices of rows, orders and filters', () => {
    const play = onBranches();
    expect(afterStep(play, () => give(play, 'moveDown'))).toEqual([expect.stringContaining('staging')]);
    expect(afterStep(play, () => give(play, 'toggleMark'))).toEqual(['Marked, 1 marked in all.']);
    expect(afterStep(play, () => give(play, 'toggleMark'))).toEqual(['No longer marked, 0 marked in all.']);
    expect(afterStep(play, () => give(play, 'toggleDeployed'))).toEqual([
      'Only deployed branches: 1 of 5.',
      expect.stringContaining('master'),
    ]);
    expect(afterStep(play, () => give(play, 'toggleFaults'))[0]).toBe('Only branches where something failed: 1 of 5.');
    expect(afterStep(play, () => give(play, 'toggleFaults'))[0]).toBe('All branches: 5 of 5.');
    expect(afterStep(play, () => give(play, 'nextOrder'))).toEqual(['Order: needs you first.']);
    expect(afterStep(play, () => typeFilter(play, 'zzz'))).toEqual(['Filter zzz: 0 of 5.', 'Nothing fits.']);
    expect(afterStep(play, () => play.send({kind: 'inputKey', key: 'Esc'}))[0]).toBe('Filter cleared.');
    expect(afterStep(play, () => give(play, 'openFilter'))).toEqual([
      'Filter: type a name, an id or a status. Enter opens the log, Escape clears.',
    ]);
  });

  test('that nothing fits say so, in a choice of rows too', () => {
    const play = onBranches(sampleBranches.filter(({status}) => status === null));
    expect(afterStep(play, () => give(play, 'toggleDeployed'))).toEqual([
      'Only deployed branches: 0 of 1.',
      'Nothing fits.',
    ]);
  });

  test('tell that one is back from a log', () => {
    const play = onBranches();
    give(play, 'open');
    play.windowArrives(windowOf(1));
    expect(afterStep(play, () => give(play, 'back'))).toEqual([
      'Back to the branches.',
      expect.stringContaining('master'),
    ]);
  });

  test('tell the fields of a record, and no secret', () => {
    const built = decode({...sampleBranches[1], _id: 'b', name: 'main', dbPassword: 'x'});
    const play = onBranches(built, {columns: 140, rows: 80});
    expect(afterStep(play, () => give(play, 'enterDetails'))).toEqual([expect.stringMatching(/^name: main\.$/)]);
    expect(afterStep(play, () => give(play, 'moveDown'))).toEqual([expect.stringMatching(/^id: b\.$/)]);
    for (let steps = 0; !/password: \*/.test(afterStep(play, () => give(play, 'moveDown')).join('')); steps++) {
      expect(steps).toBeLessThan(60);
    }
    expect(afterStep(play, () => give(play, 'revealSecret'))).toEqual([
      expect.stringMatching(/^Secrets are not read out\. Press .* to copy it\.$/),
    ]);
    expect(afterStep(play, () => play.send({kind: 'ticked'}))).toEqual([]);
    expect(afterStep(play, () => give(play, 'back'))).toEqual(['Back in the list.']);
  });
});

test.each([
  [0, 'Retrying in 1 s: refused.'],
  [1000, 'Retrying in 1 s: refused.'],
  [2000, 'Retrying in 2 s: refused.'],
])('a failure says when the next try is: in %i milliseconds', (delayMs, words) => {
  expect(retryWords('refused', delayMs)).toBe(words);
});

describe('the log', () => {
  const heard = (play: Play, step: () => void, cause: 'key' | 'event' = 'event') => {
    const before = play.state;
    step();
    return announceLog(before, play.state, logOf(play.state), cause);
  };
  const texts = (entries: readonly HeardEntry[]): readonly string[] =>
    entries.map(({entry}) => (entry.kind === 'line' ? entry.raw.slice(31) : entry.kind));

  test('begins with its last ten entries, then has what is new', () => {
    const play = openEmptyLog();
    const first = heard(play, () => play.windowArrives(linesOf(1, 30)));
    expect(first.sentences).toEqual(['30 lines since 14:00:01, the last 10:']);
    expect(texts(first.entries)).toEqual(Array.from({length: 10}, (_, index) => `line ${index + 21}`));
    const next = heard(play, () => play.windowArrives(linesOf(1, 32)));
    expect([next.sentences, texts(next.entries)]).toEqual([[], ['line 31', 'line 32']]);
    expect(next.entries[0]).not.toHaveProperty('source');
    const few = openEmptyLog();
    expect(heard(few, () => few.windowArrives(linesOf(1, 3))).sentences).toEqual(['3 lines since 14:00:01:']);
  });

  test('that is empty says so, with what keeps its pods from working', () => {
    const troubles = ['a', 'b', 'c', 'd'].map(pod => ({pod, reason: `r-${pod}`, state: 'now'}));
    const play = onBranches(decode({_id: 'b', name: 'main', status: 'A', troubles}));
    give(play, 'open');
    expect(heard(play, () => play.windowArrives(windowOf())).sentences).toEqual([
      'The log has no lines yet. They are read as they come. a: r-a. b: r-b. c: r-c.',
    ]);
  });

  test('of several branches says whose, and shares the first entries', () => {
    const play = openEmptyLog(['master', 'staging']);
    const {sentences, entries} = heard(play, () => play.windowArrives(linesOf(1, 30), 'b-staging'));
    expect(sentences).toEqual(['staging: 30 lines since 14:00:01, the last 5:']);
    expect(entries.map(({whose}) => whose)).toEqual(Array.from({length: 5}, () => 'staging'));
  });

  test('tells failures once, their end, and the end of a recording', () => {
    const play = openLogWith(linesOf(1, 3));
    expect(heard(play, () => play.windowFails()).sentences).toEqual(['Retrying in 1 s: api.example.com:443 refused.']);
    expect(heard(play, () => play.windowFails()).sentences).toEqual([]);
    expect(heard(play, () => play.windowArrives(linesOf(1, 3))).sentences).toEqual(['The log is read again.']);
    expect(heard(play, () => play.windowFails({...refused, kind: 'ended'} as never)).sentences).toEqual([
      'This is the end of the recording.',
    ]);
    expect(heard(play, () => play.windowFails({...refused, kind: 'ended'} as never)).sentences).toEqual([]);
  });

  test('tells once what is no line, and that the oldest lines leave', () => {
    const play = openLogWith(linesOf(1, 40), 3000);
    const spoilt = (seconds: number) => {
      const window = linesOf(1, seconds);
      return {...window, value: {...window.value, notLines: [0]}};
    };
    expect(heard(play, () => play.windowArrives(spoilt(41))).sentences).toEqual([expect.stringContaining('1 ')]);
    expect(heard(play, () => play.windowArrives(spoilt(42))).sentences).toEqual([]);
    expect(heard(play, () => play.windowArrives(linesOf(1, 80))).sentences).toEqual([
      'From now on the oldest lines leave what is held.',
    ]);
    expect(heard(play, () => play.windowArrives(linesOf(30, 90))).sentences).toEqual([]);
  });

  test('tells where it pauses, moves and follows, for a key only', () => {
    const play = openLogWith(linesOf(1, 40));
    play.send({kind: 'resized', columns: 200, rows: 5});
    const key = (...commands: Parameters<typeof give>[1][]) =>
      heard(play, () => give(play, ...commands), 'key').sentences;
    expect(key('togglePause')).toEqual(['Paused at 14:00:40.']);
    expect(key('moveUp')).toEqual([expect.stringContaining('line 39')]);
    expect(key('goLast')).toEqual(['Following again.']);
    expect(key('moveUp')).toEqual(['Paused.', expect.stringContaining('line 39')]);
    expect(key('toggleFolds')).toEqual([]);
    expect(heard(play, () => give(play, 'moveUp'), 'event').sentences).toEqual([]);
  });

  test('tells the pane that opens over it, and that one is back', () => {
    const play = openLogWith(linesOf(1, 40));
    const key = (...commands: Parameters<typeof give>[1][]) =>
      heard(play, () => give(play, ...commands), 'key').sentences;
    expect(key('toggleInspector')[0]).toMatch(/^1 poll/);
    expect(key('back')).toEqual(['Back to the log.']);
    expect(key('togglePods')[0]).toMatch(/^1 pod/);
    const {log} = play.state;
    expect(readOverlay(play.state, log ?? expect.fail(), {kind: 'inspector', topAtMs: undefined})).toContain('200');
    const empty = openEmptyLog();
    expect(readOverlay(empty.state, logOf(empty.state), {kind: 'inspector', topAtMs: undefined})).toBe(
      'No poll has ended yet.',
    );
  });

  test('has a current entry: the newest that is followed, else the one in the top row', () => {
    const play = openLogWith(linesOf(1, 40));
    expect(readCurrentEntry(play.state, logOf(play.state))).toContain('line 40');
    give(play, 'moveUp');
    expect(readCurrentEntry(play.state, logOf(play.state))).toContain('line 35');
    const empty = openEmptyLog();
    expect(readCurrentEntry(empty.state, logOf(empty.state))).toBeUndefined();
    expect(readLogPlace(play.state, logOf(play.state)).length).toBeGreaterThan(1);
  });
});

describe('an input line', () => {
  const heard = (play: Play, step: () => void): readonly string[] => {
    const before = play.state;
    step();
    return announcePrompt(before, play.state);
  };

  test('says what it is for, what is chosen, and what it holds', () => {
    const play = openLogWith(linesOf(1, 5));
    expect(heard(play, () => give(play, 'openPalette'))).toEqual([expect.stringMatching(/^Command: /)]);
    expect(heard(play, () => play.send({kind: 'inputKey', key: 'Down'}))).toEqual([
      expect.stringMatching(/; item 2 of \d+, selected$/),
    ]);
    expect(heard(play, () => play.send({kind: 'textTyped', text: 'zzz'}))).toEqual(['zzz: nothing fits.']);
    expect(heard(play, () => play.send({kind: 'ticked'}))).toEqual([]);
    expect(heard(play, () => give(play, 'openSearch'))).toEqual([expect.stringMatching(/^Search for: /)]);
    expect(heard(play, () => play.send({kind: 'textTyped', text: 'ab'}))).toEqual(['ab']);
    expect(readPrompt(play.state, openPrompt('search'))).toBe('Nothing is typed.');
    expect(heard(play, () => enter(play, 'x'))).toEqual([]);
  });
});

describe('what is read', () => {
  const line = (id: number, source?: string, raw = `line ${id}`): HeardEntry => ({
    entry: {kind: 'line', id, at: 0n, raw, textIndex: 0, late: false},
    whose: undefined,
    ...(source === undefined ? {} : {source}),
  });
  const quiet: HeardEntry = {entry: {kind: 'quiet', id: 1, at: 60_000_000_000n, since: 0n}, whose: undefined};
  const read = (entries: readonly HeardEntry[]): readonly string[] =>
    readQueue(addToQueue(emptyQueue, entries)).sentences;

  test('names a source when it changes, and not again', () => {
    const said = read([line(1, 'web-1'), line(2, 'web-1'), line(3, 'web-2'), line(4)]);
    expect(said.map(words => /web-\d/.exec(words)?.[0])).toEqual(['web-1', undefined, 'web-2', undefined]);
    const {left} = readQueue(addToQueue(emptyQueue, [line(1, 'web-1')]));
    expect(readQueue(addToQueue(left, [line(2, 'web-1')])).sentences[0]).not.toContain('web-1');
    expect(left.saidSource).toBe('web-1');
  });

  test('is twenty at a time; of more the last sentence counts the rest and reads the newest', () => {
    const lines = (count: number): readonly HeardEntry[] => Array.from({length: count}, (_, id) => line(id));
    expect(read(lines(20))).toHaveLength(20);
    expect(read(lines(21))).toHaveLength(20);
    expect(read(lines(21)).at(-1)).toMatch(/^2 more lines, newest: .*line 20/);
    expect(read([...lines(20), quiet]).at(-1)).toMatch(/^1 more line, 1 more marker, newest: /);
    expect(read([...Array.from({length: 20}, () => quiet), line(1)]).at(-1)).toMatch(
      /^1 more line, 1 more marker, newest/,
    );
    expect(read([...lines(20), quiet, quiet]).at(-1)).toMatch(/^1 more line, 2 more markers, newest: /);
  });

  test('in a list is twenty items, and how many more there are', () => {
    const items = (count: number): readonly string[] =>
      listItems(Array.from({length: count}, (_, index) => `i${index}`));
    expect(items(2)).toEqual(['1. i0', '2. i1']);
    expect(items(20)).toHaveLength(20);
    expect(items(22).at(-1)).toBe('And 2 more items.');
    expect(placeInList(0, 3)).toBe('item 1 of 3, selected');
  });

  test('of a listing are new branches and changes, the first of many', () => {
    const many = decode(...Array.from({length: 30}, (_, index) => ({_id: `${index}`, name: `n${index}`, status: 'A'})));
    expect(branchNews([], many.slice(0, 1))[0]).toMatch(/^New branch: n0, a\.$/);
    const told = branchNews([], many);
    expect(told.at(-1)).toMatch(/\d+ more/);
    expect(told.length).toBeLessThan(30);
    expect(branchNews(many, many)).toEqual([]);
  });

  test('of a change says who, when and what', () => {
    const change = (of: object, happenedAt: bigint | undefined = 0n): string =>
      readEntry({kind: 'change', id: 1, at: 0n, happenedAt, change: of} as never, undefined, true);
    expect(change({kind: 'trouble', who: 'pod web-1', reason: 'OOMKilled'})).toMatch(/pod web-1.*OOMKilled\.$/);
    expect(change({kind: 'trouble', who: '', reason: 'OOMKilled'})).toMatch(/OOMKilled\.$/);
    expect(change({kind: 'activity', action: 'deploy', status: 'OK', createdBy: 'ann'})).toContain('ann');
    expect(change({kind: 'activity', action: 'deploy', status: undefined, createdBy: ''})).not.toMatch(/by/);
    expect(change({kind: 'status', before: 'A', now: 'B'})).toBe('Status changed at 00:00:00 from a to b.');
  });
});

describe('an announcer', () => {
  test('tells nobody who listens no more, and writes a batch once', () => {
    let nowMs = 0;
    const timers: (() => void)[] = [];
    const announcer = createAnnouncer({
      nowMs: () => nowMs,
      schedule: (_, run) => timers.push(run),
      isBusy: () => false,
    });
    let calls = 0;
    const leave = announcer.subscribe(() => {
      calls += 1;
    });
    announcer.say(['one']);
    announcer.say([]);
    expect([calls, announcer.batch()]).toEqual([1, {number: 1, sentences: ['one']}]);
    announcer.say(['two']);
    expect(announcer.batch()).toEqual({number: 1, sentences: ['one', 'two']});
    announcer.written(announcer.batch());
    announcer.say(['three']);
    expect(announcer.batch()).toEqual({number: 2, sentences: ['three']});
    leave();
    announcer.say(['four']);
    expect(calls).toBe(3);
    const entry: HeardEntry = {
      entry: {kind: 'line', id: 1, at: 0n, raw: 'x', textIndex: 0, late: false},
      whose: undefined,
    };
    announcer.hear([entry]);
    announcer.hear([entry]);
    announcer.hear([entry]);
    // One timer, however often lines come before the next turn.
    expect(timers).toHaveLength(1);
    nowMs = 1000;
    timers[0]?.();
    expect(announcer.batch().sentences.filter(words => words.includes('x'))).toHaveLength(3);
  });
});

describe('a reader', () => {
  const setup = (initial: State, expiresInMs?: number) => {
    const said: string[] = [];
    let nowMs = initial.nowMs;
    let left = expiresInMs;
    const store = createStore({
      initial,
      readMoment: () => ({
        nowMs,
        wallMs: serviceStartMs + nowMs,
        random: 0.5,
        tokenExpiresAtMs: left === undefined ? undefined : serviceStartMs + nowMs + left,
      }),
      runEffect: () => {},
    });
    const announcer = createAnnouncer({nowMs: () => nowMs, schedule: () => {}, isBusy: () => false});
    announcer.subscribe(() => {
      const batch = announcer.batch();
      said.push(...batch.sentences);
      announcer.written(batch);
    });
    const reader = createReader({store, announcer});
    const announced = (step: () => void): readonly string[] => {
      said.splice(0);
      nowMs += 2000;
      step();
      return said.splice(0);
    };
    return {
      reader,
      store,
      announced,
      does: (command: Parameters<typeof give>[1]) => announced(() => reader.act({kind: 'commandGiven', command})),
      expireIn: (ms: number): void => {
        left = ms;
      },
    };
  };

  test('says what a key did, and where one is if it did nothing', () => {
    const {does, announced, reader} = setup(sampleState());
    expect(does('moveUp')).toEqual([expect.stringContaining('shop')]);
    expect(does('tryNow')).toEqual([]);
    expect(does('repaint')).toEqual([]);
    expect(does('toggleMouse')).toEqual(['There is no mouse in screen-reader mode.']);
    expect(announced(() => reader.refuse('x'.repeat(50)))).toEqual([
      expect.stringMatching(/^x{19}… has no meaning here\. /),
    ]);
    expect(does('nextContext')).toEqual([expect.stringContaining('there is no other context')]);
    expect(does('nextContext')).toEqual([expect.stringContaining('there is no other context')]);
    expect(does('openFilter')[0]).toMatch(/^Filter: /);
    expect(announced(() => reader.act({kind: 'inputKey', key: 'Backspace'}))).toEqual(['The filter is empty.']);
  });

  test('on the log reads the current line again, pages by ten, and says that it asks', () => {
    const play = openLogWith(linesOf(1, 40));
    play.send({kind: 'resized', columns: 500, rows: 5});
    const {does, announced, reader} = setup(play.state);
    expect(does('goToLineStart')).toEqual([expect.stringContaining('line 40')]);
    expect(does('tryNow')).toEqual(['Asking now.']);
    expect(does('pageUp')).toEqual(['Paused.', expect.stringContaining('line 30')]);
    expect(does('pageDown')).toEqual([expect.stringContaining('line 40')]);
    expect(announced(() => reader.tellPlace()).length).toBeGreaterThan(1);
    const empty = openEmptyLog();
    expect(setup(empty.state).does('goToLineStart')).toEqual(['The log has no lines.']);
  });

  test('of an empty list says so', () => {
    expect(setup(sampleState({sites: []})).does('moveDown')).toEqual(['The list is empty.']);
    const branches = onBranches();
    expect(setup(branches.state).does('moveUp')).toEqual([expect.stringContaining('master')]);
  });

  test('interrupts once for a token that runs out, and for a new notice', () => {
    const {announced, store, expireIn, reader} = setup(sampleState(), 60 * 60_000);
    expect(announced(() => store.dispatch({kind: 'ticked'}))).toEqual([]);
    expireIn(5 * 60_000);
    expect(announced(() => store.dispatch({kind: 'ticked'}))).toEqual(['token 5 min.']);
    expireIn(4 * 60_000);
    expect(announced(() => store.dispatch({kind: 'ticked'}))).toEqual([]);
    expireIn(60_000);
    expect(announced(() => store.dispatch({kind: 'ticked'}))).toEqual(['token 1 min.']);
    expect(announced(() => reader.tellPlace()).at(-1)).toBe('token 1 min.');
    expect(announced(() => store.dispatch({kind: 'noticed', notice: 'saved'}))).toEqual(['saved']);
    expect(announced(() => store.dispatch({kind: 'ticked'}))).toEqual([]);
  });

  test('holds lines back while something else is read', () => {
    const play = openLogWith(linesOf(1, 5));
    const arrives = (state: State) => {
      const {announced, store} = setup(state);
      return announced(() =>
        store.dispatch({
          kind: 'windowArrived',
          branchId: 'b-master',
          generation: state.generation,
          answer: linesOf(1, 6),
        }),
      );
    };
    expect(arrives(play.state)).toHaveLength(1);
    for (const command of ['moveUp', 'openSearch', 'toggleInspector'] as const) {
      const {state} = openLogWith(linesOf(1, 40));
      const {does, announced, store} = setup(state);
      expect(does(command)).not.toEqual([]);
      const came = {kind: 'windowArrived', branchId: 'b-master', generation: state.generation} as const;
      expect(announced(() => store.dispatch({...came, answer: linesOf(1, 41)}))).toEqual([]);
    }
  });
});
