import {afterAll, beforeAll, expect, test} from 'vitest';
import {waitFor} from '../support/wait-for.ts';
import {runProgram, startDocker, startProgram} from './start-engines.ts';

let engine: ReturnType<typeof startDocker>;

beforeAll(() => {
  engine = startDocker();
}, 300_000);

afterAll(() => engine.stop(), 120_000);

const runContainer = (name: string, flags: readonly string[], command: string): void => {
  engine.docker('rm', '--force', name);
  engine.docker('run', '--detach', '--name', name, '--network=none', ...flags, 'bb:1', 'sh', '-c', command);
};
const isEnded = (name: string): boolean =>
  engine.docker('inspect', '--format', '{{.State.Status}}', name).trim() === 'exited';
const open = (name: string, ...flags: readonly string[]) => [
  'open',
  '--docker',
  name,
  '--timestamps',
  'none',
  ...flags,
];

test('the last line of a container that ended is printed, though no newline ends it', async () => {
  runContainer('words', [], 'echo starting; printf "panic: last words" >&2; exit 2');
  await waitFor(() => isEnded('words'), {what: 'its end'});
  expect(runProgram(engine.env, ...open('words')).stdout).toBe('starting\npanic: last words\n');
});

test('the lines of a terminal have no carriage return at their end', async () => {
  runContainer('terminal', ['--tty'], 'echo one; printf "50%%\\r100%%\\n"; sleep 1000');
  await waitFor(() => engine.docker('logs', 'terminal').includes('100%'), {what: 'its lines'});
  expect(runProgram(engine.env, ...open('terminal', '--format', 'json')).stdout).toContain('"50%\\u000d100%"');
});

test('lines that Docker sends twice when it rotates a log are printed once, and none is lost', async () => {
  const options = ['--log-driver=json-file', '--log-opt=max-size=60k', '--log-opt=max-file=4'];
  const write =
    'sleep 8; i=0; while [ $i -lt 4000 ]; do i=$((i+1)); [ $((i % 40)) = 0 ] && usleep 50000; echo "$i of a log that is rotated often"; done; echo end; sleep 1000';
  runContainer('rotated', options, write);
  const running = startProgram(engine.env, ...open('rotated', '--follow'));
  await waitFor(() => running.stdout().endsWith('end\n'), {what: 'the last line', deadlineMs: 120_000});
  const {stdout} = await running.stop();
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map(line => line.split(' ')[0]),
  ).toEqual(Array.from({length: 4_000}, (_, index) => String(index + 1)));
}, 180_000);

test('of a log of a gigabyte, the lines since a time and the last ones are there at once, and an end that is cut is told', async () => {
  runContainer(
    'large',
    ['--log-driver=json-file'],
    `yes '${'an old line '.repeat(20)}' | head -c 1000000000; echo written; sleep 12; i=0; while true; do i=$((i+1)); echo "now $i"; sleep 0.1; done`,
  );
  await waitFor(() => engine.docker('logs', '--tail=1', 'large').startsWith('now'), {
    what: 'new lines',
    deadlineMs: 240_000,
  });
  const recent = runProgram(engine.env, ...open('large', '--since', '5s'));
  expect(recent.stdout).toMatch(/^(?:now \d+\n)+$/);
  const all = runProgram(engine.env, ...open('large'));
  expect(all.stdout).toMatch(/now \d+\n$/);
  expect(all.stderr).toMatch(/held from \S+ only: no more lines fit into buffer_mb/);
  engine.docker('rm', '--force', 'large');
}, 300_000);

test('a container that is started again goes on in its log', async () => {
  runContainer('again', [], 'echo "$(date +%s%N) begins"; sleep 1; echo ends');
  await waitFor(() => isEnded('again'), {what: 'its end'});
  engine.docker('start', 'again');
  await waitFor(() => engine.docker('logs', 'again').split('ends').length === 3, {what: 'its second end'});
  expect(runProgram(engine.env, ...open('again')).stdout).toBe(engine.docker('logs', 'again'));
});

test('a log that is followed while the engine is restarted has each line once', async () => {
  runContainer(
    'under',
    ['--restart=always'],
    'i=0; while true; do i=$((i+1)); echo "$(date +%s) $i"; usleep 50000; done',
  );
  const running = startProgram(engine.env, ...open('under', '--follow'));
  await waitFor(() => running.stdout() !== '', {what: 'the first line'});
  await engine.restart();
  const written = engine.docker('logs', 'under').split('\n').length;
  await waitFor(() => running.stdout().split('\n').length > written, {what: 'lines since', deadlineMs: 60_000});
  const {stdout} = await running.stop();
  const truth = engine.docker('logs', 'under');
  expect(stdout).toBe(truth.slice(0, stdout.length));
}, 180_000);
