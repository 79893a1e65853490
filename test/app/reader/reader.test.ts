import {describe, expect, test} from 'vitest';
import {createSummariser} from '#app/parts/summariser.ts';
import {readSitesPlace} from '#app/reader/announce/announce-lists.ts';
import {createAnnouncer} from '#app/reader/announcer.ts';
import {createReader} from '#app/reader/reader.ts';
import type {Event} from '#app/state/event.ts';
import type {State} from '#app/state/state.ts';
import {createStore} from '#app/store.ts';
import {pressKey} from '#ui/read-keys.ts';
import {answer, refused, sampleBranches, sampleState, serviceStartMs, windowOf} from '../../support/play.ts';

/** The program without its terminal: keys and answers in, sentences out. `announced` answers those since it was asked last. */
const open = (change: Partial<State> = {}) => {
  let nowMs = 10_000;
  const said: string[] = [];
  const store = createStore({
    initial: sampleState({columns: 20_000, rows: 5, ...change}),
    readMoment: () => ({nowMs, wallMs: serviceStartMs + nowMs, random: 0.5, tokenExpiresAtMs: undefined}),
    runEffect: () => {},
  });
  const announcer = createAnnouncer({nowMs: () => nowMs, schedule: () => {}, isBusy: () => false});
  announcer.subscribe(() => {
    const batch = announcer.batch();
    said.push(...batch.sentences);
    announcer.written(batch);
  });
  const reader = createReader({store, announcer});
  const press = (...keys: readonly string[]): void => {
    for (const name of keys) {
      const event = pressKey(store.state(), {name, text: name.length === 1 ? name : undefined});
      if (event === undefined) {
        reader.refuse(name);
      } else {
        reader.act(event);
      }
    }
  };
  const arrive = (event: Event): void => {
    // The turn before is over.
    nowMs += 1000;
    store.dispatch(event);
  };
  const generation = (): number => store.state().generation;
  return {
    reader,
    store,
    press,
    announced: (): readonly string[] => said.splice(0),
    hearsAfter: (...keys: readonly string[]): readonly string[] => {
      said.splice(0);
      press(...keys);
      return said.splice(0);
    },
    branchesArrive: (branches = sampleBranches, more: object = {}): void =>
      arrive({kind: 'branchesArrived', generation: generation(), answer: {...answer(branches), ...more}}),
    tick: (): void => arrive({kind: 'ticked'}),
    branchesFail: (): void => arrive({kind: 'branchesFailed', generation: generation(), error: refused}),
    windowArrives: (...seconds: readonly number[]): void =>
      arrive({
        kind: 'windowArrived',
        branchId: store.state().log?.sources[0].branch._id ?? '',
        generation: generation(),
        answer: windowOf(...seconds),
      }),
    /** A window with two items that are no lines. */
    itemsArrive: (...seconds: readonly number[]): void => {
      const window = windowOf(...seconds);
      arrive({
        kind: 'windowArrived',
        branchId: store.state().log?.sources[0].branch._id ?? '',
        generation: generation(),
        answer: {...window, value: {...window.value, notLines: [0, 0]}},
      });
    },
    windowFails: (): void =>
      arrive({
        kind: 'windowFailed',
        branchId: store.state().log?.sources[0].branch._id ?? '',
        generation: generation(),
        error: refused,
      }),
  };
};

const openBranches = () => {
  const program = open();
  program.press('Enter');
  program.branchesArrive();
  // By last change master is first.
  program.press('s', 's', 'Home');
  program.announced();
  return program;
};

const openLog = (...seconds: readonly number[]) => {
  const program = openBranches();
  program.press('Enter');
  program.windowArrives(...seconds);
  program.announced();
  return program;
};

const master = 'master, deployed, 2 pods, changed 2 h ago; item 1 of 5, selected';
const staging = 'staging, deploy failed, 2 pods, changed 2 h ago; item 2 of 5, selected';

