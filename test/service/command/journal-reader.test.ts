import {expect, test} from 'vitest';
import {choiceOf, createJournalReader, journaldSource} from '#service/command/journald-source.ts';
import {createSourceContext} from '../source-context.ts';

type Fields = Readonly<Record<string, unknown>>;

const entry = (number: number, fields: Fields = {}): string =>
  `${JSON.stringify({__CURSOR: `c${number}`, __REALTIME_TIMESTAMP: `${1_735_680_000_000_000 + number}`, MESSAGE: `line ${number}`, ...fields})}\n`;

const dropped = (number: number, unit: string, count = 7): string =>
  entry(number, {MESSAGE: `Suppressed ${count} messages from ${unit}`, MESSAGE_ID: 'a596d6fe7bfa4994828e72309e95d61e'});

const open = (
  options: Parameters<typeof createSourceContext>[0] = {},
  {units = ['shop.service'], identifiers = [] as readonly string[], isEmpty = false} = {},
) => {
  const source = createSourceContext({pod: {format: 'container'}, ...options});
  const reader = createJournalReader({units, identifiers}, source.context, {
    choice: () => ['--merge'],
    isEmpty: () => isEmpty,
  });
  const begin = () => {
    const run = reader.beginRun();
    return {...run, print: (text: string, hasMore = false) => run.take(Buffer.from(text), {hasMore, atEnd: false})};
  };
  const cursor = () => source.written.flatMap(({cursors}) => cursors).at(-1)?.cursor;
  const streams = () => source.sink.window.lines().map(({line, source: {stream}}) => `${line.slice(31)}: ${stream}`);
  return {...source, reader, begin, cursor, streams};
};

const notJoined = '(the journal no longer has the last entry that was read)';

test('a first run asks for as many entries as the window has lines, and later ones for all after the last', () => {
  const {begin, reader, story, cursor, written} = open({windowLines: 20});
  expect([reader.hasPast(), reader.hasEntries()]).toEqual([false, false]);
  const run = begin();
  expect(run.command).toEqual([
    'journalctl',
    '--follow',
    '--output=json',
    '--all',
    '--output-fields=MESSAGE,MESSAGE_ID,PRIORITY,_SYSTEMD_UNIT,UNIT,SYSLOG_IDENTIFIER',
    '--lines=20',
    '--merge',
  ]);
  expect([reader.hasPast(), written.map(({startedPodKeys}) => startedPodKeys)]).toEqual([true, [[1]]]);
  run.print(entry(1) + entry(2));
  expect([story(), cursor(), reader.hasEntries()]).toEqual([['line 1', 'line 2'], 'c2', true]);
  const next = begin();
  expect(next.command.slice(5)).toEqual(['--no-tail', '--cursor=c2', '--merge']);
  next.print(entry(2) + entry(3));
  next.settle();
  expect(story()).toEqual(['line 1', 'line 2', 'line 3']);
  expect(written.filter(({startedPodKeys}) => startedPodKeys.length > 0)).toHaveLength(1);
});

test('a journal that was empty, or read before without an entry, has only new ones', () => {
  expect(open({}, {isEmpty: true}).begin().command.slice(5)).toEqual(['--no-tail', '--merge']);
  expect(open({isOld: true}).begin().command.slice(5)).toEqual(['--no-tail', '--merge']);
  expect(open({isOld: true, cursor: 'c7'}).begin().command.slice(5)).toEqual(['--no-tail', '--cursor=c7', '--merge']);
});

test('where the last entry does not come first, or not at all, there is a gap', () => {
  const {begin, story} = open({isOld: true, cursor: 'c1'});
  const run = begin();
  run.print(entry(3));
  run.settle();
  expect(story()).toEqual([notJoined, 'line 3']);
  const silent = begin();
  silent.settle();
  silent.settle();
  expect(story()).toEqual([notJoined, 'line 3', notJoined]);
  // The gap is told until an entry comes.
  begin().settle();
  expect(story()).toHaveLength(3);
});

