import {EventEmitter} from 'node:events';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {endProcess} from '#terminal/screen/end-process.ts';
import {installLifecycle, type LifecycleOptions} from '#terminal/screen/lifecycle.ts';

/** A process that notes what is done to it. Of a process only this is asked for. */
class FakeHost extends EventEmitter {
  readonly pid = 4711;
  resources: readonly string[] = ['TTYWrap', 'Timeout'];
  execve: ((path: string, args: readonly string[]) => void) | undefined;
  readonly #note: (what: string) => void;

  constructor(note: (what: string) => void) {
    super();
    this.#note = note;
  }

  exit(code: number): void {
    this.#note(`exit ${code}`);
  }

  kill(pid: number, signal: string): void {
    this.#note(`kill ${pid} ${signal}`);
  }

  getActiveResourcesInfo(): readonly string[] {
    return this.resources;
  }
}

class FakeStdin extends EventEmitter {
  isTTY = true;
  destroyed = false;
  readableFlowing = false;
  readonly #note: (what: string) => void;

  constructor(note: (what: string) => void) {
    super();
    this.#note = note;
  }

  setRawMode(isRaw: boolean): void {
    this.#note(isRaw ? 'raw' : 'cooked');
  }

  pause(): void {
    this.#note('pause');
  }
}

type Plan = Partial<Pick<LifecycleOptions, 'onExit' | 'onSuspend' | 'onResume'>> & {
  readonly flushed?: () => Promise<void>;
};

const setUp = ({flushed = () => Promise.resolve(), ...hooks}: Plan = {}) => {
  const notes: string[] = [];
  const note = (what: string): void => {
    notes.push(what);
  };
  const host = new FakeHost(note);
  const stdin = new FakeStdin(note);
  const stdout = new EventEmitter();
  const stderr = Object.assign(new EventEmitter(), {write: (text: string) => note(`stderr ${text.trim()}`)});
  host.on('warning', () => note('a warning'));
  const lifecycle = installLifecycle({
    screen: {
      leave: () => note('leave'),
      suspend: () => note('suspend'),
      resume: () => note('resume'),
      noteResize: () => note('resized'),
      flushed,
    },
    host: host as unknown as NodeJS.Process,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    onSuspend: () => note('on suspend'),
    onResume: () => note('on resume'),
    ...hooks,
  });
  /** What was done since it was last asked for. */
  const taken = (): readonly string[] => notes.splice(0);
  return {lifecycle, host, stdin, stdout, stderr, taken};
};

const nextTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 6; turn++) {
    await new Promise(resolve => setImmediate(resolve));
  }
};

const ended = (code: number): readonly string[] => ['leave', 'cooked', `exit ${code}`];

