import {expect, test} from 'vitest';
import {createRepeatedCommand} from '#service/command/commands/repeated-command.ts';
import {describeStartError, failToStart, runCommand} from '#service/command/run-command.ts';

/** A command whose program has a name that cannot be: nothing is started. */
const create = () => {
  let nowMs = 0;
  const told: string[] = [];
  const begun: (string | undefined)[] = [];
  const ends: boolean[] = [];
  const repeated = createRepeatedCommand(
    {
      title: 'The command',
      name: 'the command',
      folder: '/',
      kind: 'command',
      advice: 'it restarts.',
      beginRun: outcome => {
        begun.push(outcome);
        return {
          command: [`/${'x'.repeat(300)}`],
          take: (_, {atEnd}) => ends.push(atEnd),
          caughtUp: () => ends.push(false),
          settle: () => undefined,
        };
      },
    },
    {wake: () => undefined, monotonicMs: () => nowMs, warnAlways: message => told.push(message)},
  );
  return {
    ...repeated,
    told,
    begun,
    ends,
    skip: (ms: number) => {
      nowMs += ms;
    },
  };
};

const outcome = 'cannot be started (it cannot be examined (ENAMETOOLONG))';

test('a command that cannot be started is told once, with what follows, and is unreadable', async () => {
  const {turn, told, begun, ends, unreadable, skip} = create();
  expect(unreadable()).toBeUndefined();
  expect(await turn()).toBe(false);
  skip(1_000);
  await turn();
  expect([told, begun, unreadable()]).toEqual([
    [`The command ${outcome}: it restarts.`],
    [undefined, outcome],
    `the command ${outcome}`,
  ]);
  expect(ends).toEqual([true, true]);
});

test('pauses before a start double from a second to a minute', async () => {
  const {turn, begun, skip} = create();
  const startedAtMs: number[] = [];
  for (let ms = 0; startedAtMs.length < 9; ms += 500) {
    await turn();
    if (begun.length > startedAtMs.length) {
      startedAtMs.push(ms);
    }
    skip(500);
  }
  const pauses = startedAtMs.slice(1).map((ms, index) => ms - (startedAtMs[index] ?? 0));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test('a command that is closed without having run ends nothing', async () => {
  const {turn, close, ends} = create();
  await close();
  expect(ends).toEqual([]);
  await turn();
  await close();
  expect(ends.every(isEnd => isEnd)).toBe(true);
});

test.each([
  [Object.assign(new Error('spawn x ENOENT'), {code: 'ENOENT'}), 'no such program'],
  [Object.assign(new Error('spawn x EACCES'), {code: 'EACCES'}), 'it is not executable'],
  [new Error('EMFILE: too many open files, spawn'), 'too many open files'],
])('says why a command cannot be started: %s', (error, why) => {
  expect(describeStartError(error)).toBe(`cannot be started (${why})`);
});

test('what cannot be started has ended before it began', async () => {
  const command = failToStart('gone');
  expect([command.pid, command.outcome(), command.takeOutput()]).toEqual([
    undefined,
    'gone',
    {bytes: Buffer.alloc(0), hasMore: false},
  ]);
  await command.stop();
  const options = {folder: '/', kind: 'command' as const, onChange: () => undefined, onErrorOutput: () => undefined};
  expect(runCommand({...options, command: ['a\0b']}).outcome()).toMatch(/^cannot be started \(/);
});
