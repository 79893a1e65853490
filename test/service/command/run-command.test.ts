import {expect, onTestFinished, test} from 'vitest';
import {runCommand} from '#service/command/run-command.ts';
import {waitFor} from '../../support/wait-for.ts';

test('a command whose output nobody takes waits once half a megabyte is kept', async () => {
  let isHeldUp = false;
  const command = runCommand({
    command: ['yes', 'a line'],
    folder: '/',
    kind: 'command',
    onChange: change => {
      isHeldUp ||= change.isHeldUp;
    },
    onErrorOutput: () => undefined,
  });
  onTestFinished(() => command.stop());
  await waitFor(() => isHeldUp, {what: 'the command to be held up'});
  const {bytes, hasMore} = command.takeOutput();
  expect(hasMore).toBe(true);
  expect(bytes.length).toBeGreaterThanOrEqual(512 * 1024);
  expect(bytes.length).toBeLessThan(1024 * 1024);
  isHeldUp = false;
  await waitFor(() => isHeldUp, {what: 'the command to go on, and to be held up again'});
});
