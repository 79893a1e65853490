import {z} from 'zod';
import {levelNames} from '#log/tokens/level-words.ts';
import {type Answer, toldLines, toldShape, toldVerdict} from './answer.ts';
import {judge} from './asked/incidents.ts';
import {findLines} from './asked/lines.ts';
import {examine, listBranches, listSites} from './asked/lists.ts';
import {type Asked, askedBytesMax, type Toolbox} from './held-logs.ts';

const time = z.string().optional();
const place = {
  site: z.string().optional().describe('id or name; with branch'),
  branch: z.string().optional().describe('id or name'),
  file: z.string().optional().describe('below a folder of --files; in place of site and branch'),
  fresh: z.boolean().optional().describe('read again what is held'),
};
const range = {
  since: time.describe('an age such as 15m, or RFC 3339'),
  to: time.describe('the same, inclusive'),
};
const incidentInput = {...place, ...range, since: time.describe('an age such as 15m, RFC 3339, or deploy')};

/** An answer is in an agent's context for as long as it works. */
const budgets = {lists: 8_000, log: 4_000};
const bytesMin = 2_000;

type Tool<Shape extends z.ZodRawShape> = {
  readonly description: string;
  readonly input: Shape;
  /** Of its answers, beside what every answer has. */
  readonly output: z.ZodRawShape;
  readonly bytesMax: number;
  readonly run: (given: z.infer<z.ZodObject<Shape>>, box: Toolbox, asked: Asked) => Promise<Iterable<Answer>>;
};

/** Every tool takes this, too. */
const sizeShape = {
  maxBytes: z.number().int().min(bytesMin).max(askedBytesMax).optional().describe('the answer is never larger'),
};

/** Hides what a tool takes behind a check of it. */
const tool = <Shape extends z.ZodRawShape>({input, output, run, ...told}: Tool<Shape>) => ({
  ...told,
  output: z.looseObject<z.ZodRawShape>({...toldShape, ...output}),
  input: z.strictObject<z.ZodRawShape>({...input, ...sizeShape}),
  run: (given: object, box: Toolbox, asked: Asked): Promise<Iterable<Answer>> =>
    run(z.strictObject(input).parse(given), box, asked),
});

/** The tools by name. */
export const tools = {
  list_sites: tool({
    description: 'Sites (of a cluster: namespaces), and folders of files, that can be asked about.',
    input: {},
    output: {},
    bytesMax: budgets.lists,
    run: listSites,
  }),
  list_branches: tool({
    description: 'Branches of a site with their status (null: not built out, no log), or the files of a folder.',
    input: {site: z.string().describe('id or name, or a folder that list_sites names')},
    output: {},
    bytesMax: budgets.lists,
    run: listBranches,
  }),
  incident: tool({
    description:
      'What is wrong with a log, since when and whose, compared with before: a verdict (found, calm, unknown) with its basis, and findings. Ask this first.',
    input: incidentInput,
    output: toldVerdict,
    bytesMax: budgets.log,
    run: (asked, box, how) => judge(asked, 'incident', box, how),
  }),
  read_log: tool({
    description:
      'Lines of a log. What does not fit is folded: one line of each kind with their number ("like"), the newest errors, the newest lines.',
    input: {
      ...{...place, ...range},
      level: z.enum(levelNames).optional().describe('at least this level'),
      grep: z.string().optional().describe('RE2 pattern; with the stack trace of what matches'),
      exclude: z.string().optional().describe('RE2 pattern'),
      around: z.string().optional().describe('RFC 3339: what is before and after this time'),
      entries: z.number().int().min(1).max(500).optional().describe('with around: so many before and after, else 20'),
    },
    output: toldLines,
    bytesMax: budgets.log,
    run: (asked, box, how) => findLines(asked, 'read_log', box, how),
  }),
  compare: tool({
    description: 'An incident, and for each finding whether another branch, or file, has the same.',
    input: {
      ...incidentInput,
      with: z.string().optional().describe('another branch of the site'),
      withFile: z.string().optional().describe('another file'),
    },
    output: toldVerdict,
    bytesMax: budgets.log,
    run: (asked, box, how) => judge(asked, 'compare', box, how),
  }),
  follow_value: tool({
    description: 'All lines with a value, such as the id of a request or an order, and how many each source wrote.',
    input: {...place, ...range, value: z.string().min(1).max(200)},
    output: toldLines,
    bytesMax: budgets.log,
    run: (asked, box, how) => findLines(asked, 'follow_value', box, how),
  }),
  doctor: tool({
    description: 'Checks the config, the token, the network and the service, and says what to do.',
    input: {},
    output: {},
    bytesMax: budgets.lists,
    run: examine,
  }),
};
