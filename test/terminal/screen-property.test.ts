import fc from 'fast-check';
import {afterEach, expect, test} from 'vitest';
import {createEmulator, type Emulator} from '../support/emulator.ts';
import {runsOf} from '../support/thorough.ts';
import {findScreenDifferences, setWidths, type WidthPolicy} from './frame-model.ts';
import {anyBlock, anyStep, type Frame, handOver, type Step, takeStep} from './frame-steps.ts';
import {anyRow, seenAt} from './frame-words.ts';
import {capabilitiesOf, createStage, type Stage} from './stage.ts';

let emulator: Emulator | undefined;
afterEach(() => {
  emulator?.close();
  emulator = undefined;
});

const carryOut = async (stage: Stage, change: Step, shell: Emulator): Promise<void> => {
  const {screen, terminal, clock} = stage;
  switch (change.kind) {
    case 'resize':
      shell.resize(change.columns, change.rows);
      terminal.columns = change.columns;
      terminal.rows = change.rows;
      terminal.emit('resize');
      break;
    case 'suspend':
      screen.suspend();
      await shell.write(`${terminal.writes.splice(0).join('')}the shell\r\n$ `);
      screen.resume();
      break;
    case 'reset':
      await shell.write('\u001bc\u001b[31mwhat somebody else wrote');
      screen.repaint();
      break;
    case 'stall':
      terminal.isStalled = true;
      break;
    default:
  }
  await clock.moveOn(20);
};

const terminals: readonly (readonly [env: Readonly<Record<string, string>>, policy: WidthPolicy])[] = [
  [{TERM: 'xterm-256color', COLORTERM: 'truecolor'}, 'as we do'],
  [{TERM: 'xterm-256color'}, 'one'],
  [{TERM: 'tmux-256color'}, 'two'],
  [{TERM: 'xterm'}, 'none'],
  [{TERM: 'xterm-256color', NO_COLOR: '1'}, 'as we do'],
  [{TERM: 'linux'}, 'one'],
  [{TERM: 'screen'}, 'two'],
  [{TERM: 'vt100'}, 'as we do'],
  [{TERM: 'stranger'}, 'none'],
];

test.each(terminals)(
  'shows exactly the last frame, whatever came before it, on %j where a disputed character takes columns: %s',
  async (env, policy) => {
    const capabilities = capabilitiesOf(env);
    const seen = seenAt(capabilities.colours);
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRow, {minLength: 8, maxLength: 14}),
        anyBlock,
        fc.array(anyStep, {minLength: 1, maxLength: 12, size: 'max'}),
        async (rows, firstBlock, steps) => {
          const stage = createStage(capabilities);
          const {screen, terminal, clock} = stage;
          const shell = createEmulator(terminal.columns, terminal.rows);
          emulator = shell;
          setWidths(shell, policy);
          screen.enter();
          let frame: Frame = {rows, block: firstBlock};
          for (const change of [undefined, ...steps]) {
            if (change) {
              await carryOut(stage, change, shell);
              frame = takeStep(frame, change);
            }
            handOver(stage, frame);
            await clock.moveOn(20);
            await terminal.drain();
            await clock.moveOn(20);
            await shell.write(terminal.writes.splice(0).join(''));
            expect(findScreenDifferences(shell.cells(), frame.rows, seen)).toEqual([]);
            expect([shell.isAltScreenActive(), shell.isCursorShown()]).toEqual([true, false]);
          }
          shell.close();
        },
      ),
      {numRuns: runsOf(20)},
    );
  },
);
