// The executable's main script. Compiles the program with the code cache that a run of it left, and starts it.
const {getRawAsset} = require('node:sea');
const {Script} = require('node:vm');

// As bin/branchlog.js does.
process.env.NODE_ENV = 'production';
process.on('SIGUSR1', () => {});

// All of it is ASCII, so latin1 is the cheapest way to a string.
const source = Buffer.from(getRawAsset('program.js')).latin1Slice();
const cachedData = Buffer.from(getRawAsset('program.cache'));
const script = new Script(source, {filename: 'branchlog.js', cachedData});
// A test asks for this: a cache that V8 rejects makes every start three times as slow, silently.
if (process.env.BRANCHLOG_CODE_CACHE === 'tell') {
  process.stderr.write(`code cache ${script.cachedDataRejected ? 'rejected' : 'accepted'}\n`);
}
script.runInThisContext()(require);
