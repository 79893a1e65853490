/**
 * Runs all benchmarks on this machine, one after the other, and writes their figures to docs/benchmarks.md. Run by
 * `npm run bench:page`, on a quiet machine; takes about ten minutes.
 */
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {cpus, loadavg, release, totalmem, type} from 'node:os';
import {setTimeout as sleep} from 'node:timers/promises';

type Benchmark = {readonly title: string; readonly about: string; readonly file: string};

const benchmarks: readonly Benchmark[] = [
  {
    title: 'The program in a terminal',
    about:
      'The built program, and the executable if it has been built, in a pseudo-terminal of 200×60, compared with `less` and `lnav` if they are installed. `less` and `lnav` read a file; branchlog polls a service.',
    file: 'bench/terminal.ts',
  },
  {
    title: 'The engine, memory, and the search',
    about: 'In one process, as ratios where possible; the search is compared with `rg` on the same bytes in a file.',
    file: 'bench/all.ts',
  },
  {
    title: 'The service',
    about: '`branchlog serve` compared with nginx, if it is installed, which serves the same bytes from a file.',
    file: 'bench/serve.ts',
  },
];

/** Returns the first row that a program prints of itself; undefined if it is not there. */
const versionOf = (command: string, flag: string): string | undefined => {
  const {stdout, stderr} = spawnSync(command, [flag], {encoding: 'utf8'});
  return `${stdout ?? ''}${stderr ?? ''}`.split('\n').find(row => row.trim() !== '');
};

const machine = (): readonly string[] => {
  const [cpu] = cpus();
  const peers = [
    versionOf('less', '--version'),
    versionOf('lnav', '-V'),
    versionOf('rg', '--version'),
    versionOf('nginx', '-v'),
  ].filter(row => row !== undefined);
  return [
    `- ${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB of memory`,
    `- ${type()} ${release()}, Node ${process.versions.node}`,
    `- ${peers.join(', ')}`,
  ];
};

/** Other work makes every figure worse, so this says how much there was. */
const restMs = 15_000;

const run = async ({title, about, file}: Benchmark): Promise<string> => {
  await sleep(restMs);
  const load = loadavg()[0]?.toFixed(1);
  console.log(`${file}, load ${load}`);
  const {stdout} = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
  // The benchmarks print their figures once more at the end, after a blank row.
  const figures = stdout.trimEnd().split('\n\n').at(-1) ?? '';
  return `## ${title}\n\n${about} Load of the machine before the run: ${load}.\n\n\`\`\`text\n${figures}\n\`\`\`\n`;
};

const sections: string[] = [];
for (const benchmark of benchmarks) {
  sections.push(await run(benchmark));
}
const head = `# Benchmarks

Made by \`npm run bench:page\` on ${new Date().toISOString().slice(0, 10)}. "must" is a limit that a change must not break, "aim" is
what would be good. Times below ten milliseconds vary by half from run to run on a shared machine.

${machine().join('\n')}
`;
const path = 'docs/benchmarks.md';
const byHand = readFileSync(path, 'utf8').split(/^(?=<!-- written by hand)/m)[1] ?? '';
writeFileSync(path, `${head}\n${sections.join('\n')}\n${byHand}`);
