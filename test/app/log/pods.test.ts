import {describe, expect, test} from 'vitest';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {decodeLog} from '#api/client/decode-log.ts';
import type {Command} from '#app/keys/keymap.ts';
import {announceLog} from '#app/reader/announce/announce-log.ts';
import {type FakeRecord, makeBuiltBranch, makePodRecord} from '../../support/fake-records.ts';
import {answer, onBranches, openBranch, type Play, paneOf, showScreen} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
    answerSearches(play);
  }
};

const masterWith = (changes: FakeRecord = {}) =>
  decodeBranches([makeBuiltBranch('b-master', 'master', {appserverImage: 'registry.example/shop/php', ...changes})])
    .value;

const pod = (name: string, createdAt: string, metadata: FakeRecord = {}): FakeRecord => {
  const record = makePodRecord({name, createdAt});
  return {...record, metadata: {...(typeof record.metadata === 'object' ? record.metadata : {}), ...metadata}};
};

const arrive = (play: Play, pods: readonly FakeRecord[], ...texts: readonly string[]): void => {
  const lines = texts.map((text, index) => `2026-11-21T14:01:${String(index).padStart(2, '0')}.000000000Z ${text}`);
  play.windowArrives(answer(decodeLog({podNamesList: pods, data: lines, sessionId: 's'}).value));
  answerSearches(play);
};

const old = pod('web-6d88-k9q1', '2026-11-18T13:00:00Z');
const steady = pod('web-7f9c-k8p0', '2026-11-21T12:02:10Z');
const young = pod('web-7f9c-x2x4', '2026-11-21T14:01:40Z');

/** The log of master at 14:02:10: one pod went and one came while it was watched. */
const openLog = (size: {columns: number; rows: number}, ...texts: readonly string[]): Play => {
  const play = openBranch(size, masterWith({appserverTag: '8.2.13'}));
  arrive(play, [old, steady], ...texts);
  play.wait(2000);
  arrive(play, [steady, young], ...texts);
  return play;
};

const openPods = (size = {columns: 80, rows: 24}, ...texts: readonly string[]): Play => {
  const play = openLog(size, ...texts);
  give(play, 'togglePods');
  return play;
};

const noticeOf = (play: Play): string | undefined => play.state.notice;

test('the pods are listed with age, owner and image; one that went stays, below those that run', () => {
  const play = openPods();
  play.branchesArrive(masterWith({appserverTag: '8.2.14'}));
  expect(paneOf(play)).toEqual([
    " 2 pods run, 1 went   images as in the branch's record",
    ' ▸ web-7f9c-x2x4  32 s     came 14:01:40       ReplicaSet rs  php:8.2.14',
    '   web-7f9c-k8p0  2 h      came 12:02:10       ReplicaSet rs  php:8.2.13',
    '   web-6d88-k9q1  went 14:02:12, after 3 days  ReplicaSet rs  php:8.2.13',
  ]);
});

test('a narrow terminal keeps the name and the age', () => {
  expect(paneOf(openPods({columns: 40, rows: 10}))).toEqual([
    ' 2 pods run, 1 went',
    ' ▸ web-7f9c-x2x4  32 s',
    '   web-7f9c-k8p0  2 h',
    '   web-6d88-k9q1  went 14:02:12',
  ]);
  expect(paneOf(openPods({columns: 20, rows: 5}))).toEqual([' ▸ web-7f9…  32 s']);
});

test('the highlight stays on its pod while others come and go', () => {
  const play = openPods();
  give(play, 'moveDown');
  play.wait(2000);
  arrive(play, [steady, young, pod('web-7f9c-zzzz', '2026-11-21T14:02:13Z')]);
  expect(paneOf(play).find(row => row.startsWith(' ▸'))).toContain('web-7f9c-k8p0');
});

test('every field of a pod is in its record', () => {
  const play = openPods({columns: 80, rows: 60});
  give(play, 'openLine');
  expect(paneOf(play)).toEqual([
    ' web-7f9c-x2x4   32 s, came 14:01:40',
    ' Pod',
    ' ▸ name              web-7f9c-x2x4',
    '   version           4711',
    ' Labels',
    '   app               shop',
    ' Annotations',
    '   example.com/note  none',
    ' Owners',
    '   kind              ReplicaSet',
    '     name            rs',
    '     uid             uid-1',
    '     api version     apps/v1',
    '     controller      yes',
    '     blocks delete   yes',
    ' Metadata',
    '   created           32 s ago, 2026-11-21T14:01:40Z',
    '   named after       web-7f9c-x2x-',
    '   namespace         ns-1',
    '   uid               uid-web-7f9c-x2x4',
    '   link              /api/v1/pods/web-7f9c-x2x4',
    '   name              web-7f9c-x2x4',
    '   version           4711',
    ' Managed fields',
    '   manager           m',
    '     operation       Update',
    '     api version     v1',
    '     time            32 s ago, 2026-11-21T14:01:40Z',
    '     type            FieldsV1',
    '     fields          f:metadata',
  ]);
  give(play, 'back');
  expect(paneOf(play)[1]).toMatch(/^ ▸ web-7f9c-x2x4/);
  give(play, 'back');
  expect(play.state.log?.overlay).toBeUndefined();
});

