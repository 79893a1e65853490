// Indented or not, Node's causes and Go's further panics among them; then, not indented, Python between two exceptions,
// Rust, and Go's goroutines and signals. Most lines begin with none of their signs.
const traceLine =
  /^(?=[\s#CSPDTsngc.[-])(?:\s+at |\s*#\d+ |\s*Caused by: |\s*Suppressed: |\s*\.\.\. \d+ |\s+File "|\s+\[(?:cause|errors)\]: |\s+panic: |\s+thrown in |(?:PHP )?Stack trace:|--- End of (?:stack trace|inner exception)|PHP +\d+\. |During handling of the above exception|The above exception was|stack backtrace:$|note: (?:run with `RUST_BACKTRACE|Some details are omitted)|goroutine \d+ [^:]{0,99}\]:$|created by [\w./]+\.|\[signal SIG\w+: )/;

// A function of Go with its arguments, which are numbers: main.(*Server).pay(0xc000012345, {0x1, 0x2}); or, as gin
// prints it, a file with the address: /src/shop.go:12 (0x43a0f1)
const goArguments = /\((?:0x[\da-f]+\??|[{}, _]|\.\.\.)*\)$/y;
const goFunction = /^[\w./*()[\]·%-]+\.[^.\s]+$/;
const goFile = /^\/\S+\.go:\d+ $/;

const isGoCall = (text: string): boolean => {
  if (!text.endsWith(')')) {
    return false;
  }
  const open = text.lastIndexOf('(');
  goArguments.lastIndex = open;
  if (!goArguments.test(text)) {
    return false;
  }
  const before = text.slice(0, open);
  return before === 'panic' || goFunction.test(before) || goFile.test(before);
};

/**
 * Checks whether the text, free of SGR, is certainly a further line of a stack trace (Java, JavaScript, PHP, Python,
 * Go, Rust). A level word in it names a class or a file, so the line has no level of its own.
 */
export const isTraceLine = (text: string): boolean => traceLine.test(text) || isGoCall(text);