test('an entry may come in pieces, and is taken with its newline', () => {
  const {begin, story} = open();
  const run = begin();
  const text = entry(1) + entry(2);
  run.print(text.slice(0, 10));
  run.print(text.slice(10, -1));
  expect(story()).toEqual(['line 1']);
  run.print('\n');
  expect(story()).toEqual(['line 1', 'line 2']);
});

test('what is no entry is a gap with a warning, and the entries around it are taken', () => {
  const {begin, story, warnings} = open();
  begin().print(`${entry(1)}-- Boot --\n${entry(2)}`);
  expect(story()).toEqual(['line 1', '(journalctl printed something that is not a journal entry)', 'line 2']);
  expect(warnings).toEqual([
    'journalctl printed something for pod app that is not a journal entry: lines may be missing.',
  ]);
});

test('an entry of 16 MB is waited for, and one that is larger is left out with a gap', () => {
  const bound = 16 * 1024 * 1024;
  const {begin, story, warnings} = open();
  const run = begin();
  run.print(entry(1));
  run.take(Buffer.alloc(bound, 'x'), {hasMore: false, atEnd: false});
  expect(warnings).toEqual([]);
  run.print('x');
  expect(warnings).toEqual(['A journal entry for pod app is larger than 16 MB and is left out.']);
  expect(story()).toEqual(['line 1', '(a journal entry is larger than 16 MB)']);
});

test('without its state, a service begins behind a gap', () => {
  const {begin, story} = open({isAnew: true});
  begin();
  expect(story()).toEqual(['(the service could not store what it had read before it was restarted)']);
});

const names = {units: ['shop.service', 'db.service'], identifiers: ['cron', 'backup']};

test('a line is of its unit, of the one that it is about, or of its identifier', () => {
  const {begin, streams} = open({}, names);
  begin().print(
    [
      entry(1, {_SYSTEMD_UNIT: 'shop.service', SYSLOG_IDENTIFIER: 'cron'}),
      entry(2, {_SYSTEMD_UNIT: 'init.scope', UNIT: 'db.service'}),
      entry(3, {_SYSTEMD_UNIT: 'other.service', SYSLOG_IDENTIFIER: 'cron'}),
      entry(4, {SYSLOG_IDENTIFIER: 'other'}),
    ].join(''),
  );
  expect(streams()).toEqual(['line 1: shop.service', 'line 2: db.service', 'line 3: cron', 'line 4: stdout']);
});

test('where one name is asked for, all lines are of it', () => {
  const {begin, streams} = open();
  begin().print(entry(1, {SYSLOG_IDENTIFIER: 'other'}));
  expect(streams()).toEqual(['line 1: shop.service']);
});

const lossOf = (print: (text: string) => void, window: ReturnType<typeof open>['sink']['window'], text: string) => {
  const before = window.lossCount();
  print(text);
  const loss = window.losses().at(-1);
  return window.lossCount() === before ? undefined : [loss?.why, loss?.source?.stream, loss?.lines];
};

test('messages that journald dropped are a gap of those who may have written them', () => {
  const {begin, sink, cursor} = open({}, names);
  const {print} = begin();
  const why = 'journald dropped messages past its rate limit';
  const lost = (number: number, unit: string) => lossOf(print, sink.window, dropped(number, unit) + entry(number + 1));
  expect(lost(1, 'shop.service')).toEqual([why, 'shop.service', 7]);
  expect(cursor()).toBe('c2');
  // Neither identifier has been heard: each may have written it.
  expect(lost(3, 'other.service')).toEqual([why, undefined, 7]);
  print(entry(5, {_SYSTEMD_UNIT: 'cron.service', SYSLOG_IDENTIFIER: 'cron'}));
  expect(lost(6, 'other.service')).toEqual([why, 'backup', 7]);
  print(entry(8, {_SYSTEMD_UNIT: 'timer.service', SYSLOG_IDENTIFIER: 'backup'}));
  expect(lost(9, 'other.service')).toBeUndefined();
  expect(lost(11, 'cron.service')).toEqual([why, 'cron', 7]);
  // One is enough until lines have come.
  expect(lossOf(print, sink.window, dropped(13, 'db.service') + dropped(14, 'shop.service'))).toEqual([
    why,
    'db.service',
    7,
  ]);
  expect(lossOf(print, sink.window, entry(15, {MESSAGE: null}) + dropped(16, 'shop.service'))).toBeUndefined();
});