test('secrets in labels and annotations are masked, and foreign text is made safe', () => {
  const play = openBranch({rows: 40}, masterWith());
  const annotations = {
    dbPassword: 'hidden-1',
    'last-applied': '{"env":[{"name":"API_TOKEN","value":"hidden-2"}]}',
    note: 'a\u001b[2Jb\u202e',
    checksum: 'abc',
  };
  arrive(play, [pod('web\u0007', '2026-11-21T14:01:40Z', {annotations, labels: {connection: 'Password=hidden-3'}})]);
  give(play, 'togglePods', 'openLine');
  const screen = showScreen(play.state).join('\n');
  expect(screen).not.toContain('hidden');
  expect(screen).toMatch(/dbPassword +\*{8}\n.*last-applied +\*{8}\n.*note +a␛b�\n.*checksum +abc/);
  expect(screen).toContain('connection       ********');
  expect(screen).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

test('a secret is shown by a key, alone and for its time, and gone with whatever leaves it', () => {
  const play = openBranch({rows: 40}, masterWith());
  const pods = [
    pod('web', '2026-11-21T14:01:40Z', {labels: {pin: 'hidden-1', otp: 'hidden-2', privateKey: 'hidden-3'}}),
  ];
  arrive(play, pods);
  const isShown = (): boolean => showScreen(play.state).join('\n').includes('hidden-');
  give(play, 'togglePods', 'openLine', 'openLine');
  expect(noticeOf(play)).toBe('this is not a secret; y copies it');
  expect(showScreen(play.state).at(-1)).not.toContain('reveal');
  give(play, 'moveDown', 'moveDown', 'moveDown', 'copyLines');
  expect(noticeOf(play)).toBe('reveal the secret before copying it: Enter');
  expect(showScreen(play.state).at(-1)).toContain('Enter reveal');
  expect(play.effects).toEqual([]);
  give(play, 'openLine');
  expect(showScreen(play.state).join('\n')).toMatch(/▸ pin +hidden-1\n +otp +\*{8}\n +privateKey +\*{8}/);
  expect(play.effects).toEqual([{kind: 'hideSecretAfter', delayMs: 15_000}]);
  give(play, 'copyLines');
  expect(play.effects).toEqual([{kind: 'copy', text: 'hidden-1', what: 'pin of web'}]);
  expect(isShown()).toBe(true);
  give(play, 'openLine');
  expect(isShown()).toBe(false);
  const leave: readonly (() => void)[] = [
    () => give(play, 'moveDown', 'moveUp'),
    () => give(play, 'toggleHelp', 'toggleHelp'),
    () => give(play, 'back', 'openLine', 'moveDown', 'moveDown', 'moveDown'),
    () => give(play, 'suspend'),
    () => play.send({kind: 'secretDue'}),
    () => {
      play.wait(15_000);
      arrive(play, pods);
    },
  ];
  for (const go of leave) {
    give(play, 'pickLines');
    expect(isShown()).toBe(true);
    go();
    expect(isShown()).toBe(false);
    expect(showScreen(play.state).join('\n')).toMatch(/▸ pin +\*{8}/);
  }
  give(play, 'moveDown', 'moveDown', 'openLine');
  expect(noticeOf(play)).toBe('private keys are never shown');
});

test('the highlighted value is shown in full, however long it is', () => {
  const play = openBranch({columns: 40, rows: 24}, masterWith());
  arrive(play, [pod('web', '2026-11-21T14:01:40Z', {labels: {long: `${'x'.repeat(30)}end`}})]);
  give(play, 'togglePods', 'openLine', 'moveDown', 'moveDown', 'moveDown');
  const rows = paneOf(play);
  const from = rows.findIndex(row => row.startsWith(' ▸'));
  expect(rows.slice(from, from + 3)).toEqual([
    ' ▸ long             xxxxxxxxxxxxxxxxxxxx',
    '                    xxxxxxxxxxend',
    ' Annotations',
  ]);
});

test('the lines of a pod are those that name it', () => {
  const play = openPods(undefined, 'web-7f9c-k8p0 began', 'no pod here', 'again web-7f9c-k8p0');
  give(play, 'moveDown', 'filterIn');
  expect(noticeOf(play)).toBe('only lines that name web-7f9c-k8p0; x shows all');
  const shown = showScreen(play.state).join('\n');
  expect(shown).toContain('web-7f9c-k8p0 began');
  expect(shown).not.toContain('no pod here');
  expect(shown).toContain('2 of 3');
});

test('if no line names the pod, the filters stay what they were, and that is said', () => {
  const play = openLog({columns: 80, rows: 24}, 'a line', 'another line');
  give(play, 'filterIn');
  play.send({kind: 'textTyped', text: 'another'});
  play.send({kind: 'inputKey', key: 'Enter'});
  answerSearches(play);
  give(play, 'togglePods', 'filterIn');
  expect(noticeOf(play)).toBe('no line names this pod: web-7f9c-x2x4');
  expect(play.state.log?.use.patterns.map(({pattern}) => pattern.query)).toEqual(['another']);
  expect(showScreen(play.state).join('\n')).toContain('1 of 2');
});

test('the name of a pod that is part of another name does not find the lines of the other', () => {
  const play = openBranch({}, masterWith());
  const pods = ['web-1', 'web-10'].map((name, index) => pod(name, `2026-11-21T14:01:0${9 - index}Z`));
  arrive(play, pods, 'web-1 began', 'web-10 began');
  give(play, 'togglePods', 'filterIn');
  const shown = showScreen(play.state).join('\n');
  expect(shown).toContain('web-1 began');
  expect(shown).not.toContain('web-10 began');
});

test('a branch without pods says so, and keys do nothing', () => {
  const play = onBranches(masterWith());
  give(play, 'open', 'togglePods');
  expect(paneOf(play)).toEqual(['', '   Asking for the pods…']);
  arrive(play, []);
  expect(paneOf(play)).toEqual(['', '   No pods of this branch are listed.']);
  give(play, 'openLine', 'filterIn', 'moveDown', 'togglePods');
  expect(play.state.log?.overlay).toBeUndefined();
});

test('the pods of several branches are one list, each with its branch', () => {
  const play = onBranches(decodeBranches([makeBuiltBranch('b-1', 'master'), makeBuiltBranch('b-2', 'staging')]).value);
  give(play, 'toggleMark', 'moveDown', 'toggleMark', 'open');
  play.windowArrives(answer(decodeLog({podNamesList: [steady], data: []}).value), 'b-1');
  play.windowArrives(answer(decodeLog({podNamesList: [young], data: []}).value), 'b-2');
  give(play, 'togglePods');
  expect(paneOf(play).slice(1)).toEqual([
    ' ▸ staging  web-7f9c-x2x4  30 s     came 14:01:40  ReplicaSet rs  php:8.3',
    '   master   web-7f9c-k8p0  2 h      came 12:02:10  ReplicaSet rs  php:8.3',
  ]);
});

test('a screen reader hears how many pods there are, and the highlighted one', () => {
  const play = openLog({columns: 80, rows: 24});
  const said = (...commands: readonly Command[]): readonly string[] => {
    const before = play.state;
    give(play, ...commands);
    const {log} = play.state;
    return log === undefined ? [] : announceLog(before, play.state, log, 'key').sentences;
  };
  expect(said('togglePods')).toEqual([
    '2 pods run, 1 went.',
    'web-7f9c-x2x4, 32 s, came 14:01:40, ReplicaSet rs; item 1 of 3, selected',
  ]);
  expect(said('goLast')).toEqual([
    'web-6d88-k9q1, went 14:02:12, after 3 days, ReplicaSet rs, php:8.2.13; item 3 of 3, selected',
  ]);
  expect(said('openLine', 'moveDown')).toEqual(['image of branch: registry.example/shop/php:8.2.13']);
  expect(said('togglePods')).toEqual(['Back to the log.']);
});

describe('pods that do not work', () => {
  const troubles = ['web-1', 'web-2', 'web-3', 'web-4'].map(name => ({
    pod: name,
    container: 'php',
    state: 'now',
    reason: 'ImagePullBackOff',
    message: 'manifest \u001b[2Junknown',
  }));

  const openSick = (rows = 24): Play => {
    const play = openBranch({columns: 80, rows}, masterWith({troubles}));
    arrive(play, []);
    return play;
  };

  test('are why a log has no lines', () => {
    const rows = paneOf(openSick()).join('\n');
    expect(rows).toContain('The log has no lines yet. What keeps its pods from working:');
    expect(rows).toMatch(/web-1\/php: ImagePullBackOff: manifest .*unknown/);
    expect(rows).not.toContain('\u001b');
    expect(rows).toContain('and 1 trouble more');
    expect(rows).not.toContain('web-4');
  });

  test('are told in the pane of the pods, though the service does not list them', () => {
    const play = openSick();
    give(play, 'togglePods');
    expect(paneOf(play).join('\n')).toMatch(/No pods of this branch.*web-1\/php: ImagePullBackOff/s);
    arrive(play, [steady]);
    expect(paneOf(play).join('\n')).toMatch(/web-7f9c-k8p0.*web-1\/php: ImagePullBackOff/s);
  });

  test('stay in sight below a list that scrolls', () => {
    const play = openSick(10);
    arrive(play, [steady, young]);
    give(play, 'togglePods');
    const lead = (): readonly string[] => paneOf(play).map(row => row.slice(0, ' ▸ web-7f9c-x2x4'.length));
    expect(lead()).toEqual([
      ' 2 pods run   im',
      ' ▸ web-7f9c-x2x4',
      '   web-1/php: Im',
      '   web-2/php: Im',
      '   web-3/php: Im',
      '   and 1 trouble',
    ]);
    give(play, 'moveDown');
    expect(lead()[1]).toBe(' ▸ web-7f9c-k8p0');
    expect(lead().at(-1)).toBe('   and 1 trouble');
  });
});
