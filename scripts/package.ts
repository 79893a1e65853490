/**
 * Packs the executables that were built, for machines without Node: a Debian package and a tarball for each processor;
 * the npm package; an SBOM and the checksums of all, in dist/packages. Run by `npm run package`, after
 * `npm run build:executable`. For a test, `--executable` names another one, and `--to` another folder.
 */
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import packageJson from '../package.json' with {type: 'json'};
import {changedPackages} from './bundle-plugins.ts';
import {architectures, executableFolder} from './executable/target.ts';
import {
  debianFiles,
  debianScripts,
  formatControl,
  type PackageFile,
  packageFiles,
  packageNames,
  readSourceDate,
  releaseNames,
} from './package-files.ts';
import {formatSbom} from './sbom.ts';
import {bundledPackages, formatNoticesWithNode} from './third-party.ts';

const {version} = packageJson;
const {
  values: {executable: tested, to: folder},
} = parseArgs({options: {executable: {type: 'string'}, to: {type: 'string', default: 'dist/packages'}}});
const executableFor = (arch: string): string => tested ?? join(executableFolder(arch), 'branchlog');
const executable = executableFor(process.arch);
const parts = join(folder, 'parts');
/** What xz makes of an executable, with room for a year of growth. */
const packageBytesMax = 30e6;
const epochSeconds = readSourceDate();
/** Tools do the same whatever the user's environment says, and however many cores there are. */
const toolEnv = {
  ...process.env,
  ...{SOURCE_DATE_EPOCH: String(epochSeconds), LC_ALL: 'C', TZ: 'UTC'},
  ...{XZ_DEFAULTS: '--threads=1', XZ_OPT: undefined, TAR_OPTIONS: undefined, GZIP: undefined},
  ...{DPKG_DEB_THREADS_MAX: '1', DPKG_DEB_COMPRESSOR_TYPE: undefined, DPKG_DEB_COMPRESSOR_LEVEL: undefined},
};

/** Runs a tool. Throws an error that names the package of a missing one. */
const run = (command: string, args: readonly string[], debianPackage: string): string => {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024,
      env: toolEnv,
    });
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw isMissing ? new Error(`needs \`${command}\`, of the package ${debianPackage}`) : error;
  }
};

const write = (root: string, files: readonly PackageFile[]): void => {
  for (const {path, bytes, mode} of files) {
    const target = join(root, path);
    mkdirSync(dirname(target), {recursive: true});
    writeFileSync(target, bytes, {mode});
  }
  run('find', [root, '-exec', 'touch', '--date', `@${epochSeconds}`, '{}', '+'], 'findutils');
};

const makeNpmPackage = (): string => {
  run('npm', ['pack', '--silent', '--pack-destination', folder], 'npm');
  return releaseNames(version).npm;
};

const readAll = (paths: readonly string[]): ReadonlyMap<string, string> =>
  new Map(paths.map(path => [basename(path), readFileSync(path, 'utf8')]));

if (!existsSync(executable)) {
  throw new Error(`${executable} is missing: run npm run build:executable`);
}
// Modes are those named above, whatever the user's own are.
process.umask(0o022);
rmSync(folder, {recursive: true, force: true});
mkdirSync(parts, {recursive: true});

const complete = (shell: string): string => run(resolve(executable), ['completion', shell], 'branchlog');
const shipped = new Set([...(await bundledPackages()), `node@${process.versions.node}`]);
/** With development dependencies, because everything in the bundle is one. */
const sbom = formatSbom(run('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline'], 'npm'), {
  shipped,
  changed: changedPackages,
  epochSeconds,
});
const contents = {
  completions: {bash: complete('bash'), zsh: complete('zsh'), fish: complete('fish')},
  manPages: readAll(packageJson.man),
  documents: new Map([
    ...readAll(['README.md', 'CHANGELOG.md']),
    ['THIRD-PARTY-NOTICES', await formatNoticesWithNode()],
    ['branchlog.cdx.json', sbom],
  ]),
};
const licence = readFileSync('LICENSE', 'utf8');

