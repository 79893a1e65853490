import dns from 'node:dns';
import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import net from 'node:net';
import {isMainThread} from 'node:worker_threads';

/**
 * Loaded ahead of the program by NODE_OPTIONS: the call with the number TORTURE_CALL among all calls to the file system
 * and the network fails with the code TORTURE_CODE, and is named in the file TORTURE_FAILED. Loading of the program's
 * own code is left alone.
 */
const callNumber = Number(process.env.TORTURE_CALL);
const wantedCode = process.env.TORTURE_CODE ?? 'EIO';
const failedPath = process.env.TORTURE_FAILED ?? '';
const {openSync, writeSync} = fs;
Error.stackTraceLimit = 30;
let calls = 0;

const note = (path: string, text: string): void => {
  writeSync(openSync(path, 'a'), `${text}\n`);
};

type Call = (this: unknown, ...args: unknown[]) => unknown;

/** Returns the error of this call, if it is the one to fail. */
const errorOf = (name: string, args: readonly unknown[], code = wantedCode): Error | undefined => {
  if (new Error().stack?.includes('node:internal/modules')) {
    return undefined;
  }
  calls += 1;
  const [what] = args;
  const call = `${calls} ${name} ${typeof what === 'string' ? what : typeof what}`;
  if (process.env.TORTURE_LIST) {
    note(process.env.TORTURE_LIST, call);
  }
  if (calls !== callNumber) {
    return undefined;
  }
  note(failedPath, `${call} ${code}`);
  return Object.assign(new Error(`${code}: failed on purpose, ${name}`), {code, syscall: name});
};

const patch = (target: object, name: string, wrap: (call: Call) => Call): void => {
  const call: unknown = Reflect.get(target, name);
  if (typeof call === 'function') {
    Reflect.set(
      target,
      name,
      wrap(function (this: unknown, ...args: unknown[]) {
        return Reflect.apply(call, this, args);
      }),
    );
  }
};

const failSync =
  (name: string) =>
  (call: Call): Call =>
    function (this: unknown, ...args) {
      const error = errorOf(name, args);
      if (error) {
        // A close that fails has closed all the same.
        if (name === 'closeSync') {
          call.apply(this, args);
        }
        throw error;
      }
      return call.apply(this, args);
    };

const failCallback =
  (name: string) =>
  (call: Call): Call =>
    function (this: unknown, ...args) {
      const done = args.at(-1);
      const error = typeof done === 'function' ? errorOf(name, args) : undefined;
      if (error && typeof done === 'function') {
        if (name === 'close') {
          return call.apply(this, [...args.slice(0, -1), () => done(error)]);
        }
        process.nextTick(() => done(error));
        return undefined;
      }
      return call.apply(this, args);
    };

const failPromise =
  (name: string) =>
  (call: Call): Call =>
    async function (this: unknown, ...args) {
      const error = errorOf(name, args);
      if (error) {
        if (name === 'handle.close') {
          await call.apply(this, args);
        }
        throw error;
      }
      return call.apply(this, args);
    };

const names =
  'open close read write writev readv fsync fdatasync fstat stat lstat readFile writeFile appendFile mkdir rename rm unlink rmdir readdir realpath readlink access chmod fchmod copyFile link symlink truncate ftruncate utimes statfs opendir'.split(
    ' ',
  );

/** Node's custom promisified forms of `read` and `write` resolve with an object; they go through the patched function. */
const keepPromisified = (name: string): void => {
  const original: unknown = Reflect.get(fs, name);
  const symbol = Symbol.for('nodejs.util.promisify.custom');
  const argNames = typeof original === 'function' ? Object.getOwnPropertySymbols(original) : [];
  patch(fs, name, failCallback(name));
  const patched: unknown = Reflect.get(fs, name);
  if (typeof original === 'function' && typeof patched === 'function') {
    for (const key of [symbol, ...argNames]) {
      const descriptor = Object.getOwnPropertyDescriptor(original, key);
      if (descriptor) {
        Object.defineProperty(patched, key, descriptor);
      }
    }
  }
};

const install = async (): Promise<void> => {
  const handle = await fs.promises.open(import.meta.filename);
  const handles: object = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of names) {
    keepPromisified(name);
    patch(fs, `${name}Sync`, failSync(`${name}Sync`));
    patch(fs.promises, name, failPromise(name));
  }
  for (const name of [
    'read',
    'write',
    'writev',
    'readFile',
    'writeFile',
    'appendFile',
    'sync',
    'datasync',
    'stat',
    'chmod',
    'truncate',
    'close',
  ]) {
    patch(handles, name, failPromise(`handle.${name}`));
  }
  patch(fs, 'watch', failSync('watch'));
  patch(
    dns,
    'lookup',
    call =>
      function (this: unknown, ...args) {
        const done = args.at(-1);
        const error = errorOf('lookup', args, 'EAI_AGAIN');
        if (error && typeof done === 'function') {
          process.nextTick(() => done(error));
          return undefined;
        }
        return call.apply(this, args);
      },
  );
  const {prototype} = net.Socket;
  const isOutput = (socket: unknown): boolean => socket === process.stdout || socket === process.stderr;
  patch(
    prototype,
    'connect',
    call =>
      function (this: unknown, ...args) {
        const error = errorOf('connect', [], 'ENETUNREACH');
        if (error && this instanceof net.Socket) {
          process.nextTick(() => this.destroy(error));
          return this;
        }
        return call.apply(this, args);
      },
  );
  patch(
    prototype,
    '_writeGeneric',
    call =>
      function (this: unknown, ...args) {
        const done = args.at(-1);
        const error = errorOf(
          isOutput(this) ? 'write to the terminal' : 'write to the network',
          [],
          isOutput(this) ? 'EIO' : 'ECONNRESET',
        );
        if (error && typeof done === 'function') {
          process.nextTick(() => done(error));
          return undefined;
        }
        return call.apply(this, args);
      },
  );
  patch(
    prototype,
    'push',
    call =>
      function (this: unknown, ...args) {
        if (this instanceof net.Socket && this !== process.stdin && args[0] !== null) {
          const error = errorOf('read from the network', [], 'ECONNRESET');
          if (error) {
            this.destroy(error);
            return false;
          }
        }
        return call.apply(this, args);
      },
  );
  syncBuiltinESMExports();
};

if (isMainThread && failedPath !== '') {
  await install();
}
