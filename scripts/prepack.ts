/** Writes the notices of all bundled packages into dist/, for the npm package. Run by `npm pack` after the build. */
import {chmodSync, globSync, statSync, writeFileSync} from 'node:fs';
import packageJson from '../package.json' with {type: 'json'};
import {formatNotices} from './third-party.ts';

writeFileSync('dist/THIRD-PARTY-NOTICES', await formatNotices());
// npm packs modes as they are on the disk, where they depend on the umask.
for (const path of globSync(['package.json', ...packageJson.files, ...packageJson.files.map(name => `${name}/**`)])) {
  const stats = statSync(path);
  chmodSync(path, stats.isDirectory() || path.startsWith('bin/') ? 0o755 : 0o644);
}
