/** For which processors executables are built, and the Node and the tools that each needs. */
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';

/** Node's names. */
export const architectures = ['x64', 'arm64'];

/** The folder of the executable for a processor; this machine's own is the one that is tested. */
export const executableFolder = (arch: string): string =>
  arch === process.arch ? 'dist/executable' : `dist/executable-${arch}`;

/** As GNU names processors, in tools for another one and in the folder of its libraries. */
const gnuNames: Readonly<Record<string, string>> = {x64: 'x86_64', arm64: 'aarch64'};

const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).error === undefined;

export type Target = {
  /** The Node program that the application goes into. */
  readonly node: string;
  readonly strip: string;
  /** The Debian package of `strip`. */
  readonly stripPackage: string;
  /** What precedes a command for that processor here: nothing, or an emulator; undefined if none is installed. */
  readonly emulator: readonly string[] | undefined;
};

/** Returns what is needed to build for a processor. Downloads Node for another one than this machine's to `folder`. */
export const targetFor = (arch: string, folder: string): Target => {
  if (arch === process.arch) {
    return {node: process.execPath, strip: 'strip', stripPackage: 'binutils', emulator: []};
  }
  const gnuName = gnuNames[arch];
  if (gnuName === undefined) {
    throw new Error(`no executable for ${arch}: choose ${architectures.join(' or ')}`);
  }
  const emulator = [`qemu-${gnuName}-static`, `qemu-${gnuName}`].find(isInstalled);
  const libraries = `/usr/${gnuName}-linux-gnu`;
  return {
    node: downloadNode(arch, folder),
    strip: `${gnuName}-linux-gnu-strip`,
    stripPackage: `binutils-${gnuName.replace('_', '-')}-linux-gnu`,
    emulator: emulator && existsSync(libraries) ? [emulator, '-L', libraries] : undefined,
  };
};

/** Downloads the Node of this version for another processor: npm checks that it is the published one. */
const downloadNode = (arch: string, folder: string): string => {
  const name = `node-linux-${arch}@${process.versions.node}`;
  mkdirSync(folder, {recursive: true});
  try {
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, name], {encoding: 'utf8'});
    execFileSync('tar', ['-xzf', join(folder, packed.trim()), '-C', folder, 'package/bin/node']);
  } catch (error) {
    throw new Error(`needs ${name} from the npm registry, which was not reached or does not have it`, {cause: error});
  }
  return join(folder, 'package/bin/node');
};