describe('the program ends', () => {
  test('with the terminal restored, cleaned up, and with the first code', async () => {
    const cleaned: string[] = [];
    const {lifecycle, taken} = setUp({onExit: () => void cleaned.push('cleaned')});
    const first = lifecycle.exit(3);
    await Promise.all([first, lifecycle.exit(4)]);
    expect([taken(), cleaned]).toEqual([ended(3), ['cleaned']]);
  });

  test('though cleaning up or the last bytes fail', async () => {
    const {lifecycle, taken} = setUp({
      onExit: () => Promise.reject(new Error('no')),
      flushed: () => Promise.reject(new Error('no')),
    });
    await lifecycle.exit(0);
    expect(taken()).toEqual(ended(0));
  });

  test('within 300 ms for the last bytes and 500 ms for cleaning up', async () => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const hanging = () => new Promise<void>(() => {});
    const {lifecycle, taken} = setUp({onExit: hanging, flushed: hanging});
    const end = lifecycle.exit(0);
    await vi.advanceTimersByTimeAsync(799);
    expect(taken()).toEqual(['leave', 'cooked']);
    await vi.advanceTimersByTimeAsync(1);
    await end;
    expect(taken()).toEqual(['exit 0']);
  });

  test.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGTERM', 143],
    ['SIGUSR2', 140],
  ])('on %s with the code %d', async (signal, code) => {
    const {host, taken} = setUp();
    host.emit(signal);
    await nextTurns();
    expect(taken()).toEqual(ended(code));
  });

  test.each(['end', 'close', 'error'])('when the terminal is gone: %s', async event => {
    const {stdin, taken} = setUp();
    stdin.emit(event, new Error('gone'));
    await nextTurns();
    expect(taken()).toEqual(ended(129));
  });

  test.each(['EPIPE', 'EIO', 'EBADF', 'ENXIO'])('when a write fails with %s', async code => {
    const {stdout, taken} = setUp();
    stdout.emit('error', Object.assign(new Error('no'), {code}));
    await nextTurns();
    expect(taken()).toEqual(ended(129));
  });

  test('with words when a write fails for another reason', async () => {
    const {stdout, stderr, taken} = setUp();
    stdout.emit('error', Object.assign(new Error('no'), {code: 'ENOSPC'}));
    stderr.emit('error', new Error('no'));
    await nextTurns();
    expect(taken()).toEqual(['leave', 'cooked', 'stderr branchlog: cannot write to the terminal: ENOSPC.', 'exit 1']);
  });

  test.each(['uncaughtException', 'unhandledRejection'])('with words on a fault of its own: %s', async event => {
    const {host, taken} = setUp();
    host.emit(event, new TypeError('it broke'));
    await nextTurns();
    expect(taken()).toEqual([
      'leave',
      'cooked',
      expect.stringMatching(/^stderr branchlog: stopped by a fault of its own: TypeError: it broke \(at .*\)\. Please/),
      'exit 70',
    ]);
  });

  test('at once after twenty faults while it ends', async () => {
    const {host, lifecycle, taken} = setUp({onExit: () => new Promise(() => {})});
    void lifecycle.exit(0);
    for (let count = 0; count < 20; count++) {
      host.emit('uncaughtException', new Error('again'));
    }
    expect(taken()).toEqual(['leave']);
    host.emit('uncaughtException', new Error('again'));
    expect(taken()).toEqual(['cooked', 'exit 70']);
  });

  test('with the terminal restored where somebody ends the process', () => {
    const {host, taken} = setUp();
    host.emit('exit', 0);
    expect(taken()).toEqual(['leave', 'cooked']);
  });

  test('without setting a mode of what is no terminal, or is gone', async () => {
    const {lifecycle, stdin, taken} = setUp();
    stdin.isTTY = false;
    await lifecycle.exit(0);
    expect(taken()).toEqual(['leave', 'exit 0']);
    const other = setUp();
    other.stdin.destroyed = true;
    await other.lifecycle.exit(0);
    expect(other.taken()).toEqual(['leave', 'exit 0']);
  });
});

test('a changed size is told to the screen, and no warning is printed', () => {
  const {host, taken} = setUp();
  host.emit('SIGWINCH');
  host.emit('warning', new Error('experimental'));
  expect(taken()).toEqual(['resized']);
});

const stopped = ['on suspend', 'suspend', 'cooked', 'kill 0 SIGTSTP'];
const resumed = ['cooked', 'raw', 'resume', 'kill 4711 SIGWINCH', 'on resume'];

describe('the program stops', () => {
  test('with the terminal restored, and takes it again when it is continued', async () => {
    const {lifecycle, host, taken} = setUp();
    await lifecycle.suspend();
    expect(taken()).toEqual(stopped);
    host.emit('SIGCONT');
    expect(taken()).toEqual(resumed);
    await nextTurns();
    expect(taken()).toEqual([]);
  });

  test('and goes on by itself where nothing could continue it', async () => {
    const {lifecycle, taken} = setUp();
    await lifecycle.suspend();
    await nextTurns();
    expect(taken()).toEqual([...stopped, ...resumed]);
  });

  test('on SIGTSTP, once until it goes on, and again after that', async () => {
    const {host, taken} = setUp();
    host.emit('SIGTSTP');
    host.emit('SIGTSTP');
    await nextTurns();
    expect(taken()).toEqual([...stopped, ...resumed]);
    expect(host.listenerCount('SIGTSTP')).toBe(1);
    host.emit('SIGTSTP');
    await nextTurns();
    expect(taken()).toEqual([...stopped, ...resumed]);
  });

  test('not if it was continued while the terminal was restored', async () => {
    let flush = (): void => {};
    const {lifecycle, host, taken} = setUp({
      flushed: () =>
        new Promise(resolve => {
          flush = resolve;
        }),
    });
    const suspending = lifecycle.suspend();
    host.emit('SIGCONT');
    flush();
    await suspending;
    expect(taken()).toEqual(['on suspend', 'suspend', ...resumed]);
  });

  test('not while it ends, nor does it go on then', async () => {
    const {lifecycle, host, taken} = setUp();
    const end = lifecycle.exit(0);
    await lifecycle.suspend();
    host.emit('SIGCONT');
    await end;
    expect(taken()).toEqual(ended(0));
  });
});

