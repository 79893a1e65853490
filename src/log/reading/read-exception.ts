import type {RecordPart, RecordParts} from './record-parts.ts';

/** An exception that a line names. Its message is empty if the line has none. */
export type Exception = {readonly name: string; readonly message: string};

/** A message is told apart by its beginning; what a trace prints after it is not read. */
const readCharsMax = 1024;

const part = String.raw`[A-Za-z_$][\w$]{0,63}`;
const qualified = String.raw`(?:${part}(?:\.|::|\\)){0,12}`;
/** By its name alone a word is an exception only if it ends like one. */
const name = String.raw`${qualified}[A-Z]?[\w$]{0,59}(?:Exception|Error)`;

/** Where an exception stands in a line: after nothing but what a runtime puts before it. */
const forms: readonly RegExp[] = [
  // Java, .NET, Python, Node, PHP: java.lang.IllegalStateException: text; Error [ERR_X]: text
  new RegExp(
    String.raw`^(?:Exception in thread "[^"]{0,128}" |Caused by: |(?:PHP (?:Fatal|Recoverable fatal) error: +)?Uncaught (?:exception )?'?|Unhandled [Ee]xception[.:] +)?(${name})(?: \[\w{1,64}\])?(?:: |$)(.*)`,
  ),
  // Ruby: cart.rb:3:in 'Cart#total': divided by 0 (ZeroDivisionError)
  new RegExp(String.raw`^\S{1,200}\.rb:\d{1,7}:in [\x60'].{1,128}?': (?<text>.*) \((?<name>${qualified}\w{1,64})\)$`),
  // Rails: NoMethodError (undefined method 'total'):
  new RegExp(String.raw`^(${qualified}[A-Z]\w{0,63}(?:Error|Exception|NotFound|Invalid)) \((.*)\):$`),
  // Elixir: ** (RuntimeError) text
  /^\*\* \(([A-Z][\w.]{1,128}|exit|throw)\) (.*)/,
  // Go and Rust
  /^(panic): (.*)/,
  /^(?:\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d )?http: (panic) serving \S{1,64}: (.*)/,
  /^thread '[^']{1,64}' (?:\(\d{1,10}\) )?(panicked) at (?:'(.*)', )?/,
  // In the middle of a message: … nested exception is java.lang.IllegalStateException: text
  new RegExp(String.raw`[\s:([](${name}): (.*)`),
];
const mayName = /Exception|Error|panic|\.rb:|^\*\* \(|NotFound|Invalid/;

/** Reads the exception that a message names, in it or as all of it. */
export const readException = (message: string): Exception | undefined => {
  const text = message.slice(0, readCharsMax);
  for (const form of mayName.test(text) ? forms : []) {
    const match = form.exec(text);
    if (match !== null) {
      const {name = match[1] ?? '', text: said = match[2] ?? ''} = match.groups ?? {};
      return {name, message: said};
    }
  }
  return undefined;
};

/** As JSON writes it. */
const lineEnd = /(?:\\r)?\\n/;
/** Python prints the exception after its traceback. */
const tracebackEnd = /\\n(?! |\\n)((?:(?!\\n).){1,1024})(?:\\n)?$/;

/** Reads the exception that a record names in fields of its own, or else in its message. */
export const readExceptionOfRecord = (text: string, parts: RecordParts): Exception | undefined => {
  const textOf = (found: RecordPart | undefined): string => (found ? text.slice(found.start, found.end) : '');
  const [named, stack] = [textOf(parts.exception), textOf(parts.stack)];
  const last = stack.startsWith('Traceback') ? (tracebackEnd.exec(stack)?.[1] ?? '') : stack.split(lineEnd, 1)[0];
  const thrown = readException(last ?? '') ?? readException(textOf(parts.message));
  return named === '' ? thrown : {name: named, message: textOf(parts.exceptionMessage) || (thrown?.message ?? '')};
};
