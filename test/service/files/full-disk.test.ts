import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {appendFileSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createTempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';
import {fetchAnswer, startService} from '../start-service.ts';

const tryMount = (path: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
};

const folder = createTempFolder('full');
const state = join(folder.path, 'state');
mkdirSync(state);
const isMounted = tryMount(state);
if (!isMounted) {
  folder.remove();
}

/** Takes the room that is left, to the last byte. */
const fill = (): void => {
  for (const bytes of [65_536, 4_096, 512, 1]) {
    for (let isFull = false; !isFull; ) {
      try {
        appendFileSync(join(state, 'filler'), Buffer.alloc(bytes));
      } catch {
        isFull = true;
      }
    }
  }
};

test.runIf(isMounted)(
  'a full disk of the state stops nothing, and a service that was killed begins anew with all that the file has',
  async () => {
    onTestFinished(() => {
      execFileSync('umount', ['-l', state]);
      folder.remove();
    });
    const log = join(folder.path, 'a.log');
    let written = 0;
    const write = (count: number): void => {
      for (const end = written + count; written < end; written += 1) {
        appendFileSync(log, `line ${written} ${'.'.repeat(100)}\n`);
      }
    };
    writeFileSync(
      join(folder.path, 'serve.toml'),
      `listen = "127.0.0.1:0"
tenant = "acme"
window_lines = 5000
[[sites]]
id = "shop"
[[sites.branches]]
id = "m1"
name = "master"
status = "UP"
[[sites.branches.pods]]
name = "web-0"
files = ["a.log"]
`,
    );
    /** What a client that stays was shown. */
    const shown = new Set<string>();
    const serve = async () => {
      const {child, baseUrl, stderr} = await startService(folder.path);
      const readTo = (last: number) =>
        waitFor(
          async () => {
            const answer = await fetchAnswer(folder.path, baseUrl);
            expect(new Set(answer.lines.map(line => line.slice(31))).size).toBe(answer.lines.length);
            for (const line of answer.lines) {
              shown.add(line);
            }
            return answer.lines.at(-1)?.includes(` line ${last} `) && answer;
          },
          {what: `line ${last}`},
        );
      const kill = async (): Promise<void> => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      };
      return {readTo, kill, stderr};
    };
    const seriesOf = ({header}: {readonly header: string}) => header.split('; ')[1];

    write(100);
    const first = await serve();
    const before = seriesOf(await first.readTo(99));
    fill();
    write(2_000);
    const during = seriesOf(await first.readTo(2_099));
    expect(during).not.toBe(before);
    expect(first.stderr()).toContain('The state cannot be written');
    await first.kill();

    write(20);
    const second = await serve();
    expect(second.stderr()).toContain('cannot be used (the disk is full): the service starts without it');
    write(5);
    const answer = await second.readTo(2_124);
    // All lines of the file, and the loss ahead of them.
    expect(answer.header).toContain('; last=2126;');
    const after = seriesOf(answer);
    expect([before, during]).not.toContain(after);
    await second.kill();

    rmSync(join(state, 'filler'));
    const third = await serve();
    write(5);
    expect(seriesOf(await third.readTo(2_129))).not.toBe(after);
    expect(third.stderr()).toContain('The state lacks lines that were served before');
    await third.kill();

    // Now the state is whole again.
    const fourth = await serve();
    write(5);
    await fourth.readTo(2_134);
    expect(fourth.stderr()).not.toContain('state');
    await fourth.kill();

    // Those, too, that were written while it did not run.
    expect(new Set([...shown].map(line => line.slice(31))).size).toBe(written);
  },
);
