import {setTimeout as delay} from 'node:timers/promises';
import {createEmulator} from '../../test/support/emulator.ts';
import {waitFor} from '../../test/support/wait-for.ts';
import {type Chunk, columns, rows, type Session} from './session.ts';

/** An answer is complete after this many milliseconds without output: more than two frames of any program. */
const answerQuietMs = 40;

/**
 * Presses a key several times, each after the answer to the previous one is complete. Returns the milliseconds from
 * each key to the last byte of its answer. For screens where only keys cause output.
 */
export const timeKeys = async (session: Session, key: string, count: number): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let pressed = 0; pressed < count; pressed += 1) {
    const chunksBefore = session.chunks.length;
    const pressedAtMs = performance.now();
    session.send(key);
    await waitFor(() => session.chunks.length > chunksBefore, {what: `an answer to ${JSON.stringify(key)}`});
    await session.quiet(answerQuietMs);
    times.push((session.chunks.at(-1)?.atMs ?? Number.NaN) - pressedAtMs);
  }
  return times;
};

/** The rows that only keys change while the log is not followed: all but a few at the top and bottom. */
const firstStillRow = 8;
const lastStillRow = rows - 6;

type Look = {readonly atMs: number; readonly body: string};

/** Returns the middle of the screen after each piece of output. */
const lookBack = async (before: readonly Chunk[], after: readonly Chunk[]): Promise<readonly Look[]> => {
  const emulator = createEmulator(columns, rows);
  const draw = async ({text, atMs}: Chunk): Promise<Look> => {
    await emulator.write(text);
    return {atMs, body: emulator.screenText().slice(firstStillRow, lastStillRow).join('\n')};
  };
  for (const chunk of before) {
    await emulator.write(chunk.text);
  }
  const looks: Look[] = [];
  for (const chunk of after) {
    looks.push(await draw(chunk));
  }
  emulator.close();
  return looks;
};

/** Milliseconds between two keys: not a multiple of any regular interval. */
const pauseMs = 203;

/**
 * The same for a screen that also changes by itself: how long until the middle of the screen looks as it does at the
 * next key. A key without an answer by then counts with the whole interval.
 */
export const timeKeysAmidOutput = async (session: Session, key: string, count: number): Promise<readonly number[]> => {
  const firstChunk = session.chunks.length;
  const pressedAtMs: number[] = [];
  for (let pressed = 0; pressed < count; pressed += 1) {
    pressedAtMs.push(performance.now());
    session.send(key);
    await delay(pauseMs);
  }
  const endMs = performance.now();
  const looks = await lookBack(session.chunks.slice(0, firstChunk), session.chunks.slice(firstChunk));
  return pressedAtMs.map((fromMs, index) => {
    const toMs = pressedAtMs[index + 1] ?? endMs;
    const bodyBefore = looks.findLast(({atMs}) => atMs < fromMs)?.body;
    const during = looks.filter(({atMs}) => atMs >= fromMs && atMs < toMs);
    const bodyAfter = during.at(-1)?.body;
    const answeredAtMs = bodyAfter === bodyBefore ? toMs : during.find(({body}) => body === bodyAfter)?.atMs;
    return (answeredAtMs ?? toMs) - fromMs;
  });
};