test('what the first entry of a run says of who writes counts, too', () => {
  const {begin, sink} = open({isOld: true, cursor: 'c1'}, names);
  const {print} = begin();
  print(entry(1, {_SYSTEMD_UNIT: 'cron.service', SYSLOG_IDENTIFIER: 'cron'}));
  expect(lossOf(print, sink.window, dropped(2, 'other.service'))?.[1]).toBe('backup');
});

test('a hundred units are known of an identifier; past that, it may be any', () => {
  const lossAfter = (units: number) => {
    const {begin, sink} = open({}, {units: [], identifiers: ['cron']});
    const {print} = begin();
    for (let number = 1; number <= units; number += 1) {
      print(entry(number, {_SYSTEMD_UNIT: `u${number}.service`, SYSLOG_IDENTIFIER: 'cron'}));
    }
    return lossOf(print, sink.window, dropped(1_000, 'other.service'))?.[1];
  };
  expect([lossAfter(99), lossAfter(100)]).toEqual([undefined, 'cron']);
});

test('a message of several lines is taken at once, and written when no more follows', () => {
  const {begin, story, written} = open();
  const run = begin();
  run.print(entry(1, {MESSAGE: 'a\nb'}), true);
  expect(written).toHaveLength(1);
  run.print(entry(2));
  expect([story(), written.at(-1)?.changes.added.length, written.at(-1)?.cursors]).toEqual([
    ['a', 'b', 'line 2'],
    3,
    [{podKey: 1, cursor: 'c2'}],
  ]);
});

test('the entries of units and identifiers are chosen, of this machine where it has an id', () => {
  const drops = ['_TRANSPORT=driver', 'MESSAGE_ID=a596d6fe7bfa4994828e72309e95d61e'];
  expect(choiceOf({units: ['a.service', 'b.service'], identifiers: ['cron']}, undefined)).toEqual([
    '--merge',
    ...['_SYSTEMD_UNIT=a.service', '_SYSTEMD_UNIT=b.service', '+'],
    ...['_PID=1', 'UNIT=a.service', 'UNIT=b.service', '+'],
    ...[...drops, '+'],
    'SYSLOG_IDENTIFIER=cron',
  ]);
  expect(choiceOf({units: [], identifiers: ['cron']}, 'm1')).toEqual([
    '--merge',
    ...['_MACHINE_ID=m1', ...drops, '+'],
    ...['_MACHINE_ID=m1', 'SYSLOG_IDENTIFIER=cron'],
  ]);
});

const readSettings = (table: Readonly<Record<string, unknown>>) =>
  journaldSource.read(
    {
      text: () => undefined,
      texts: key => table[key] as readonly string[] | undefined,
      flag: () => undefined,
      integer: () => undefined,
      choice: () => undefined,
      raw: key => table[key],
      fail: (key, sentence) => {
        throw new Error(`${key}: ${sentence}`);
      },
      where: key => key,
    },
    {folder: '/srv', roots: [], resolve: path => path},
  );

test('units are given by name, with or without the ending of a service', () => {
  expect(readSettings({units: ['shop', 'db@1.service', 'daily.timer', 'a.b'], identifiers: ['cron']})).toMatchObject({
    kind: 'journald',
    format: 'container',
    units: ['shop.service', 'db@1.service', 'daily.timer', 'a.b.service'],
    identifiers: ['cron'],
    folder: '/srv',
  });
  expect(readSettings({identifiers: ['cron']})).toMatchObject({units: []});
  expect(() => readSettings({})).toThrow(
    'units: missing: give the units whose log is the log of the pod, such as ["nginx.service"], or identifiers',
  );
  expect(() => readSettings({units: ['shop', 'shop-*']})).toThrow(
    'units: "shop-*" is not the name of a unit: give the full name of each',
  );
});
