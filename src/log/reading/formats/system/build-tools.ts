import {type Format, formOf, group} from '../../form.ts';

const form = formOf('any', {
  levels: {
    '***': 'error',
    E: 'error',
    W: 'warn',
    e: 'error',
    w: 'warn',
    failed: 'error',
    FAILED: 'error',
    FAILURE: 'error',
  },
});
const level = '(?<level>error|warning)';
const {message} = group;

/** Begins one of the forms, at the start of a line or after a time. */
const beginning =
  /^(?:\d{4}-\S{16,30}Z )?(?:##\[|::(?:err|warn)|npm (?:err|warn)|[EW]: |│ [EW]|(?:error|warning)\[|CMake |Error from |FAIL|failed: \[|> Task |g?make(?:\[\d{1,3}\])?: \*\*\* |[^\s:()]{1,256}[(:]\d{1,6}[,:]\d{1,6}(?:\):| -) (?:error|warning) [A-Z]{2,4}\d|[ew]: file:|#\d{1,4} ERROR: )/;

/**
 * The labels of errors and warnings by compilers, build tools and their services, where the word alone does not tell.
 */
export const buildTools: Format = {
  hint: text => beginning.test(text),
  forms: [
    // ##[error]Process completed with exit code 1. (GitHub, Azure), ::error file=a.js,line=1::…
    form`(?:(?<time>\d{4}-\S{16,30}Z) )?##\[${level}\]${message}`,
    form`::${level}(?<b1> [^:]{1,512})?::${message}`,
    // error[E0308]: mismatched types (rustc); src/a.ts(3,5): error TS2322: … (C#, too), src/a.ts:3:5 - error TS2322: …
    form`${level}(?<b1>\[[A-Z]\d{2,5}\]): ${message}`,
    form`(?<b2>[^\s:()]{1,256}(?:\(\d{1,6},\d{1,6}\)|:\d{1,6}:\d{1,6}))(?::| -) ${level} (?<b1>[A-Z]{2,4}\d{3,6}): ${message}`,
    // e: file:///a.kt:12:5 Unresolved reference (Kotlin), #12 ERROR: process "…" did not complete (BuildKit)
    form`(?<level>[ew]): (?<message>file:.*)`,
    form`(?<b2>#\d{1,4}) (?<level>ERROR): ${message}`,
    form`(?<logger>npm) (?<level>error|warn) ${message}`,
    // make: *** [Makefile:3: all] Error 2
    form`(?<logger>g?make(?:\[\d{1,3}\])?): (?<level>\*\*\*) ${message}`,
    // E: Unable to locate package (apt), │ Error: Invalid reference (Terraform), CMake Error at …, kubectl's answer
    form`(?<level>[EW]): ${message}`,
    form`│ (?<level>Error|Warning): ${message}`,
    form`(?<logger>CMake) (?<level>Error|Warning) ${message}`,
    form`(?<level>Error) (?<b1>from server \(\w{1,64}\)): ${message}`,
    // FAILURE: Build failed (Gradle), FAILED test_a.py::test_x - … (pytest), FAILED: obj/a.o (ninja),
    // failed: [web1] … (Ansible)
    form`(?<level>FAILURE): ${message}`,
    form`(?<level>FAILED) (?<message>[\w./-]{1,256}::.*)`,
    form`(?<level>FAILED): (?<message>\S{1,256})`,
    form`(?<level>failed): (?<message>\[.*)`,
    form`(?<message>> Task :\S{1,256} (?<level>FAILED))`,
  ],
};
