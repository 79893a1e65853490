/** Writes the generated sections of the documents. Run by `npm run readme`. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {generatedSections, librarySections, renewSections} from './readme-sections.ts';

for (const path of Object.keys(generatedSections)) {
  writeFileSync(path, renewSections(path, readFileSync(path, 'utf8')));
}
const [library, declarations] = ['docs/library.md', 'dist/library'];
if (existsSync(declarations)) {
  writeFileSync(library, renewSections(library, readFileSync(library, 'utf8'), librarySections(declarations)));
} else {
  console.error(`${library} stays as it is: its signatures are of what npm run build writes.`);
}
