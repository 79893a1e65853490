/** Prints what the changelog says of this version, for the release on GitHub. */
import {readFileSync} from 'node:fs';
import packageJson from '../package.json' with {type: 'json'};
import {entriesOf} from './release-files.ts';

process.stdout.write(entriesOf(readFileSync('CHANGELOG.md', 'utf8'), packageJson.version));
