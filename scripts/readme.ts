/** Writes the generated sections of the documents. Run by `npm run readme`. */
import {readFileSync, writeFileSync} from 'node:fs';
import {generatedSections, renewSections} from './readme-sections.ts';

for (const path of Object.keys(generatedSections)) {
  writeFileSync(path, renewSections(path, readFileSync(path, 'utf8')));
}
