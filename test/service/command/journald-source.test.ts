import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {lineSources} from '#cli/line-sources.ts';
import {readServeSettings} from '#config/serve/serve-settings.ts';
import {waitFor} from '../../support/wait-for.ts';
import {createJournalFolder} from './journal-folder.ts';

const nowMs = Date.UTC(2025, 0, 1);

/** Prints the file `journal` as journalctl prints a journal: its last lines, or from a cursor, and what is added. */
const fakeJournalctl = `[ -f error ] && cat error >&2 && exit 1
for arg; do
  case $arg in
    --lines=*) exec tail -n "\${arg#--lines=}" -f journal ;;
    --cursor=*) from=$(grep -nF "\\"\${arg#--cursor=}\\"" journal | cut -d: -f1) ;;
  esac
done
exec tail -n "+\${from:-1}" -f journal
`;

/** Writes entries a microsecond apart; the cursor is their number. */
const createJournal = (options: {readonly pod?: string; readonly windowLines?: number} = {}) => {
  const folder = createJournalFolder({journalctl: fakeJournalctl, nowMs, ...options});
  let number = 0;
  const format = (fields: Readonly<Record<string, unknown>>): string => {
    number += 1;
    const micros = String(1_735_680_000_000_000 + number);
    return `${JSON.stringify({__CURSOR: `s=1;i=${number}`, __REALTIME_TIMESTAMP: micros, ...fields})}\n`;
  };
  const log = (...messages: readonly string[]): void => {
    folder.append('journal', messages.map(message => format({MESSAGE: message})).join(''));
  };
  folder.write('journal', '');
  return {
    ...folder,
    log,
    logEntry: (fields: Readonly<Record<string, unknown>>) => folder.append('journal', format(fields)),
    /** Forgets all entries, as after --vacuum-time. */
    vacuum: () => folder.write('journal', ''),
  };
};

test('a first window holds the last entries, with their own times in the order of the journal', async () => {
  const journal = createJournal({windowLines: 3});
  const tie = '1735680000000004';
  journal.log('old');
  for (const text of ['c', 'b', 'a']) {
    journal.logEntry({MESSAGE: text, __REALTIME_TIMESTAMP: tie});
  }
  const backend = await journal.open();
  expect(await backend.waitForLast('a')).toEqual(['c', 'b', 'a']);
  const {lines, pods} = await backend.readWindow();
  expect(lines).toEqual(['c', 'b', 'a'].map(text => `2024-12-31T21:20:00.000004000Z ${text}`));
  expect(pods[0]?.metadata.annotations).toEqual({'branchlog/source': 'journald'});
  journal.log('new');
  expect(await backend.waitForLast('new')).toEqual(['b', 'a', 'new']);
});

test('asks for what the units write, what systemd says about them, and the drops, or for identifiers', async () => {
  const units = createJournal({pod: 'units = ["shop", "db@1.service"]\nidentifiers = ["cron"]'});
  await units.open();
  await units.waitForRuns(1);
  const readMatches = async (journal: typeof units) =>
    waitFor(() => journal.readArguments().length > 5 && journal.readArguments().slice(5), {what: 'arguments'});
  // Each alternative begins with the id of the machine, where it has one.
  const matches = (await readMatches(units)).filter(argument => !argument.startsWith('_MACHINE_ID='));
  expect(matches).toEqual([
    '--merge',
    '_SYSTEMD_UNIT=shop.service',
    '_SYSTEMD_UNIT=db@1.service',
    '+',
    '_PID=1',
    'UNIT=shop.service',
    'UNIT=db@1.service',
    '+',
    '_TRANSPORT=driver',
    'MESSAGE_ID=a596d6fe7bfa4994828e72309e95d61e',
    '+',
    'SYSLOG_IDENTIFIER=cron',
  ]);
});

test('a restart of the service neither loses nor doubles an entry, and marks no gap', async () => {
  const journal = createJournal();
  journal.log('one', 'two');
  const first = await journal.open();
  await first.waitForLast('two');
  const before = (await first.readWindow()).arrivals;
  await first.close();
  journal.log('meanwhile');
  const second = await journal.open();
  expect(await second.waitForLast('meanwhile')).toEqual(['one', 'two', 'meanwhile']);
  expect(journal.readArguments()).toContain('--cursor=s=1;i=2');
  expect((await second.readWindow()).arrivals).toEqual({series: before?.series, last: 3, dropped: 0});
});

test('what was written before the first entry was ever read is not lost', async () => {
  const journal = createJournal({windowLines: 1});
  const first = await journal.open();
  await journal.waitForRuns(1);
  await first.close();
  journal.log('one', 'two');
  const second = await journal.open();
  await second.waitForLast('two');
  expect(journal.readArguments()).toContain('--no-tail');
  // Both were taken, the window holds one.
  expect((await second.readWindow()).arrivals).toMatchObject({last: 2, dropped: 1});
});

