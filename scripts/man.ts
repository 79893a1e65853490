/** Writes the man pages. Run by `npm run man`. */
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {makeManPages} from './man-pages.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

const pages = makeManPages({
  readme: read('README.md'),
  configuration: read('docs/configuration.md'),
  serve: read('docs/serve.md'),
  changelog: read('CHANGELOG.md'),
});
mkdirSync('man', {recursive: true});
for (const [name, page] of pages) {
  writeFileSync(join('man', name), page);
}
