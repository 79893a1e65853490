import {expect, test} from 'vitest';
import {systemFrameClock} from '#terminal/screen/frame-stream.ts';

test.each([0, 1])('what is scheduled after %i ms runs once, and not when it is cancelled', async delayMs => {
  const ran: string[] = [];
  const cancel = systemFrameClock.schedule(delayMs, () => ran.push('cancelled'));
  cancel();
  await new Promise<void>(resolve => {
    systemFrameClock.schedule(delayMs, () => {
      ran.push('run');
      resolve();
    });
  });
  expect(ran).toEqual(['run']);
});
