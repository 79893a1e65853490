// Runs the program as the executable will, and then stores V8's compiled code: of all functions that ran, where the
// cache of a script that was only compiled holds none of them.
const {readFileSync, writeFileSync} = require('node:fs');
const {Script} = require('node:vm');
const {join} = require('node:path');

process.env.NODE_ENV = 'production';
// A cache is good only for the flags it was made with, and the program changes one for long runs.
const v8 = require('node:v8');
const {setFlagsFromString} = v8;
v8.setFlagsFromString = flag => flag.includes('semi-space') || setFlagsFromString(flag);

const folder = __dirname;
const assets = {'yoga.wasm': 'yoga.wasm', 'search-worker.js': 'search-worker.js'};
const read = name => readFileSync(join(folder, assets[name]));
const sea = {getRawAsset: name => read(name), getAsset: name => read(name).toString('utf8')};
const source = readFileSync(join(folder, 'program.js'), 'latin1');
const script = new Script(source, {filename: 'branchlog.js'});
script.runInThisContext()(id => (id === 'node:sea' ? sea : require(id)));
setTimeout(() => {
  writeFileSync(join(folder, 'program.cache'), script.createCachedData());
  process.kill(process.pid, 'SIGTERM');
}, 1700);
