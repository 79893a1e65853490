/** What a release changes in files, as text to text. */

/** As in the names of the tarball, the Debian package and the image, and after the name of the program. */
const namedVersion = /\b(branchlog[-_:@ ])(\d+\.\d+\.\d+)/g;

/** Returns the versions of branchlog that a text names. */
export const versionsIn = (text: string): readonly string[] =>
  [...text.matchAll(namedVersion)].map(([, , version = '']) => version);

/** Returns a text with another version of branchlog wherever it names one. */
export const withVersion = (text: string, version: string): string =>
  text.replaceAll(namedVersion, (_, before: string) => `${before}${version}`);

/**
 * Makes what is under "Unreleased" in the changelog that of a version. Throws if there is nothing. `date` is like
 * `2026-11-24`.
 */
export const cutChangelog = (changelog: string, version: string, date: string): string => {
  const [, entries = ''] = /^## Unreleased\n(.*?)(?=^## )/ms.exec(changelog) ?? [];
  if (!/^- /m.test(entries)) {
    throw new Error('CHANGELOG.md has nothing under "## Unreleased"');
  }
  return changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} - ${date}\n`);
};

/** Returns the entries of a version in the changelog. */
export const entriesOf = (changelog: string, version: string): string => {
  const head = `## ${version} - `;
  const section = changelog.split(/^(?=## )/m).find(text => text.startsWith(head));
  if (section === undefined) {
    throw new Error(`CHANGELOG.md has no heading for ${version}`);
  }
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
};

/** Tells whether `version` follows `before`, both three numbers with dots. */
export const isNewer = (version: string, before: string): boolean => {
  const [numbers, others] = [version, before].map(text => text.split('.').map(Number));
  const differing = [0, 1, 2].find(index => numbers?.[index] !== others?.[index]);
  return differing !== undefined && (numbers?.[differing] ?? 0) > (others?.[differing] ?? 0);
};
