import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {generatedSections, renewSections} from '../scripts/readme-sections.ts';

test.each(Object.keys(generatedSections))(
  'the tables of %s are those of the program (npm run readme writes them)',
  path => {
    const document = readFileSync(path, 'utf8');
    expect(renewSections(path, document)).toBe(document);
  },
);
