import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import packageJson from '../package.json' with {type: 'json'};
import {debianFiles, formatControl, packageFiles, packageNames, releaseNames} from '../scripts/package-files.ts';

const contents = {
  executable: Buffer.from('ELF'),
  completions: {bash: 'for bash', zsh: 'for zsh', fish: 'for fish'},
  manPages: new Map([
    ['branchlog.1', 'page 1'],
    ['branchlog-config.5', 'page 5'],
  ]),
  documents: new Map([['copyright', 'MIT']]),
};

test('a package has the program, man pages and completions where each shell and man look for them', () => {
  const files = packageFiles(contents, 'vendor-completions');
  expect(files.map(({path, mode}) => `${mode.toString(8)} ${path}`)).toEqual([
    '755 bin/branchlog',
    '644 share/bash-completion/completions/branchlog',
    '644 share/zsh/vendor-completions/_branchlog',
    '644 share/fish/vendor_completions.d/branchlog.fish',
    '644 share/man/man1/branchlog.1.gz',
    '644 share/man/man5/branchlog-config.5.gz',
    '644 share/doc/branchlog/copyright',
  ]);
  expect(files.slice(1, 4).map(({bytes}) => Buffer.from(bytes).toString())).toEqual([
    'for bash',
    'for zsh',
    'for fish',
  ]);
  expect(gunzipSync(files[5]?.bytes ?? Buffer.of()).toString()).toBe('page 5');
});

test('the Debian package names its processor as Debian does, and the libraries of Node 24', () => {
  const control = formatControl({version: '1.2.3', arch: 'arm64', installedBytes: 2049});
  expect(control).toContain('\nVersion: 1.2.3\nArchitecture: arm64\n');
  expect(control).toContain('\nMaintainer: The branchlog authors <branchlog@users.noreply.github.com>\n');
  expect(control).toContain('\nHomepage: https://github.com/branchlog/branchlog\n');
  expect(control).toContain(
    '\nInstalled-Size: 3\nDepends: libc6 (>= 2.28), libgcc-s1 | libgcc1, libstdc++6 (>= 5.2)\n',
  );
  expect(formatControl({version: '1.2.3', arch: 'x64', installedBytes: 1})).toContain('\nArchitecture: amd64\n');
  expect(() => formatControl({version: '1', arch: 'riscv64', installedBytes: 1})).toThrow('riscv64');
});

test('the Debian package has a changelog of its own, and a reason for each thing that lintian may leave', () => {
  const [changelog, overrides] = debianFiles({version: '1.2.3', epochSeconds: 1_767_225_600});
  expect(gunzipSync(changelog?.bytes ?? Buffer.of()).toString()).toBe(
    'branchlog (1.2.3) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n' +
      ' -- The branchlog authors <branchlog@users.noreply.github.com>  Thu, 01 Jan 2026 00:00:00 +0000\n',
  );
  expect(overrides?.path).toBe('share/lintian/overrides/branchlog');
  const lines = Buffer.from(overrides?.bytes ?? [])
    .toString()
    .trim()
    .split('\n');
  for (const [index, line] of lines.entries()) {
    expect(line.startsWith('#') || lines[index - 1]?.startsWith('#')).toBe(true);
  }
});

test('the Debian package brings the unit, its user and its folder where systemd looks for them, and enables nothing', () => {
  const files = debianFiles({version: '1.2.3', epochSeconds: 0});
  const forSystemd = files.filter(({path}) => path.startsWith('lib/'));
  expect(forSystemd.map(({path, mode}) => `${mode.toString(8)} ${path}`)).toEqual([
    '644 lib/systemd/system/branchlog.service',
    '644 lib/sysusers.d/branchlog.conf',
    '644 lib/tmpfiles.d/branchlog.conf',
  ]);
  const [unit = ''] = forSystemd.map(({bytes}) => Buffer.from(bytes).toString());
  const [program] = packageFiles(contents, 'vendor-completions');
  expect(unit).toContain(`\nExecStart=/usr/${program?.path} serve /etc/branchlog/serve.toml\n`);
  expect(files.some(({path}) => path.includes('preset') || path.includes('.wants/'))).toBe(false);
});

test('docs/install.md names the files of this version', () => {
  const text = readFileSync('docs/install.md', 'utf8');
  const {version} = packageJson;
  const names = [releaseNames(version), packageNames(version, 'x64'), packageNames(version, 'arm64')];
  for (const name of names.flatMap(each => Object.values(each))) {
    expect(text).toContain(name);
  }
});
