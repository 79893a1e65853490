import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';
import packageJson from '../package.json' with {type: 'json'};
import {formatSbom} from '../scripts/sbom.ts';

const npmSbom = (): string =>
  execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  });

const nameOf = (name: keyof typeof packageJson.devDependencies) => `${name}@${packageJson.devDependencies[name]}`;

test('the SBOM tells what ships from what only builds, and two of them are the same bytes', () => {
  const shipped = new Set([nameOf('ink'), nameOf('react')]);
  const options = {shipped, changed: {ink: 'less of it', yaml: 'not shipped'}, epochSeconds: 1_767_225_600};
  const [first, second] = [npmSbom(), npmSbom()];
  // npm draws a number and notes the time.
  expect(first).not.toBe(second);
  const text = formatSbom(first, options);
  expect(text).toBe(formatSbom(second, options));
  const bom = JSON.parse(text);
  const required = bom.components.filter(({scope}: {scope: string}) => scope === 'required');
  expect(new Set(required.map((component: {'bom-ref': string}) => component['bom-ref']))).toEqual(shipped);
  expect(
    bom.components.flatMap(({name, pedigree}: {name: string; pedigree?: {notes: string}}) =>
      pedigree ? [[name, pedigree.notes]] : [],
    ),
  ).toEqual([['ink', 'Changed by the build: less of it.']]);
  expect(bom.components.length).toBeGreaterThan(300);
  expect(bom.metadata).toMatchObject({
    timestamp: '2026-01-01T00:00:00.000Z',
    component: {name: 'branchlog', version: packageJson.version},
  });
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a package that ships and that npm does not know is a mistake', () => {
  const options = {shipped: new Set(['nowhere@1.0.0']), changed: {}, epochSeconds: 0};
  expect(() => formatSbom(npmSbom(), options)).toThrow('not in the list of npm: nowhere@1.0.0');
});
