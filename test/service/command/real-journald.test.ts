import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {waitFor} from '../../support/wait-for.ts';
import {createJournalFolder} from './journal-folder.ts';

const journald = '/lib/systemd/systemd-journald';
const realJournalctl = '/usr/bin/journalctl';

/** Runs commands with a /run and a /dev/log of their own, in which a journald runs that writes to `folder`. */
const script = (folder: string): string => `set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/journal /run/log/journal /run/test
mount --bind ${folder} /run/log/journal
printf '[Journal]\\nStorage=volatile\\nReadKMsg=no\\nAudit=no\\n' > /run/test/journald.conf
mount --bind /run/test/journald.conf /etc/systemd/journald.conf
start() {
  rm -f /run/systemd/journal/socket
  ${journald} > /run/test/messages 2>&1 &
  daemon=$!
  until [ -S /run/systemd/journal/socket ]; do sleep 0.01; done
}
restart() { kill $daemon; wait $daemon || true; start; }
start
trap 'kill $daemon' EXIT
echo ready
while read -r command; do eval "$command"; done
`;

const canStart =
  existsSync(journald) &&
  existsSync(realJournalctl) &&
  existsSync('/etc/systemd/journald.conf') &&
  spawnSync('unshare', ['--mount', '--propagation', 'private', 'true']).status === 0;

const startJournald = async () => {
  const folder = createJournalFolder({
    journalctl: `exec ${realJournalctl} --directory=journal "$@"\n`,
    pod: 'identifiers = ["shop"]',
    nowMs: Date.now() + 60_000,
  });
  const stored = join(folder.path, 'journal');
  mkdirSync(stored);
  const shell = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script(stored)]);
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', text => {
      output += text;
    });
  }
  const ended = new Promise(resolve => shell.on('close', resolve));
  onTestFinished(async () => {
    shell.stdin.end();
    await ended;
  });
  let commandCount = 0;
  const run = async (command: string): Promise<void> => {
    commandCount += 1;
    const done = `done ${commandCount}`;
    shell.stdin.write(`${command}; echo ${done}\n`);
    await waitFor(() => output.includes(done), {what: `${command}: ${output}`});
  };
  await waitFor(() => output.includes('ready'), {what: `journald: ${output}`});
  return {
    ...folder,
    run,
    log: (...messages: readonly string[]) =>
      run(messages.map(text => `printf 'MESSAGE=${text}\\nSYSLOG_IDENTIFIER=shop\\n' | logger --journald`).join('; ')),
  };
};

test.skipIf(!canStart)(
  'a real journal: followed, over restarts of both sides, and with its last entry vacuumed',
  async () => {
    const journal = await startJournald();
    await journal.log('one', 'two\\nMESSAGE=lines', '\\377');
    const first = await journal.open();
    expect(await first.waitForLast('\ufffd')).toEqual(['one', 'two', 'lines', '\ufffd']);
    await journal.log('followed');
    await first.waitForLast('followed');
    await first.close();
    await journal.log('meanwhile', 'and this');
    await journal.run(`${realJournalctl} --rotate`);
    const second = await journal.open();
    expect(await second.waitForLast('and this')).toEqual([
      ...['one', 'two', 'lines', '\ufffd', 'followed'],
      ...['meanwhile', 'and this'],
    ]);
    expect((await second.readWindow()).arrivals).toMatchObject({last: 7, dropped: 0});
    await journal.log('after the rotation');
    await second.waitForLast('after the rotation');
    await second.close();

    await journal.log('lost');
    await journal.run(`${realJournalctl} --rotate; ${realJournalctl} --vacuum-files=1`);
    const third = await journal.open();
    await journal.waitForRuns(3);
    await journal.log('kept');
    expect((await third.waitForLast('kept')).slice(-2)).toEqual(['after the rotation', 'kept']);
    expect((await third.readWindow()).arrivals).toMatchObject({last: 10, dropped: 9});
  },
);

test.skipIf(!canStart)(
  'a real journal: the first entries of all come, and those before a boot of the machine; of another machine none',
  async () => {
    const journal = await startJournald();
    const pretend = (path: string, content: string) =>
      journal.run(`f=$(mktemp -p /run/test); echo ${content} > $f; mount --bind $f ${path}`);
    const bootIdFile = '/proc/sys/kernel/random/boot_id';
    const first = await journal.open();
    await journal.waitForRuns(1);
    await journal.log('one', 'two', 'three');
    expect(await first.waitForLast('three')).toEqual(['one', 'two', 'three']);
    await first.close();

    await journal.log('before the boot');
    await pretend(bootIdFile, '00000000-0000-4000-8000-000000000001');
    await journal.run('restart');
    await journal.log('after the boot');
    const second = await journal.open();
    expect((await second.waitForLast('after the boot')).slice(3)).toEqual(['before the boot', 'after the boot']);
    expect((await second.readWindow()).arrivals).toMatchObject({last: 5, dropped: 0});

    await pretend('/etc/machine-id', '00000000000040008000000000000002');
    await journal.run('restart');
    await journal.log('of another machine');
    await journal.run('umount /etc/machine-id; restart');
    await journal.log('of this one');
    expect((await second.waitForLast('of this one')).slice(4)).toEqual(['after the boot', 'of this one']);
  },
);
