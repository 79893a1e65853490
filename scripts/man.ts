/** Writes the man pages. Run by `npm run man`. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {makeManPages} from './man-pages.ts';

mkdirSync('man', {recursive: true});
for (const [name, page] of makeManPages()) {
  writeFileSync(join('man', name), page);
}
