/** Writes the generated sections of README.md. Run by `npm run readme`. */
import {readFileSync, writeFileSync} from 'node:fs';
import {renewReadme} from './readme-sections.ts';

writeFileSync('README.md', renewReadme(readFileSync('README.md', 'utf8')));
