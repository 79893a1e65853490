import {Readable, Writable} from 'node:stream';
import {expect, test} from 'vitest';
import {createProgress} from '#cli/io/progress.ts';

/** What is written to standard error while bytes are read, a second between them. */
const show = ({
  stdoutIsTerminal = false,
  stderrIsTerminal = true,
  totalBytes = undefined as number | undefined,
}): string => {
  let shown = '';
  let nowMs = 0;
  const stream = (isTTY: boolean) =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write: (text: string, _encoding, done) => {
          shown += text;
          done();
        },
      }),
      {isTTY},
    );
  const progress = createProgress(
    {
      stdin: Object.assign(Readable.from([]), {isTTY: false}),
      stdout: stream(stdoutIsTerminal),
      stderr: stream(stderrIsTerminal),
      env: {},
      homeFolder: undefined,
      clock: {nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: async () => undefined},
      random: () => 0,
      onStopSignal: () => () => undefined,
    },
    totalBytes,
  );
  for (const ms of [100, 1_000, 1_100, 1_200]) {
    nowMs = ms;
    progress.note(500e6);
  }
  progress.end();
  return shown;
};

test('after a second, a terminal shows how much was read, and nothing of it at the end', () => {
  expect(show({totalBytes: 2e9})).toBe(
    '\r\x1b[Kbranchlog: 1,000 MB of 2,000 MB read\r\x1b[Kbranchlog: 2,000 MB of 2,000 MB read\r\x1b[K',
  );
  expect(show({})).toContain('branchlog: 1,000 MB read');
});

test('nothing is shown where lines are, or where nobody looks', () => {
  expect([show({stdoutIsTerminal: true}), show({stderrIsTerminal: false})]).toEqual(['', '']);
});
