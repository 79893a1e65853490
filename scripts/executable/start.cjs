// The executable's main script: loads the program's chunks, each compiled with the code cache that a run of it left.
const {getAssetKeys, getRawAsset} = require('node:sea');
const {Script} = require('node:vm');

// As bin/branchlog.js does.
const unwanted = [
  'NODE_DEBUG',
  'NODE_DEBUG_NATIVE',
  'NODE_PENDING_DEPRECATION',
  'NODE_REDIRECT_WARNINGS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
];
if (unwanted.some(name => name in process.env)) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.includes(name)));
  process.execve(process.execPath, [process.argv0, ...process.argv.slice(2)], env);
}
process.env.NODE_ENV = 'production';
process.on('SIGUSR1', () => {});

const tells = process.env.BRANCHLOG_CODE_CACHE === 'tell';
const assets = new Set(getAssetKeys());
const modules = new Map();

const load = name => {
  const known = modules.get(name);
  if (known) {
    return known.exports;
  }
  const module = {exports: {}};
  modules.set(name, module);
  // All of it is ASCII, so latin1 is the cheapest way to a string.
  const source = Buffer.from(getRawAsset(name)).latin1Slice();
  const cache = name.replace('.js', '.cache');
  const cachedData = assets.has(cache) ? Buffer.from(getRawAsset(cache)) : undefined;
  const script = new Script(source, {filename: name, cachedData});
  // A test asks for this: caches that V8 rejects make every start slower, silently.
  if (tells && cachedData) {
    process.stderr.write(`code cache ${script.cachedDataRejected ? 'rejected' : 'accepted'}: ${name}\n`);
  }
  script.runInThisContext()(requireChunk, module, module.exports);
  return module.exports;
};

/** Chunks name each other by relative paths, all in one folder. */
const requireChunk = id => (id.startsWith('.') ? load(id.slice(id.lastIndexOf('/') + 1)) : require(id));

load('main.js');
