import {afterAll, beforeAll, expect, test} from 'vitest';
import {waitFor} from '../support/wait-for.ts';
import {hasPodman, runProgram, startPodman, startProgram} from './start-engines.ts';

let engine: ReturnType<typeof startPodman> | undefined;

beforeAll(async () => {
  engine = hasPodman ? startPodman() : undefined;
  await engine?.isUp();
}, 120_000);

afterAll(() => engine?.stop(), 60_000);

const open = (name: string, ...flags: readonly string[]) => [
  'open',
  '--podman',
  name,
  '--timestamps',
  'none',
  ...flags,
];

test.runIf(hasPodman)(
  'the last line of a container that ended is printed, though no newline ends it and Podman says so late',
  async () => {
    engine?.run('words', 'echo starting; printf "panic: last words" >&2; exit 2');
    await waitFor(() => engine?.stateOf('words') !== 'running', {what: 'its end'});
    expect(runProgram(engine?.env ?? {}, ...open('words'))).toMatchObject({
      code: 0,
      stdout: 'starting\npanic: last words\n',
    });
  },
  60_000,
);

test.runIf(hasPodman)(
  'a log that is followed has each line once, with those of 40 KB whole',
  async () => {
    const write =
      'i=0; while [ $i -lt 500 ]; do i=$((i+1)); echo "$i"; usleep 5000; done; head -c 40000 /dev/zero | tr "\\0" x; echo; sleep 1000';
    engine?.run('counts', `sleep 2; ${write}`);
    const running = startProgram(engine?.env ?? {}, ...open('counts', '--follow', '--fail-on-gap'));
    await waitFor(() => running.stdout().endsWith('xx\n'), {what: 'the last line', deadlineMs: 60_000});
    const {code, stdout} = await running.stop();
    const numbers = Array.from({length: 500}, (_, index) => String(index + 1));
    expect([code, stdout.trimEnd().split('\n')]).toEqual([130, [...numbers, 'x'.repeat(40_000)]]);
  },
  120_000,
);
