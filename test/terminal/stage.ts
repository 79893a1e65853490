import {Writable} from 'node:stream';
import {type Capabilities, detectCapabilities} from '#terminal/screen/capabilities.ts';
import type {FrameClock} from '#terminal/screen/frame-stream.ts';
import {createScreen, type Screen} from '#terminal/screen/screen.ts';

/** What a terminal can do that calls itself so. */
export const capabilitiesOf = (env: Readonly<Record<string, string>>): Capabilities =>
  detectCapabilities({env: {LANG: 'C.UTF-8', ...env}, stdoutIsTerminal: true});

/** A clock that stands still until it is moved. */
export class TestClock implements FrameClock {
  #nowMs = 1000;
  #orders: {atMs: number; run: () => void}[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, run: () => void): () => void {
    const order = {atMs: this.#nowMs + delayMs, run};
    this.#orders.push(order);
    return () => {
      this.#orders = this.#orders.filter(other => other !== order);
    };
  }

  /** Moves on, carries out what is due, and lets what was written arrive. */
  async moveOn(ms: number): Promise<void> {
    this.#nowMs += ms;
    const due = this.#orders.filter(({atMs}) => atMs <= this.#nowMs);
    this.#orders = this.#orders.filter(({atMs}) => atMs > this.#nowMs);
    for (const {run} of due) {
      run();
    }
    await new Promise(resolve => setImmediate(resolve));
  }
}

/** A terminal's stdout that takes what is written at once, or only when told. */
export class TestTerminal extends Writable {
  readonly isTTY = true;
  columns = 40;
  rows = 6;
  readonly writes: string[] = [];
  isStalled = false;
  #taken: (() => void)[] = [];

  constructor() {
    super({decodeStrings: false});
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.writes.push(chunk);
    if (this.isStalled) {
      this.#taken.push(done);
    } else {
      done();
    }
  }

  async drain(): Promise<void> {
    this.isStalled = false;
    for (const done of this.#taken.splice(0)) {
      done();
    }
    await new Promise(resolve => setImmediate(resolve));
  }
}

export type Stage = {readonly screen: Screen; readonly terminal: TestTerminal; readonly clock: TestClock};

/** A screen on a terminal and a clock of the test's own. */
export const createStage = (capabilities = capabilitiesOf({TERM: 'xterm-256color'})): Stage => {
  const terminal = new TestTerminal();
  const clock = new TestClock();
  // The screen uses of a tty what the test terminal has.
  const stdout = terminal as unknown as NodeJS.WriteStream;
  return {terminal, clock, screen: createScreen({stdout, clock, capabilities})};
};