test('each line names its unit, the one that it is about, or its identifier', async () => {
  const journal = createJournal({pod: 'units = ["shop", "db"]\nidentifiers = ["cron"]'});
  journal.logEntry({MESSAGE: 'a', _SYSTEMD_UNIT: 'shop.service', SYSLOG_IDENTIFIER: 'cron'});
  journal.logEntry({MESSAGE: 'b', _SYSTEMD_UNIT: 'init.scope', UNIT: 'db.service'});
  journal.logEntry({MESSAGE: 'c', _SYSTEMD_UNIT: 'cron.service', SYSLOG_IDENTIFIER: 'cron'});
  const backend = await journal.open();
  await backend.waitForLast('c');
  const {numbering} = await backend.readWindow();
  expect([numbering?.runs, numbering?.sources.map(({stream}) => stream)]).toEqual([
    [
      [0, 1],
      [1, 1],
      [2, 1],
    ],
    ['shop.service', 'db.service', 'cron'],
  ]);
});

test('a journalctl that ends is started again where it was', async () => {
  const journal = createJournal();
  journal.log('one');
  const backend = await journal.open();
  await backend.waitForLast('one');
  const pid = await journal.waitForRuns(1);
  process.kill(pid ?? 0, 'SIGKILL');
  await waitFor(() => journal.warnings.length > 0, {what: 'warning'});
  journal.log('meanwhile');
  journal.skip(1_000);
  expect(await backend.waitForLast('meanwhile')).toEqual(['one', 'meanwhile']);
  expect((await backend.readWindow()).arrivals).toMatchObject({last: 2, dropped: 0});
  expect(journal.warnings).toEqual([
    'journalctl for pod app was ended by SIGKILL: it restarts after a pause and continues where it left off.',
  ]);
});

test('if the last entry is gone from the journal, readers see one gap', async () => {
  const journal = createJournal();
  journal.log('one');
  const first = await journal.open();
  await first.waitForLast('one');
  await first.close();
  journal.vacuum();
  const second = await journal.open();
  // No entry comes: the loss shows once journalctl had the time to print it.
  await journal.waitForRuns(2);
  journal.skip(2_000);
  await waitFor(async () => (await second.readWindow()).arrivals?.dropped === 2, {what: 'a loss'});
  expect((await second.readWindow()).numbering).toMatchObject({
    sources: [{pod: 'app', stream: 'shop.service'}, {pod: 'app'}],
    losses: [{source: 1, number: 2, why: 'the journal no longer has the last entry that was read'}],
  });
  journal.log('two');
  await second.waitForLast('two');
  expect((await second.readWindow()).arrivals).toMatchObject({last: 3, dropped: 2});
  await second.close();

  // An entry comes that is not the last one.
  journal.vacuum();
  journal.log('three');
  const third = await journal.open();
  expect(await third.waitForLast('three')).toEqual(['one', 'two', 'three']);
  expect((await third.readWindow()).arrivals).toMatchObject({last: 5, dropped: 4});
});

test('takes a message of very many lines, and goes on after it', async () => {
  const journal = createJournal({windowLines: 3});
  const backend = await journal.open();
  journal.log('line\n'.repeat(150_000), 'after');
  expect(await backend.waitForLast('after')).toEqual(['line', 'line', 'after']);
});

test('messages that journald dropped are a gap, those of other units are not', async () => {
  const journal = createJournal();
  const drop = (unit: string): void =>
    journal.logEntry({MESSAGE: `Suppressed 9 messages from ${unit}`, MESSAGE_ID: 'a596d6fe7bfa4994828e72309e95d61e'});
  const backend = await journal.open();
  journal.log('one');
  drop('other.service');
  journal.log('two');
  expect(await backend.waitForLast('two')).toEqual(['one', 'two']);
  drop('shop.service');
  journal.log('three');
  expect(await backend.waitForLast('three')).toEqual(['one', 'two', 'three']);
  expect((await backend.readWindow()).numbering).toMatchObject({
    sources: [{pod: 'app', stream: 'shop.service'}],
    losses: [{source: 0, number: 3, why: 'journald dropped messages past its rate limit', lines: 9}],
  });
  expect((await backend.readWindow()).arrivals).toMatchObject({last: 4, dropped: 3});
});

test('messages dropped of the unit that writes under an identifier are a gap, those of another unit are not', async () => {
  const journal = createJournal({pod: 'identifiers = ["cron"]'});
  const drop = (unit: string): void =>
    journal.logEntry({
      MESSAGE: `Suppressed 5000 messages from ${unit}`,
      MESSAGE_ID: 'a596d6fe7bfa4994828e72309e95d61e',
      SYSLOG_IDENTIFIER: 'systemd-journald',
    });
  const logAs = (text: string): void =>
    journal.logEntry({MESSAGE: text, SYSLOG_IDENTIFIER: 'cron', _SYSTEMD_UNIT: 'cron.service'});
  const backend = await journal.open();
  logAs('one');
  drop('other.service');
  logAs('two');
  await backend.waitForLast('two');
  expect((await backend.readWindow()).numbering?.losses).toEqual([]);
  drop('cron.service');
  logAs('three');
  await backend.waitForLast('three');
  expect(journal.readArguments()).toContain('_TRANSPORT=driver');
  expect((await backend.readWindow()).numbering).toMatchObject({
    sources: [{pod: 'app', stream: 'cron'}],
    losses: [{source: 0, number: 3, lines: 5000}],
  });
});

