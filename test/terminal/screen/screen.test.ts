import {afterEach, expect, test} from 'vitest';
import {createEmulator, type Emulator} from '../../support/emulator.ts';
import {capabilitiesOf, createStage, type Stage} from '../stage.ts';

const setUpEntered = async (): Promise<Stage> => {
  const stage = createStage();
  stage.screen.enter();
  stage.screen.stream.write('first');
  await stage.clock.moveOn(0);
  await stage.clock.moveOn(0);
  stage.terminal.writes.length = 0;
  return stage;
};

let emulator: Emulator | undefined;
afterEach(() => {
  emulator?.close();
  emulator = undefined;
});

test('paints the first frame as soon as it comes', async () => {
  const {screen, terminal, clock} = createStage();
  screen.enter();
  screen.stream.write('hello\nworld');
  await clock.moveOn(0);
  await clock.moveOn(0);
  emulator = createEmulator(40, 6);
  await emulator.write(terminal.writes.join(''));
  expect(emulator.screenText()).toEqual(['hello', 'world', '', '', '', '']);
});

test('paints at most one frame in a 60th of a second, the newest', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  for (const text of ['a', 'b', 'c']) {
    screen.stream.write(text);
    await clock.moveOn(5);
  }
  expect(terminal.writes).toEqual([]);
  await clock.moveOn(5);
  expect(terminal.writes).toEqual(['\u001b[1Hc\u001b[K']);
  expect(screen.counters.framesDropped).toBe(2);
});

test('paints the answer to a key at once', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.noteKey();
  screen.stream.write('fires');
  await clock.moveOn(0);
  expect(terminal.writes).toEqual(['\u001b[1;4Hes']);
});

test('writes nothing for an equal frame, nor for one that was taken back before its turn', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.stream.write('first');
  screen.stream.write('other');
  screen.stream.write('first');
  await clock.moveOn(100);
  expect(terminal.writes).toEqual([]);
});

test('keeps only the newest frame while the terminal takes nothing, and paints it when it does', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  terminal.isStalled = true;
  screen.stream.write('1');
  await clock.moveOn(100);
  for (const text of ['2', '3', '4']) {
    screen.stream.write(text);
    screen.noteKey();
    await clock.moveOn(100);
  }
  expect(terminal.writes).toEqual(['\u001b[1H1\u001b[K']);
  await terminal.drain();
  await clock.moveOn(100);
  expect(terminal.writes).toEqual(['\u001b[1H1\u001b[K', '\u001b[1H4']);
});

test('tells Ink’s control writes from frames', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  for (const control of ['', '\u001b[?25h', '\u001b[?25l', '\u001b[?1049h\u001b[?25l', '\u001b[<u', '\n']) {
    screen.stream.write(control);
  }
  await clock.moveOn(100);
  expect(terminal.writes).toEqual([]);
  screen.stream.write('\u001b[?2004h');
  expect(terminal.writes).toEqual(['\u001b[?2004h']);
});

test('lays out once for many steps of a resize, and repaints whole', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  const sizes: string[] = [];
  screen.stream.on('resize', () => {
    sizes.push(`${screen.stream.columns}x${screen.stream.rows}`);
    screen.stream.write(`size ${screen.size.columns}`);
  });
  for (const columns of [30, 5000, 20]) {
    terminal.columns = columns;
    terminal.emit('resize');
  }
  await clock.moveOn(20);
  await clock.moveOn(20);
  expect(sizes).toEqual(['20x6']);
  expect(terminal.writes).toEqual(['\u001b[?2026h\u001b[m\u001b[r\u001b[2J\u001b[1Hsize 20\u001b[?2026l']);
});

test('paints nothing between the news of a resize and the new layout', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.stream.write('for the old size');
  screen.noteResize();
  await clock.moveOn(10);
  screen.noteKey();
  screen.stream.write('still for the old size');
  await clock.moveOn(5);
  expect(terminal.writes).toEqual([]);
  await clock.moveOn(5);
  await clock.moveOn(100);
  expect(terminal.writes).toHaveLength(1);
  expect(terminal.writes.join('')).toContain('still for the old size');
});

test('takes a size of 0×0 for 80×24 and clamps one of 5000×5000', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  for (const [columns, rows, expected] of [
    [0, 0, {columns: 80, rows: 24}],
    [5000, 5000, {columns: 500, rows: 200}],
    [1, 1, {columns: 1, rows: 1}],
  ] as const) {
    terminal.columns = columns;
    terminal.rows = rows;
    terminal.emit('resize');
    await clock.moveOn(20);
    expect(screen.size).toEqual(expected);
  }
});

test('gives the terminal back once, however often it is told to', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.leave();
  screen.leave();
  screen.stream.write('after');
  await clock.moveOn(100);
  expect(terminal.writes).toEqual([
    '\u001b[?2026l\u001b[?1006l\u001b[?1000l\u001b[m\u001b[r\u001b[2J\u001b[H\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l\u001b[?25h',
  ]);
});

