/** The files of a package for machines without Node, and where they belong. */

import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import packageJson from '../package.json' with {type: 'json'};

export type PackageFile = {
  /** Below the prefix, which is `/usr` in a Debian package. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
};

export type PackageContents = {
  readonly executable: Uint8Array;
  /** Completion scripts by shell. */
  readonly completions: Readonly<Record<'bash' | 'zsh' | 'fish', string>>;
  /** Man pages by file name, such as `branchlog.1`. */
  readonly manPages: ReadonlyMap<string, string>;
  /** README, licence and changelog by file name. */
  readonly documents: ReadonlyMap<string, string>;
};

/**
 * Returns the files of a package. `zshFolder` is the folder of completions that zsh searches by itself: Debian's zsh
 * has one for packages, elsewhere it is `site-functions`.
 */
export const packageFiles = (contents: PackageContents, zshFolder: string): readonly PackageFile[] => {
  const text = (path: string, content: string | Uint8Array): PackageFile => ({
    path,
    bytes: Buffer.from(content),
    mode: 0o644,
  });
  const {bash, zsh, fish} = contents.completions;
  return [
    {path: 'bin/branchlog', bytes: contents.executable, mode: 0o755},
    text('share/bash-completion/completions/branchlog', bash),
    text(`share/zsh/${zshFolder}/_branchlog`, zsh),
    text('share/fish/vendor_completions.d/branchlog.fish', fish),
    ...[...contents.manPages].map(([name, page]) =>
      text(`share/man/man${name.at(-1)}/${name}.gz`, gzipSync(page, {level: 9})),
    ),
    ...[...contents.documents].map(([name, document]) => text(`share/doc/branchlog/${name}`, document)),
  ];
};

/** Names of a processor: Node's and Debian's. */
const debianArchitectures: Readonly<Record<string, string>> = {x64: 'amd64', arm64: 'arm64'};

/** Returns Debian's name of a processor, or throws if there is no executable for it. */
const debianArchitecture = (arch: string): string => {
  const name = debianArchitectures[arch];
  if (name === undefined) {
    throw new Error(`no Debian package for ${arch}`);
  }
  return name;
};

const homepage = packageJson.homepage.replace(/#.*/, '');

/**
 * Debian demands a mail address. The project has none but the one that GitHub gives to the repository's owner, which
 * takes no mail: reports go to the homepage.
 */
const maintainer = `${packageJson.author} <${new URL(homepage).pathname.split('/')[1]}@users.noreply.github.com>`;

/** Formats `DEBIAN/control`. The libraries are those that Node 24 is linked with. */
export const formatControl = ({version, arch, installedBytes}: ControlInput): string =>
  [
    'Package: branchlog',
    `Version: ${version}`,
    `Architecture: ${debianArchitecture(arch)}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${Math.ceil(installedBytes / 1024)}`,
    'Depends: libc6 (>= 2.28), libgcc-s1 | libgcc1, libstdc++6 (>= 5.2)',
    'Section: admin',
    'Priority: optional',
    `Homepage: ${homepage}`,
    'Description: terminal log viewer for the person on call',
    " Lists the branches of a site and follows a branch's log over SSH. Joins",
    ' overlapping windows into one log without losing or repeating a line, and',
    ' marks each place where lines may be missing. Needs no Node.',
    '',
  ].join('\n');

/** What lintian reports that stays as it is, each with its reason. */
const lintianOverrides = `# The executable is Node's with the program in it, as nodejs.org publishes it: linked with its own zlib,
branchlog: embedded-library
# and not position-independent.
branchlog: hardening-no-pie
`;

/** The files of docs/systemd, and where systemd looks for them. Nothing enables the service. */
const systemdFiles = {
  'branchlog.service': 'lib/systemd/system/branchlog.service',
  'sysusers.conf': 'lib/sysusers.d/branchlog.conf',
  'tmpfiles.conf': 'lib/tmpfiles.d/branchlog.conf',
};

/** Returns the files that only a Debian package has: its changelog, lintian's overrides, and those for systemd. */
export const debianFiles = ({version, epochSeconds}: {readonly version: string; readonly epochSeconds: number}) => {
  const date = new Date(epochSeconds * 1000).toUTCString().replace('GMT', '+0000');
  const changelog = `branchlog (${version}) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${maintainer}  ${date}\n`;
  return [
    {path: 'share/doc/branchlog/changelog.gz', bytes: gzipSync(changelog, {level: 9}), mode: 0o644},
    {path: 'share/lintian/overrides/branchlog', bytes: Buffer.from(lintianOverrides), mode: 0o644},
    ...Object.entries(systemdFiles).map(([name, path]) => ({
      path,
      bytes: readFileSync(new URL(`../docs/systemd/${name}`, import.meta.url)),
      mode: 0o644,
    })),
  ] satisfies readonly PackageFile[];
};

/**
 * The maintainer scripts: they create the user and the folder of the unit, which nothing enables, and let systemd know
 * of a new unit. A running service is restarted after an upgrade, and stopped before a removal.
 */
export const debianScripts: Readonly<Record<'postinst' | 'prerm', string>> = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  if command -v systemd-sysusers >/dev/null; then
    systemd-sysusers branchlog.conf
  fi
  if command -v systemd-tmpfiles >/dev/null; then
    systemd-tmpfiles --create branchlog.conf || true
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload || true
    systemctl try-restart branchlog.service || true
  fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl stop branchlog.service || true
fi
`,
};

/** Names of what is published for a version, beside its packages. `docs/install.md` uses them. */
export const releaseNames = (version: string) => ({
  npm: `branchlog-${version}.tgz`,
  sbom: `branchlog-${version}.cdx.json`,
  sums: 'SHA256SUMS',
});

/** Names of the packages for a version and a processor. `docs/install.md` uses them. */
export const packageNames = (version: string, arch: string) => ({
  deb: `branchlog_${version}_${debianArchitecture(arch)}.deb`,
  tarball: `branchlog-${version}-linux-${arch}.tar.xz`,
});

export type ControlInput = {
  readonly version: string;
  /** Node's name of the processor. */
  readonly arch: string;
  readonly installedBytes: number;
};

/**
 * Returns the time, in seconds since 1970, that everything in a package bears: `SOURCE_DATE_EPOCH`, or else that of the
 * commit, so that two builds of one commit are the same bytes.
 */
export const readSourceDate = (env: NodeJS.ProcessEnv = process.env): number => {
  const given = env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], {encoding: 'utf8'}).trim();
  if (!/^\d{1,10}$/.test(given)) {
    throw new Error(`SOURCE_DATE_EPOCH: expected seconds since 1970, got "${given}"`);
  }
  return Number(given);
};
