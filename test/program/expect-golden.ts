import {setTimeout as delay} from 'node:timers/promises';
import {expectScreen, isGolden, type Mask} from '../support/golden.ts';
import type {PtyProgram} from '../support/pty-program.ts';

/** All that differs from run to run: the service's port, and the seconds that pass by our own clock. */
const masks: readonly Mask[] = [
  {pattern: /127\.0\.0\.1:\d+/, as: '127.0.0.1:ppppp'},
  {pattern: /(?<=(?:live|as of|since|last good|next try at) )14:12:\d\d/, as: '14:12:ss'},
];

const isWritten = process.env.UPDATE_GOLDENS === '1';

/** When a golden is written, nothing tells that a screen is complete but that nothing more comes. */
const settle = async (program: PtyProgram): Promise<void> => {
  for (let before = -1; before !== program.bytesReceived(); ) {
    before = program.bytesReceived();
    await delay(1000);
  }
};

/** Waits for a text, and then until the screen is that of test/screens/NAME.txt. */
export const expectGolden = async (
  program: PtyProgram,
  name: string,
  wanted: Parameters<PtyProgram['waitFor']>[0],
): Promise<void> => {
  await program.waitFor(wanted);
  // A terminal hands output over in pieces, so the text may be there before the rest of its screen.
  await program.waitFor(rows => isGolden(rows, name, masks), {deadlineMs: 3000}).catch(() => {});
  if (isWritten && !isGolden(program.screenText(), name, masks)) {
    await settle(program);
  }
  expectScreen(program.screenText(), name, masks);
};