test('keeps frames while it is suspended and paints the newest on return', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.suspend();
  screen.stream.write('second');
  await clock.moveOn(100);
  expect(terminal.writes).toHaveLength(1);
  terminal.writes.length = 0;
  screen.resume();
  await clock.moveOn(0);
  await clock.moveOn(100);
  emulator = createEmulator(40, 6);
  await emulator.write(terminal.writes.join(''));
  expect(emulator.isAltScreenActive()).toBe(true);
  expect(emulator.screenText()[0]).toBe('second');
});

test('the mouse is off whenever the terminal is not ours, and on again with everything else', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  const on = '\u001b[?1000h\u001b[?1006h';
  const off = '\u001b[?1006l\u001b[?1000l';
  const written = async (act: () => void): Promise<readonly string[]> => {
    terminal.writes.length = 0;
    act();
    await clock.moveOn(100);
    return terminal.writes
      .join('')
      .split(/(\u001b\[\?100[06][hl]\u001b\[\?100[06][hl])/)
      .filter(part => part === on || part === off);
  };
  expect(await written(() => screen.setMouse(true))).toEqual([on]);
  expect(await written(() => screen.setMouse(true))).toEqual([]);
  expect(await written(() => screen.repaint())).toEqual([on]);
  expect(await written(() => screen.suspend())).toEqual([off]);
  expect(await written(() => screen.setMouse(true))).toEqual([]);
  expect(await written(() => screen.resume())).toEqual([on]);
  expect(await written(() => screen.setMouse(false))).toEqual([off]);
  expect(await written(() => screen.repaint())).toEqual([]);
  expect(await written(() => screen.setMouse(true))).toEqual([on]);
  expect(await written(() => screen.leave())).toEqual([off]);
});

test('sets every mode and draws everything anew on repaint', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.repaint();
  await clock.moveOn(0);
  expect(terminal.writes).toHaveLength(1);
  emulator = createEmulator(40, 6);
  // A reset puts every mode back, which a program does not hear of.
  await emulator.write('\u001b[?1049h\u001bcsomething else wrote here');
  await emulator.write(terminal.writes.join(''));
  expect(emulator.screenText()[0]).toBe('first');
  expect(emulator.isAltScreenActive()).toBe(true);
  expect(emulator.isCursorShown()).toBe(false);
  expect(emulator.terminal.modes.wraparoundMode).toBe(false);
});

test('writes only the last frame, without colours, to a terminal that takes no control sequences', async () => {
  const {screen, terminal, clock} = createStage(capabilitiesOf({TERM: 'dumb'}));
  screen.enter();
  screen.stream.write('first');
  await clock.moveOn(100);
  screen.stream.write('\u001b[31mlast\u001b[39m  \nrow');
  await clock.moveOn(100);
  expect(terminal.writes).toEqual([]);
  screen.leave();
  expect(terminal.writes).toEqual(['last\nrow\n']);
});

test('counts bytes and frames', async () => {
  const {screen, terminal, clock} = createStage();
  screen.enter();
  screen.stream.write('é');
  await clock.moveOn(0);
  await clock.moveOn(0);
  expect(screen.counters.bytesWritten).toBe(Buffer.byteLength(terminal.writes.join('')));
  expect(screen.counters.framesPainted).toBe(1);
});

test('puts rows in the place of one of the frame, together with the frame of the same commit', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.stream.write('head 1\n\nfoot 1');
  screen.putRows({rowIndex: 1, rows: ['a', 'b', 'c']});
  await clock.moveOn(100);
  expect(terminal.writes).toHaveLength(1);
  screen.stream.write('head 2\n\nfoot 2');
  screen.putRows({rowIndex: 1, rows: ['b', 'c', '\u001b[31md\u001b[0m']});
  await clock.moveOn(100);
  expect(terminal.writes).toHaveLength(2);
  emulator = createEmulator(40, 6);
  await emulator.write(terminal.writes.join(''));
  expect(emulator.screenText()).toEqual(['head 2', 'b', 'c', 'd', 'foot 2', '']);
  expect(emulator.cells()[3]?.[0]?.foreground).toBe(1);
});

test('paints rows that change alone, and none that stay as they are', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.stream.write('head\n\nfoot');
  screen.putRows({rowIndex: 1, rows: ['a', 'b']});
  await clock.moveOn(100);
  terminal.writes.length = 0;
  screen.putRows({rowIndex: 1, rows: ['a', 'c']});
  await clock.moveOn(100);
  screen.putRows({rowIndex: 1, rows: ['a', 'c']});
  await clock.moveOn(100);
  expect(terminal.writes).toEqual(['\u001b[3Hc']);
  screen.putRows(undefined);
  await clock.moveOn(100);
  terminal.writes.length = 0;
  screen.repaint();
  await clock.moveOn(100);
  expect(terminal.writes.join('')).toMatch(/head\u001b\[3Hfoot\u001b/);
});

test('cuts rows off where there are more than the screen has', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.stream.write('head\n\nfoot');
  screen.putRows({rowIndex: 1, rows: Array.from({length: 20}, (_, index) => `row ${index}`)});
  await clock.moveOn(100);
  emulator = createEmulator(40, 6);
  await emulator.write(terminal.writes.join(''));
  expect(emulator.screenText()).toEqual(['head', 'row 0', 'row 1', 'row 2', 'row 3', 'row 4']);
});
