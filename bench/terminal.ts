/**
 * Measures the built program as a user sees it: through a pseudo-terminal of 200×60, on a service in another process,
 * compared with `less` and `lnav` if they are installed. Linux only: it reads /proc. Run by `npm run bench:terminal`,
 * or in parts: `node bench/terminal.ts [--json] [--profile FOLDER] [MEASURE…]`.
 */
import {loadavg} from 'node:os';
import {parseArgs} from 'node:util';
import {type Figure, formatJson, formatTable, isMissed} from './terminal/figure.ts';
import type {Measure} from './terminal/measure.ts';
import {measureBusy} from './terminal/measure-busy.ts';
import {measureKeys, measurePages} from './terminal/measure-keys.ts';
import {measureLine} from './terminal/measure-line.ts';
import {measureLists} from './terminal/measure-lists.ts';
import {measureMemory} from './terminal/measure-memory.ts';
import {measureQuiet} from './terminal/measure-quiet.ts';
import {measureSlow} from './terminal/measure-slow.ts';
import {measureStartup} from './terminal/measure-startup.ts';
import {createMillion} from './terminal/million.ts';
import {createStage} from './terminal/stage.ts';

const measures: Readonly<Record<string, Measure>> = {
  startup: measureStartup,
  busy: measureBusy,
  lists: measureLists,
  // From here on a million lines are held; nothing timed comes after this.
  memory: measureMemory,
  pages: measurePages,
  keys: measureKeys,
  line: measureLine,
  slow: measureSlow,
  quiet: measureQuiet,
};

/** These only count and time nothing, and load the machine little: they may run in parallel. */
const counting: ReadonlySet<string> = new Set(['line', 'slow', 'quiet']);

const readArgs = () => {
  const {values, positionals} = parseArgs({
    options: {json: {type: 'boolean', default: false}, profile: {type: 'string'}},
    allowPositionals: true,
  });
  const unknown = positionals.filter(name => measures[name] === undefined);
  if (unknown.length > 0) {
    throw new Error(`No measure “${unknown.join(', ')}”. There are: ${Object.keys(measures).join(', ')}.`);
  }
  return {
    ...values,
    names: Object.keys(measures).filter(name => positionals.length === 0 || positionals.includes(name)),
  };
};

/** Runs the measures; those that time something run one after the other. Reports progress on stderr. */
const runMeasures = async (names: readonly string[], profile: string | undefined): Promise<readonly Figure[]> => {
  const stage = await createStage(profile);
  try {
    const lab = {stage, million: createMillion(stage)};
    const run = async (name: string): Promise<readonly Figure[]> => {
      const startMs = performance.now();
      const figures = (await measures[name]?.(lab)) ?? [];
      const tookSeconds = ((performance.now() - startMs) / 1000).toFixed(0);
      // Times mean little while other work keeps the cores busy.
      process.stderr.write(`${name}: ${tookSeconds} s, load ${loadavg()[0]?.toFixed(1)}\n`);
      return figures;
    };
    const figures: Figure[] = [];
    for (const name of names.filter(each => !counting.has(each))) {
      figures.push(...(await run(name)));
    }
    return [...figures, ...(await Promise.all(names.filter(each => counting.has(each)).map(run))).flat()];
  } finally {
    await stage.close();
  }
};

const {json, profile, names} = readArgs();
const figures = await runMeasures(names, profile);
console.log(json ? formatJson(figures) : formatTable(figures));
process.exit(figures.some(isMissed) ? 1 : 0);
