// Reads each code cache and writes it anew: V8 numbers functions in the order in which they are met, and while the
// program runs, that order is not always the same.
const {readdirSync, readFileSync, writeFileSync} = require('node:fs');
const {join} = require('node:path');
const {Script} = require('node:vm');

for (const cache of readdirSync(__dirname).sort()) {
  if (cache.endsWith('.cache')) {
    const filename = cache.replace('.cache', '.js');
    const source = readFileSync(join(__dirname, filename), 'latin1');
    const script = new Script(source, {filename, cachedData: readFileSync(join(__dirname, cache))});
    writeFileSync(join(__dirname, cache), script.createCachedData());
  }
}
