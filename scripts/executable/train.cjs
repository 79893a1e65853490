// Runs the program as the executable will, and then stores V8's compiled code: of all functions that ran, where the
// cache of a script that was only compiled holds none of them. Leaves caches of a run before as they are.
const {readdirSync, readFileSync, writeFileSync} = require('node:fs');
const Module = require('node:module');
const {join} = require('node:path');
const vm = require('node:vm');

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

setTimeout(() => {
  for (const [name, script] of scripts) {
    writeFileSync(join(__dirname, name.replace('.js', '.cache')), script.createCachedData());
  }
  process.kill(process.pid, 'SIGTERM');
}, Number(process.env.TRAINING_MS));
require('./start.cjs');