describe('lists', () => {
  test('are read as numbered items when one comes to them', () => {
    const program = open();
    program.reader.begin();
    expect(program.announced()).toEqual([
      'branchlog in screen-reader mode. Question mark reads the keys, q quits.',
      'Sites of production, api.example.com.',
      '1. shop, id site-1',
      '2. shipping, id site-2',
      '3. blog, id site-3',
      'shop, id site-1; item 1 of 3, selected',
    ]);
    expect(program.hearsAfter('Enter')).toEqual(['Branches of shop.', 'Asking the service for them.']);
    program.branchesArrive();
    expect(program.announced()).toEqual([
      '5 branches, 1 deployed.',
      '1. staging, deploy failed, 2 pods, changed 2 h ago',
      '2. hotfix/cart, build running, 2 pods, changed 2 h ago',
      '3. experiment, waiting for quota, 2 pods, changed 2 h ago',
      '4. master, deployed, 2 pods, changed 2 h ago',
      '5. feature/new-theme, not built out, made 5 days ago',
      'staging, deploy failed, 2 pods, changed 2 h ago; item 1 of 5, selected',
    ]);
  });

  test('moving the highlight reads only the item that it comes to', () => {
    const program = openBranches();
    expect(program.hearsAfter('↓')).toEqual([staging]);
    expect(program.hearsAfter('End')).toEqual([
      'feature/new-theme, not built out, made 5 days ago; item 5 of 5, selected',
    ]);
    expect(program.hearsAfter('PgUp')).toEqual([master]);
  });

  test('a key that leads nowhere reads where one is', () => {
    expect(openBranches().hearsAfter('↑')).toEqual([master]);
  });

  test('a filter tells how many fit, and the one that would be taken', () => {
    const program = openBranches();
    expect(program.hearsAfter('/')).toEqual([
      'Filter: type a name, an id or a status. Enter opens the log, Escape clears.',
    ]);
    expect(program.hearsAfter('s', 't')).toEqual([
      'Filter s: 2 of 5.',
      'staging, deploy failed, 2 pods, changed 2 h ago; item 1 of 2, selected',
      'Filter st: 2 of 5.',
      'staging, deploy failed, 2 pods, changed 2 h ago; item 1 of 2, selected',
    ]);
    expect(program.hearsAfter('z')).toEqual(['Filter stz: 0 of 5.', 'Nothing fits.']);
    expect(program.hearsAfter('Esc')).toEqual(['Filter cleared.', master]);
  });

  test('marks and the choice of deployed branches are told', () => {
    const program = openBranches();
    expect(program.hearsAfter('Space')).toEqual(['Marked, 1 marked in all.']);
    expect(program.hearsAfter('Space')).toEqual(['No longer marked, 0 marked in all.']);
    expect(program.hearsAfter('a')).toEqual([
      'Only deployed branches: 1 of 5.',
      'master, deployed, 2 pods, changed 2 h ago; item 1 of 1, selected',
    ]);
  });

  test('a later listing is told by what changed in it, and by nothing else', () => {
    const program = openBranches();
    program.branchesArrive();
    expect(program.announced()).toEqual([]);
    program.branchesArrive(
      sampleBranches
        .filter(({name}) => name !== 'experiment')
        .map(branch => (branch.name === 'staging' ? {...branch, status: 'DEPLOY_APPLICATION_SUCCESS'} : branch)),
    );
    expect(program.announced()).toEqual(['staging is now deployed.', 'Branch experiment is gone.']);
  });

  test('a malformed record is read with its words, and its listing as what it is', () => {
    const program = openBranches();
    const [theme, master, ...others] = sampleBranches;
    const broken = master && {...master, name: 'b-master', status: undefined, malformed: ['name', 'status']};
    program.branchesArrive(
      [theme, broken, ...others].filter(branch => branch !== undefined),
      {
        skipped: ['[1].name: …', '[1].status: …', '[5]._id: …'],
        withoutId: 1,
      },
    );
    expect(program.announced()).toEqual(['1 record has no id, 2 parts of the answer are not as described.']);
    expect(program.hearsAfter('↑')).toEqual([
      'b-master (name not as described), status not as described, 2 pods, changed 2 h ago; item 1 of 5, selected',
    ]);
  });

  test('a fault is told once, and its end', () => {
    const program = openBranches();
    program.branchesFail();
    expect(program.announced()).toEqual([
      expect.stringMatching(/^Retrying in \d+ s: api\.example\.com:443 refused\.$/),
    ]);
    program.branchesFail();
    expect(program.announced()).toEqual([]);
    program.branchesArrive();
    expect(program.announced()).toEqual(['The service answers again.']);
  });

  test('the record is read with its secrets masked', () => {
    const record = openBranches().hearsAfter('d');
    expect(record).toContain('name: master');
    expect(record.join('\n')).toContain('password: ****');
    expect(record.join('\n')).not.toContain('not-to-be-seen');
  });
});

