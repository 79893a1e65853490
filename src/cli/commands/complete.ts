import {flagsOf, type ParsedArguments, readLeniently} from '#cli/arguments/args.ts';
import type {CommandSpec, Completes, FlagSpec, OperandSpec} from '#cli/arguments/command-spec.ts';
import {commands, findCommand} from '#cli/arguments/commands.ts';
import {globalFlagsOf} from '#cli/arguments/shared-flags.ts';
import type {Io} from '#cli/io/io.ts';
import type {Candidate} from './completion/known-names.ts';

/**
 * Matches a word as typed in bash: plain letters, letters after a backslash, and quoted pieces, the last of which may
 * still be open.
 */
const typedWord = /(?:\\.?|'[^']*'?|"(?:\\.|[^"\\])*\\?"?|[^\s'"\\])+/gsu;

const quotedPiece = /\\(.?)|'([^']*)'?|"((?:\\.|[^"\\])*)\\?"?/gsu;

/** Returns the word that bash makes of a typed one. Variables and commands in it are kept as text and never run. */
const unquote = (raw: string): string =>
  raw.replace(
    quotedPiece,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? (double ?? '').replace(/\\(["\\$`])/g, '$1'),
  );

/**
 * Reads a command line up to the cursor, including the program name. `before`: the words before the one at the cursor,
 * without that name. `typed`: the one at the cursor so far, unquoted; `raw`: with its quotes.
 */
export const splitBashLine = (line: string) => {
  const typedWords: readonly string[] = line.match(typedWord) ?? [];
  const last = typedWords.at(-1) ?? '';
  const isAtWord = typedWords.length > 1 && line.endsWith(last);
  const raw = isAtWord ? last : '';
  return {before: typedWords.slice(1, isAtWord ? -1 : undefined).map(unquote), typed: unquote(raw), raw};
};

/** Returns the quote that is still open at the end of the typed word. */
const openQuote = (raw: string): string | undefined =>
  /['"]/.exec(raw.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gsu, ''))?.[0];

/**
 * Turns a completed word into what bash expects. Bash replaces only `current`: the end of the word after its last break
 * (`=`, `:`) or its open quote. Special characters get a backslash.
 */
export const answerBash = (raw: string, current: string): ((word: string) => string) => {
  const before = raw.endsWith(current) ? raw.slice(0, raw.length - current.length) : '';
  const skipped = unquote(before).length;
  const quote = openQuote(before);
  const special = quote === "'" ? undefined : quote === '"' ? /["\\$`]/g : /[^\p{L}\p{M}\p{N}_@%+,./:=-]/gu;
  return word => {
    const rest = word.slice(skipped);
    return special === undefined ? rest : rest.replace(special, '\\$&');
  };
};

/** Candidates: words, or file names, which the shell completes best itself. */
type Fitting = readonly Candidate[] | 'files';

/**
 * `branchlog __complete -- WORDS…` prints candidates for the last word, one per row, each followed by a tab and a
 * description; shells filter them by their own rules. `branchlog __complete bash -- LINE CURRENT` takes the line as
 * typed and bash's idea of the word at the cursor, and prints what bash should insert. A row of a tab and `files`
 * stands for file names. Never contacts the service and never reads the token.
 */
export const complete = async (argv: readonly string[], io: Io): Promise<string> => {
  const words = argv.slice(argv.indexOf('--') + 1);
  if (argv[0] !== 'bash') {
    return formatRows(await findFitting(words, io), ({word, help}) => `${word}\t${help}`);
  }
  const [line = '', current = ''] = words;
  const {before, typed, raw} = splitBashLine(line);
  const answer = answerBash(raw, current);
  const fitting = await findFitting([...before, typed], io);
  return formatRows(fitting === 'files' ? fitting : fitting.filter(({word}) => word.startsWith(typed)), ({word}) =>
    answer(word),
  );
};

const formatRows = (fitting: Fitting, format: (candidate: Candidate) => string): string =>
  (fitting === 'files' ? ['\tfiles'] : [...new Set(fitting.map(format))]).map(row => `${row}\n`).join('');

const findFitting = async (words: readonly string[], io: Io): Promise<Fitting> => {
  const current = words.at(-1) ?? '';
  const {parsed, waiting, isPlain} = readLeniently(words.slice(0, -1));
  const command = findCommand(parsed.command);
  const ask = {parsed, current, io};
  if (waiting) {
    return findValues(flagNamed(command, waiting), ask);
  }
  const inline = /^--([^=]+)=/.exec(current);
  if (isPlain && inline) {
    const values = await findValues(flagNamed(command, inline[1] ?? ''), ask);
    return values === 'files' ? values : values.map(({word, help}) => ({word: `${inline[0]}${word}`, help}));
  }
  if (isPlain && current.startsWith('-')) {
    return [...command.flags, ...globalFlagsOf(command)]
      .filter(({onlyWith}) => onlyWith === undefined || parsed.switches.has(onlyWith))
      .filter(({name, isRepeatable}) => isRepeatable || !(parsed.switches.has(name) || parsed.values.has(name)))
      .map(({name, help}) => ({word: `--${name}`, help}));
  }
  const values = await findValues(operandAt(command, parsed.operands.length), ask);
  const takesFiles = ['incident', 'timeline', 'export', 'guard'].includes(command.name);
  if (takesFiles && values !== 'files' && !values.some(({word}) => word.startsWith(current))) {
    return 'files';
  }
  const isFirst = isPlain && command.word === undefined && parsed.operands.length === 0;
  return isFirst && values !== 'files' ? [...commandCandidates, ...values] : values;
};

const commandCandidates: readonly Candidate[] = commands.flatMap(({word, summary}) =>
  word === undefined ? [] : [{word, help: summary}],
);

const flagNamed = (command: CommandSpec, name: string): FlagSpec | undefined =>
  flagsOf(command).find(flag => flag.name === name);

/** Returns the operand at an index from 0; the last one may repeat. */
const operandAt = ({operands}: CommandSpec, index: number): OperandSpec | undefined => {
  const last = operands.length - 1;
  return operands[index] ?? (index <= last + (operands[last]?.countMax ?? 1) - 1 ? operands[last] : undefined);
};

type Ask = {readonly parsed: ParsedArguments; readonly current: string; readonly io: Io};

const findValues = async (
  spec: Pick<OperandSpec, 'choices' | 'completes'> | undefined,
  {parsed, current, io}: Ask,
): Promise<Fitting> => {
  if (spec?.choices) {
    return spec.choices.map(word => ({word, help: ''}));
  }
  // The command itself reports config errors; in the middle of typing they would only disturb.
  return spec?.completes === undefined ? [] : findKnown(spec.completes, parsed, current, io).catch(() => []);
};

const asksCluster = ({command, switches}: ParsedArguments): boolean => command === 'kube' || switches.has('kube');

/** Loaded on demand, so that flags and commands complete at once. */
const findKnown = async (completes: Completes, parsed: ParsedArguments, current: string, io: Io): Promise<Fitting> => {
  switch (completes) {
    case 'file':
      return 'files';
    case 'command':
      return commandCandidates;
    case 'scenario': {
      const {scenarioNames} = await import('#demo/world/scenario-names.ts');
      return Object.entries(scenarioNames).map(([word, help]) => ({word, help}));
    }
    case 'context': {
      const {knownContexts} = await import('./completion/known-names.ts');
      return knownContexts(parsed, io);
    }
    case 'site': {
      if (asksCluster(parsed)) {
        return findKnown('namespace', parsed, current, io);
      }
      const {knownSiteNames} = await import('./completion/known-names.ts');
      return knownSiteNames(parsed, current, io);
    }
    case 'branch': {
      if (asksCluster(parsed)) {
        const {knownWorkloads} = await import('./completion/known-names.ts');
        return knownWorkloads(parsed, io);
      }
      const {knownBranchNames} = await import('./completion/known-names.ts');
      return knownBranchNames(parsed, io);
    }
    case 'kube-context': {
      const {knownKubeContexts} = await import('./completion/known-names.ts');
      return knownKubeContexts(parsed, io);
    }
    case 'namespace': {
      const {knownNamespaces, knownWorkloads} = await import('./completion/known-names.ts');
      // With -n, the operand in its place is the branch.
      return parsed.values.has('namespace') ? knownWorkloads(parsed, io) : knownNamespaces(parsed, io);
    }
    default:
      return completes satisfies never;
  }
};