describe('another program has the terminal', () => {
  /** Hands it over until `back` is called. */
  const handOver = async (from: ReturnType<typeof setUp>) => {
    let back = (): void => {};
    const running = new Promise<void>(resolve => {
      back = resolve;
    });
    const done = from.lifecycle.handOver(() => running);
    await nextTurns();
    return async (): Promise<void> => {
      back();
      await done;
    };
  };

  test('until it ends, and no key is read meanwhile', async () => {
    const setting = setUp();
    const takeBack = await handOver(setting);
    expect(setting.taken()).toEqual(['on suspend', 'suspend', 'pause', 'cooked']);
    setting.host.emit('SIGCONT');
    expect(setting.taken()).toEqual([]);
    await takeBack();
    expect(setting.taken()).toEqual(resumed);
    setting.host.emit('SIGCONT');
    expect(setting.taken()).toEqual(resumed);
  });

  test('and its keys that end a program, but not other signals', async () => {
    const setting = setUp();
    await handOver(setting);
    setting.taken();
    setting.host.emit('SIGINT');
    setting.host.emit('SIGQUIT');
    await nextTurns();
    expect(setting.taken()).toEqual([]);
    setting.host.emit('SIGTERM');
    await nextTurns();
    expect(setting.taken()).toEqual(ended(143));
  });

  test('and stops with ours', async () => {
    const setting = setUp();
    await handOver(setting);
    setting.taken();
    await setting.lifecycle.suspend();
    await nextTurns();
    expect(setting.taken()).toEqual(['kill 0 SIGTSTP']);
  });

  test('and is given to no other one, nor while ours is stopped or ends', async () => {
    const setting = setUp();
    const takeBack = await handOver(setting);
    setting.taken();
    await setting.lifecycle.handOver(() => expect.unreachable());
    expect(setting.taken()).toEqual([]);
    await takeBack();
    void setting.lifecycle.suspend();
    await setting.lifecycle.handOver(() => expect.unreachable());
    const ending = setUp();
    void ending.lifecycle.exit(0);
    await ending.lifecycle.handOver(() => expect.unreachable());
  });
});

describe('the process ends at once', () => {
  const end = (resources: readonly string[], execve?: FakeHost['execve']) => {
    const notes: string[] = [];
    const host = new FakeHost(what => notes.push(what));
    host.resources = resources;
    host.execve = execve && ((path, args) => [notes.push(`execve ${path} ${args.join(' ')}`), execve(path, args)]);
    host.on('exit', code => notes.push(`on exit ${code}`));
    host.on('warning', () => {});
    endProcess(host as unknown as NodeJS.Process, 7);
    return [...notes, `${host.listenerCount('warning')} warnings`];
  };

  test('by an ordinary exit, if no file call is under way', () => {
    expect(end(['TTYWrap', 'Timeout'])).toEqual(['exit 7', '1 warnings']);
  });

  test.each(['FSReqCallback', 'FileHandleCloseReq', 'GetAddrInfoReqWrap', 'GetNameInfoReqWrap'])(
    'by a shell that takes its place, if one is: %s',
    name => {
      expect(end(['TTYWrap', name], () => {})).toEqual([
        'on exit 7',
        'execve /bin/sh sh -c exit 7',
        'kill 4711 SIGKILL',
        '0 warnings',
      ]);
    },
  );

  test('by a signal, if there is no shell, or no way to start one', () => {
    const fail = (): void => {
      throw new Error('ENOENT');
    };
    expect(end(['FSReqCallback'], fail).at(-2)).toBe('kill 4711 SIGKILL');
    expect(end(['FSReqCallback'])).toEqual(['on exit 7', 'kill 4711 SIGKILL', '0 warnings']);
  });
});
