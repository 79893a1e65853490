// Runs the program as the executable will, and then stores V8's compiled code: of all functions that ran, where the
// cache of a script that was only compiled holds none of them. Leaves caches of a run before as they are.
//
// Two runs must store the same bytes, on whatever machine. So the clock is ours: it stands still while the program
// works, and jumps to the next timer once nothing is under way. With Node's flag `--predictable`, all else is the same.
const {readdirSync, readFileSync, writeFileSync} = require('node:fs');
const Module = require('node:module');
const {join} = require('node:path');
const timersPromises = require('node:timers/promises');
const {setFlagsFromString} = require('node:v8');
const vm = require('node:vm');

const {TRAINING_MS: endMs, TRAINING_KEYS: keys} = process.env;
const keyEveryMs = 350;
/** So many turns of the event loop without work in between mean that nothing is under way. */
const quietTurns = 5;
const working = /^(?:FSReq|Immediate|WriteWrap|ConnectWrap|TCPConnect|ShutdownWrap|GetAddrInfo|RandomBytes)/;

// V8 forgets functions that were not called for a while. The flag itself would make it reject the caches.
setFlagsFromString('--no-flush-bytecode');

const read = name => readFileSync(join(__dirname, name));
const sea = {
  getAssetKeys: () => readdirSync(__dirname),
  getRawAsset: name => read(name),
  getAsset: name => read(name).toString('utf8'),
};
const load = Module._load;
Module._load = (id, ...rest) => (id === 'node:sea' ? sea : load(id, ...rest));

const scripts = new Map();
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    if (options.cachedData === undefined) {
      scripts.set(options.filename, this);
    }
  }
};

const startMs = Date.UTC(2026, 0, 1);
const realSetTimeout = setTimeout;
let nowMs = 0;
let timers = [];
globalThis.Date = class extends Date {
  constructor(...args) {
    super(...(args.length === 0 ? [startMs + nowMs] : args));
  }
  static now = () => startMs + nowMs;
};
performance.now = () => nowMs;

class Timer {
  constructor(callback, delayMs, args, repeats) {
    Object.assign(this, {callback, delayMs: Math.max(1, Number(delayMs) || 0), args, repeats});
    this.refresh();
  }
  refresh() {
    this.close();
    this.atMs = nowMs + this.delayMs;
    timers.push(this);
    return this;
  }
  close() {
    timers = timers.filter(timer => timer !== this);
  }
  run() {
    this.close();
    nowMs = this.atMs;
    if (this.repeats) {
      this.refresh();
    }
    this.callback(...this.args);
  }
  ref = () => this;
  unref = () => this;
  hasRef = () => true;
}
globalThis.setTimeout = (callback, delayMs, ...args) => new Timer(callback, delayMs, args, false);
globalThis.setInterval = (callback, delayMs, ...args) => new Timer(callback, delayMs, args, true);
globalThis.clearTimeout = globalThis.clearInterval = timer => timer?.close();
timersPromises.setTimeout = (delayMs, value) => new Promise(resolve => new Timer(resolve, delayMs, [value], false));

const goOn = quiet => {
  if (process.getActiveResourcesInfo().some(name => working.test(name))) {
    realSetTimeout(goOn, 1, 0);
  } else if (quiet < quietTurns) {
    realSetTimeout(goOn, 1, quiet + 1);
  } else {
    timers.reduce((first, timer) => (timer.atMs < first.atMs ? timer : first)).run();
    realSetTimeout(goOn, 1, 0);
  }
};

[...keys].forEach((key, index) => {
  setTimeout(() => process.stdin.push(key), (index + 1) * keyEveryMs);
});
setTimeout(() => {
  setFlagsFromString('--flush-bytecode');
  for (const [name, script] of scripts) {
    writeFileSync(join(__dirname, name.replace('.js', '.cache')), script.createCachedData());
  }
  process.kill(process.pid, 'SIGTERM');
}, Number(endMs));
realSetTimeout(goOn, 1, 0);
require('./start.cjs');