test('an identifier that was not heard yet may have lost what journald dropped of any unit', async () => {
  const journal = createJournal({pod: 'identifiers = ["cron"]'});
  const backend = await journal.open();
  journal.logEntry({
    MESSAGE: 'Suppressed 7 messages from cron.service',
    MESSAGE_ID: 'a596d6fe7bfa4994828e72309e95d61e',
  });
  journal.logEntry({MESSAGE: 'one', SYSLOG_IDENTIFIER: 'cron', _SYSTEMD_UNIT: 'cron.service'});
  await backend.waitForLast('one');
  expect((await backend.readWindow()).numbering?.losses).toMatchObject([{number: 1, lines: 7}]);
});

test('output that is no entry is a gap and a warning', async () => {
  const journal = createJournal();
  const backend = await journal.open();
  journal.log('one');
  await backend.waitForLast('one');
  journal.append('journal', '{"__CURSOR":"s=1;i=');
  journal.append('journal', '\n');
  journal.log('two');
  expect(await backend.waitForLast('two')).toEqual(['one', 'two']);
  expect((await backend.readWindow()).numbering?.losses).toMatchObject([{number: 2}]);
  expect(journal.warnings).toEqual([
    'journalctl printed something for pod app that is not a journal entry: lines may be missing.',
  ]);
});

test('says what to do if journalctl is missing, or the journal may not be read', async () => {
  const refused = createJournal();
  refused.write('error', 'No journal files were opened due to insufficient permissions.\n');
  await refused.open();
  await waitFor(() => refused.warnings.length >= 3, {what: 'warnings'});
  expect(refused.warnings.toSorted()).toEqual([
    'Pod app lacks journal entries: add the user of this service to the group systemd-journal, and restart it.',
    'journalctl for pod app ended with exit code 1: it restarts after a pause and continues where it left off.',
    'journalctl for pod app writes: No journal files were opened due to insufficient permissions.',
  ]);

  const missing = createJournal();
  vi.stubEnv('PATH', missing.path);
  await missing.open();
  await waitFor(() => missing.warnings.length > 0, {what: 'warning'});
  expect(missing.warnings).toEqual([
    'journalctl for pod app cannot be started (no such program): it restarts after a pause and continues where it left off.',
  ]);
});

test.each([
  ['', 'units: missing: give the units whose log is the log of the pod, such as ["nginx.service"], or identifiers'],
  ['units = ["php*"]', 'units: "php*" is not the name of a unit: give the full name of each'],
  ['files = ["a.log"]\nunits = ["a"]', 'a pod has files or source, not both'],
])('refuses a pod with %j', async (pod, sentence) => {
  const journal = createJournal({pod});
  await expect(readServeSettings(join(journal.path, 'serve.toml'), lineSources)).rejects.toThrow(sentence);
});

test('a machine without a journal is not called quiet: it cannot be read until an entry comes', async () => {
  const journal = createJournal();
  journal.write('missing', 'No journal files were found.\n');
  const backend = await journal.open();
  const readUnreadable = async () => (await backend.readWindow()).unreadable;
  await waitFor(readUnreadable, {what: 'what cannot be read'});
  expect(await readUnreadable()).toEqual({
    pods: 1,
    of: 1,
    why: 'journalctl found no journal on this machine',
  });
  journal.log('first');
  await backend.waitForLast('first');
  expect(await readUnreadable()).toBeUndefined();
});

test('refuses keys of journald without it, and another source', async () => {
  const journal = createJournal();
  const read = (pod: string) => {
    const path = join(journal.path, 'other.toml');
    const branch = '[[sites.branches]]\nname = "m"\nstatus = "UP"\n[[sites.branches.pods]]\nname = "p"\n';
    writeFileSync(path, `tenant = "t"\n[[sites]]\nid = "s"\n${branch}${pod}\n`);
    return readServeSettings(path, lineSources);
  };
  await expect(read('files = ["a.log"]\nunits = ["a"]')).rejects.toThrow('belongs to source, but this pod has files');
  await expect(read('source = "loki"\nunits = ["a"]')).rejects.toThrow('journald');
});

test('an entry of more than 16 MB is left out with a loss, and those around it are served', async () => {
  const journal = createJournal();
  journal.log('before');
  const backend = await journal.open();
  await backend.waitForLast('before');
  journal.log('x'.repeat(17 * 1024 * 1024));
  journal.log('after');
  expect(await backend.waitForLast('after')).toEqual(['before', 'after']);
  expect((await backend.readWindow()).numbering?.losses.map(({why}) => why)).toEqual([
    'a journal entry is larger than 16 MB',
  ]);
});
