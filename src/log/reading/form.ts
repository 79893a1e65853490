import type {Level} from '#log/tokens/level-words.ts';

/** A piece of a text: code units `start` up to but not including `end`. */
export type Piece = {readonly start: number; readonly end: number};

/** A level, and the word that names it. */
export type LevelPlace = Piece & {readonly level: Level};

/** The prefix of a form's pattern: a time in brackets, a time, or nothing known. */
export type Before = 'bracketed' | 'time' | 'any';

/** The parts of a line that a form may have, by the names of its groups. */
export type FormPart =
  | 'time'
  /** Another time, such as that of syslog before a proxy's own. */
  | 'stamp'
  | 'level'
  /** A kind of error that reads better with its message: `PHP Fatal error`. */
  | 'label'
  | 'logger'
  | 'message'
  | 'status'
  | 'method'
  | 'path'
  /** A request that is none, as sent. */
  | 'sent'
  | 'client'
  | 'bytes'
  /** How long the answer took: a number with its unit, or in milliseconds. */
  | 'took'
  /** Words and quoted texts after the parts of a request. */
  | 'rest'
  | 'protocol'
  /** The parts that belong after the message, in order. */
  | 'b1'
  | 'b2'
  | 'b3'
  | 'b4';

/** The places of the parts that a line has. */
export type PlacedParts = Readonly<Partial<Record<FormPart, Piece>>>;

/** The parts whose texts decide what a line is and what it counts as. */
const readParts = ['level', 'label', 'message', 'status', 'method', 'path', 'client', 'bytes', 'took', 'rest'] as const;
type ReadPart = (typeof readParts)[number];

export type ReadTexts = Readonly<Record<ReadPart, string | undefined>>;

/** Names of groups. Without them, and without groups that only places are wanted of, a pattern is faster. */
const names = /\(\?<(\w+)>/g;
const isRead = (name: string): name is ReadPart => (readParts as readonly string[]).includes(name);

/** The properties of a form besides its pattern. */
export type FormOptions = {
  /** The levels of words or letters that are no words for levels elsewhere. */
  readonly levels?: Readonly<Record<string, Level>>;
  /** The line's other parts are not known, so that it is shown as received. */
  readonly isLoose?: boolean;
};

/** A form of a line's text, from the end of what precedes it to the end of the line. */
export type Form = FormOptions & {
  readonly before: readonly Before[];
  /** It states a level by a status or by words of its own, which are found nowhere else. */
  readonly tellsLevel: boolean;
  /** Finds the texts of `ReadPart`s; `groups` are their numbers, that of a part that the form has not is too large. */
  readonly pattern: RegExp;
  readonly groups: Readonly<Record<ReadPart, number>>;
  /** Finds the places of all parts: several times as slow. */
  readonly placing: RegExp;
};

/** A format: its forms, in the order in which they are tried. Each line has the first form that fits. */
export type Format = {
  readonly forms: readonly Form[];
  /** The signs with which a line may begin, if nothing stands before the form. */
  readonly starts?: RegExp;
  /** Cheap to ask, and false for nearly all other lines. */
  readonly hint?: (text: string) => boolean;
};

/**
 * Creates a form from the source of its pattern, whose groups are named as in `FormPart`, each once: Node 22, on which
 * the library runs, knows no other patterns. Every repetition must be bounded or over disjoint characters, so that none
 * can be slow. Backslashes are taken as written, as by `String.raw`.
 */
export const formOf =
  (before: Before | readonly Before[], options: FormOptions = {}) =>
  (strings: TemplateStringsArray, ...pieces: readonly string[]): Form => {
    const source = String.raw(strings, ...pieces);
    // Made when a line asks for them: all of them would take a tenth of the start, and the first screen has no line.
    let [groups, pattern, placing]: [Form['groups']?, RegExp?, RegExp?] = [];
    return {
      ...options,
      before: typeof before === 'string' ? [before] : before,
      tellsLevel: options.levels !== undefined || source.includes('(?<status>'),
      get groups() {
        groups ??= groupsOf(source);
        return groups;
      },
      get pattern() {
        pattern ??= new RegExp(`${source.replaceAll(names, (_, name) => (isRead(name) ? '(' : '(?:'))}$`, 'y');
        return pattern;
      },
      get placing() {
        placing ??= new RegExp(`${source}$`, 'dy');
        return placing;
      },
    };
  };

const groupsOf = (source: string): Form['groups'] => {
  const read = [...source.matchAll(names)].map(([, name = '']) => name).filter(isRead);
  const groupOf = (name: ReadPart): number => read.indexOf(name) + 1 || readParts.length + 1;
  return Object.fromEntries(readParts.map(name => [name, groupOf(name)])) as Form['groups'];
};

/** Forms of lines of which nothing before them is known, after a time, and after a time in brackets. */
export const [anyForm, timedForm, bracketedForm] = [formOf('any'), formOf('time'), formOf('bracketed')] as const;
export const looseForm = formOf('any', {isLoose: true});

/** Forms of lines whose level stands where the general rules find none. */
export const tellingForm = formOf('any', {levels: {}});

/** The same with a letter for a level. */
export const letterForm = formOf('any', {
  levels: {T: 'trace', D: 'debug', I: 'info', N: 'info', W: 'warn', E: 'error', C: 'fatal', F: 'fatal'},
});

/** Checks whether a form has a part. */
export const hasPart = ({groups}: Form, name: ReadPart): boolean => groups[name] <= readParts.length;

/** Sources of groups that several formats have. */
export const group = {
  level: '(?<level>[A-Za-z]{3,13})',
  upperLevel: '(?<level>[A-Z]{3,13})',
  message: String.raw`(?<message>\S.*)`,
  logger: String.raw`(?<logger>[\w.$/-]{1,128})`,
  dottedLogger: String.raw`(?<logger>[\w$]{1,64}(?:\.[\w$]{1,64}){1,12})`,
  status: String.raw`(?<status>[1-5]\d\d)`,
  method: '(?<method>[A-Z]{3,16})',
  path: String.raw`(?<path>[/*]\S*|https?:\S+)`,
  client: String.raw`(?<client>[\w.:%[\]-]{1,253})`,
  took: String.raw`(?<took>[\d.]{1,20} ?[nuµμm]?s|\dm[\d.]{1,16}s)`,
  bytes: String.raw`(?<bytes>\d{1,15}|-)`,
} as const;

/** A piece of what follows the parts of an access line; the inside of a quoted one. */
export const restToken = /"((?:[^"\\]|\\.)*)"|\S+/g;

/** A log format has a dozen variables; what comes after is one piece. */
export const restTokensMax = 40;