describe('the log', () => {
  test('begins with how much is held and its newest lines', () => {
    const program = openBranches();
    expect(program.hearsAfter('Enter')).toEqual(['Log of master. Asking for it.']);
    program.windowArrives(...Array.from({length: 30}, (_, index) => index + 1));
    expect(program.announced()).toEqual([
      '30 lines since 14:00:01, the last 10:',
      ...Array.from({length: 10}, (_, index) => `14:00:${index + 21} line ${index + 21}`),
    ]);
  });

  test('reads each line once, in the order in which they came, and says which came late', () => {
    const program = openLog(1, 5);
    program.windowArrives(1, 3, 5, 6);
    expect(program.announced()).toEqual(['late, 14:00:03 line 3', '14:00:06 line 6']);
    program.windowArrives(1, 3, 5, 6);
    expect(program.announced()).toEqual([]);
  });

  test('a gap stands where it is', () => {
    const program = openLog(1, 2);
    program.windowArrives(8, 9);
    expect(program.announced()).toEqual([
      'Possible gap from 14:00:01.000 to 14:00:09.000, lines may be missing: the window moved on.',
      '14:00:08 line 8',
      '14:00:09 line 9',
    ]);
  });

  test('is read backwards and forwards, and what came meanwhile is read when it is followed again', () => {
    const program = openLog(1, 2, 3);
    expect(program.hearsAfter('↑')).toEqual(['Paused.', '14:00:02 line 2']);
    expect(program.hearsAfter('↑')).toEqual(['14:00:01 line 1']);
    program.windowArrives(1, 2, 3, 4);
    expect(program.announced()).toEqual([]);
    expect(program.hearsAfter('↓')).toEqual(['14:00:02 line 2']);
    expect(program.hearsAfter('Home')).toEqual(['The service held nothing older than 14:00:01.']);
    expect(program.hearsAfter('End')).toEqual(['Following again.', '14:00:04 line 4']);
    expect(program.hearsAfter('Space')).toEqual(['Paused at 14:00:04.']);
  });

  test("a line's mark is read with it, and its note in its turn", () => {
    const program = openLog(1, 2, 3);
    program.press('↑', 'M');
    expect(program.hearsAfter('w', 'h', 'y', 'Enter')).toContain(
      'marked; \' and " go to the next and the previous mark',
    );
    expect(program.hearsAfter('↓')).toEqual(['Your note: why']);
    expect(program.hearsAfter('↓')).toEqual(['14:00:03 line 3']);
    expect(program.hearsAfter('Home', "'")).toContain('marked, 14:00:02 line 2');
  });

  test('a fault is told when it begins, when it changes and when it ends', () => {
    const program = openLog(1);
    program.windowFails();
    expect(program.announced()).toEqual([
      expect.stringMatching(/^Retrying in \d+ s: api\.example\.com:443 refused\.$/),
    ]);
    program.windowFails();
    expect(program.announced()).toEqual([]);
    program.windowArrives(1, 2);
    expect(program.announced()).toEqual(['The log is read again.', '14:00:02 line 2']);
  });

  test('items that are no lines are told when they begin', () => {
    const program = openLog(1);
    program.itemsArrive(1);
    expect(program.announced()).toContain('2 items are not lines.');
    program.itemsArrive(1, 2);
    expect(program.announced()).not.toContain('2 items are not lines.');
    program.windowArrives(1, 2);
    program.itemsArrive(1, 2);
    expect(program.announced()).toContain('2 items are not lines.');
  });

  test('jumps read the marker that they lead to', () => {
    const program = openLog(1, 2);
    program.windowArrives(8, 9);
    expect(program.hearsAfter('{')).toEqual([
      'Paused.',
      'Possible gap from 14:00:01.000 to 14:00:09.000, lines may be missing: the window moved on.',
    ]);
    expect(program.hearsAfter('{')).toEqual(['The service held nothing older than 14:00:01.']);
    expect(program.hearsAfter('{')).toEqual(['no more markers above']);
  });

  test('a summary is read row by row once it is made', () => {
    const program = openLog(1, 2, 3);
    expect(program.hearsAfter('u')).toEqual(['Computing the summary.']);
    const overlay = program.store.state().log?.overlay;
    const {order} = overlay?.kind === 'summary' ? overlay : expect.fail('no summary');
    const due: (() => void)[] = [];
    createSummariser({
      setTimer: callback => {
        due.push(callback);
        return () => {};
      },
      nowMs: () => 0,
      onCounted: counted => program.store.dispatch({kind: 'summaryCounted', ...counted}),
    }).count(order);
    due[0]?.();
    expect(program.announced()).toEqual(['Summary of 3 lines ready.', 'levels: no level, 3 lines, 100 %']);
    expect(program.hearsAfter('Tab')).toEqual(['shapes: line #, 3 lines, 100 %']);
    expect(program.hearsAfter('Esc')).toEqual(['Back to the log.']);
  });

  test('polls are read one by one', () => {
    const program = openLog(1, 2);
    program.windowArrives(1, 2, 3);
    const opened = program.hearsAfter('i');
    expect(opened).toHaveLength(2);
    expect(opened[0]).toBe(
      '2 polls, 0 failed, 3 new lines, 0 gaps. The log is joined: the service cuts the branch as one, it says so itself. The last ones, newest first:',
    );
    expect(opened[1]).toMatch(
      /^when 14:\d\d:\d\d, status 200, ms 20, bytes 1,000, lines 3, new 1, late 0, overlap 100 %/,
    );
    expect(program.hearsAfter('↓')).toEqual([expect.stringMatching(/^when .*lines 2, new 2/)]);
    expect(program.hearsAfter('i')).toEqual(['Back to the log.']);
  });

  test('of a branch that is not built out says that there is none', () => {
    const program = openBranches();
    expect(program.hearsAfter('End', 'Enter').at(-1)).toBe(
      'feature/new-theme is not built out: it has no log yet. Escape goes back to the branches.',
    );
  });

  test('Esc goes back, and lines that wait are not read on another screen', () => {
    const program = openLog(1);
    program.press('Space');
    program.windowArrives(1, 2);
    expect(program.hearsAfter('Esc')).toEqual(['Back to the branches.', master.replace(';', ', 2 lines held;')]);
    expect(program.announced()).toEqual([]);
    const opened = 'Log of master, 2 lines held. Asking for what came since.';
    expect(program.hearsAfter('Enter')).toEqual([opened]);
  });
});

