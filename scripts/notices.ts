/** Writes the notices of all bundled packages into dist/, for the npm package. Run by `npm pack` after the build. */
import {writeFileSync} from 'node:fs';
import {formatNotices} from './third-party.ts';

writeFileSync('dist/THIRD-PARTY-NOTICES', await formatNotices());