const makeDeb = (arch: string): string => {
  const {deb} = packageNames(version, arch);
  const root = join(parts, 'deb', arch);
  const documents = new Map([...contents.documents, ['copyright', licence]]);
  const files = [
    ...packageFiles({...contents, executable: readFileSync(executableFor(arch)), documents}, 'vendor-completions'),
    ...debianFiles({version, epochSeconds}),
  ];
  write(join(root, 'usr'), files);
  const installedBytes = files.reduce((sum, {bytes}) => sum + bytes.length, 0);
  write(root, [
    {
      path: 'DEBIAN/control',
      bytes: Buffer.from(formatControl({version, arch, installedBytes})),
      mode: 0o644,
    },
    {
      path: 'DEBIAN/md5sums',
      bytes: Buffer.from(
        files.map(({path, bytes}) => `${createHash('md5').update(bytes).digest('hex')}  usr/${path}\n`).join(''),
      ),
      mode: 0o644,
    },
    ...Object.entries(debianScripts).map(([name, script]) => ({
      path: `DEBIAN/${name}`,
      bytes: Buffer.from(script),
      mode: 0o755,
    })),
  ]);
  // The dpkg of Debian 11 does not read zstd.
  run('dpkg-deb', ['-Zxz', '--root-owner-group', '--build', root, join(folder, deb)], 'dpkg');
  return deb;
};

const makeTarball = (arch: string): string => {
  const {tarball} = packageNames(version, arch);
  const top = `branchlog-${version}`;
  const root = join(parts, 'tarball', arch);
  const documents = new Map([...contents.documents, ['LICENSE', licence]]);
  const files = packageFiles({...contents, executable: readFileSync(executableFor(arch)), documents}, 'site-functions');
  write(join(root, top), files);
  const times = `--mtime=@${epochSeconds}`;
  const same = ['--format=gnu', '--owner=0', '--group=0', '--numeric-owner', times];
  // tar reports a missing xz by itself, but not which package has it.
  run('xz', ['--version'], 'xz-utils');
  // Files only: tar gives a folder that is an entry, such as ~/.local/share, the mode of that entry.
  const paths = files.map(({path}) => `${top}/${path}`);
  run('tar', ['-cJf', join(folder, tarball), ...same, '-C', root, ...paths], 'tar');
  return tarball;
};

const {sums: sumsName} = releaseNames(version);
const names: string[] = [];
const problems: string[] = [];
const attempt = (what: string, make: () => string): void => {
  try {
    names.push(make());
  } catch (error) {
    problems.push(`not made: ${what}: ${error instanceof Error ? error.message : error}`);
  }
};
for (const arch of tested ? [process.arch] : architectures.filter(each => existsSync(executableFor(each)))) {
  attempt(`the Debian package for ${arch}`, () => makeDeb(arch));
  attempt(`the tarball for ${arch}`, () => makeTarball(arch));
}
attempt('the npm package', makeNpmPackage);
attempt('the SBOM', () => {
  const {sbom: name} = releaseNames(version);
  writeFileSync(join(folder, name), sbom);
  return name;
});
rmSync(parts, {recursive: true});
const sums = names.map(
  name =>
    `${createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')}  ${name}\n`,
);
writeFileSync(join(folder, sumsName), sums.join(''));
for (const name of [...names, sumsName]) {
  const {size} = statSync(join(folder, name));
  console.log(`${join(folder, name)}: ${(size / 1e6).toFixed(1)} MB`);
  if (size > packageBytesMax) {
    problems.push(`larger than ${packageBytesMax / 1e6} MB: ${name}`);
  }
}
for (const sentence of problems) {
  console.error(sentence);
}
process.exitCode = problems.length === 0 ? 0 : 1;