test('time that passes says nothing, although answers are missing', () => {
  const program = openLog(1, 2);
  program.announced();
  for (let second = 0; second < 90; second += 1) {
    program.tick();
  }
  expect(program.announced()).toEqual([]);
});

describe('keys', () => {
  test('help is a list of words, and nothing has to be closed', () => {
    const program = openLog(1, 2);
    const help = program.hearsAfter('?');
    expect(help[0]).toBe('Keys of the log:');
    expect(help).toContain('Up or k: stop following, and read the line above.');
    expect(help).toContain('colon, then next gap: next gap.');
    expect(help).toContain('right brace: next marker: gap, pod or branch change.');
    expect(help).toContain('q or Control C: quit, or close what is open.');
    expect(help.join('\n')).not.toMatch(/[↑↓←→│─●]/);
    expect(program.hearsAfter('↑')).toEqual(['Paused.', '14:00:01 line 1']);
  });

  test('a key without a meaning says so', () => {
    expect(openLog(1).hearsAfter('~')).toEqual(['tilde has no meaning here. Question mark reads the keys.']);
    expect(open().hearsAfter(']')).toEqual(['right bracket has no meaning here. Question mark reads the keys.']);
  });
});

test('what there is to know of a context is read with its sites, and warnings are told apart', () => {
  const state = sampleState();
  const remarks = [
    {words: 'TLS not checked', isWarning: true},
    {words: 'as jane', isWarning: false},
  ];
  expect(readSitesPlace({...state, context: {...state.context, remarks}}).slice(1, 3)).toEqual([
    'Warning: TLS not checked.',
    'as jane.',
  ]);
});
