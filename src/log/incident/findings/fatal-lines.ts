import {levelRank} from '#log/tokens/level-words.ts';

/**
 * Lines that report the end of a process or a node. `said`: in the form in which a kernel, a runtime or a build says
 * it, which nothing else does, so that no level is needed; `named`: in words that calm lines have, too, so only an
 * error is believed.
 */
const fatals: readonly {readonly said: RegExp; readonly named?: RegExp}[] = [
  // Out of memory.
  {
    said: /\bOut of memory: Kill(?:ed)? process \d|\boom-kill:|\binvoked oom-killer\b|\bOOM ?Killed\b|\bjava\.lang\.OutOfMemoryError\b|\bheap out of memory\b|\bAllowed memory size of \d+ bytes exhausted\b|^fatal error: runtime: out of memory/,
    named: /\bout of memory\b|\b(?:ENOMEM|[Cc]annot allocate memory)\b|\bMemoryError\b/i,
  },
  // Panics of a kernel, of Go and of Rust.
  {said: /\bKernel panic - not syncing\b|^panic: |\bthread '[^']*' panicked at\b/, named: /\bpanic(?:ked)?:/i},
  // Segmentation faults.
  {
    said: /\bsegfault at [\da-f]+ ip\b|^Segmentation fault\b|\bSegmentation fault \(core dumped\)|\bexited on signal (?:6|9|11)\b/,
    named: /\bsegmentation (?:fault|violation)\b|\bSIGSEGV\b/i,
  },
  // Killed.
  {
    said: /\bKilled process \d+ \(|^Killed$|\bwas sent SIGKILL\b|\bterminated by signal 9\b/,
    named: /\bsignal: killed\b|\bexit(?:ed)?(?: with)?(?: code| status)?[ :=]+137\b/,
  },
  // A full disk.
  {
    said: /\bENOSPC\b|\b[Nn]o space left on device\b/,
    named: /\bno space left\b|\bdisk(?: is)? full\b|\b[Dd]isk quota exceeded\b/i,
  },
  // No file handles left.
  {
    said: /\bEMFILE\b|\bENFILE\b|\b24[:\]] Too many open files\b|\bsocket: too many open files\b/,
    named: /\btoo many open files\b/i,
  },
  // An expired certificate.
  {
    said: /\bx509: certificate has expired\b|\bCERT_HAS_EXPIRED\b/,
    named: /\bcertificate (?:has |is )?expired\b/i,
  },
  // A step of a build that failed.
  {said: /(?:^|\s)##\[error\]|^::error\b/},
];

const errorRank = levelRank('error');
const infoRank = levelRank('info');
const union = (patterns: readonly RegExp[], flags: string): RegExp =>
  new RegExp(patterns.map(({source}) => source).join('|'), flags);
const said = union(
  fatals.map(each => each.said),
  '',
);
const named = union(
  fatals.flatMap(each => each.named ?? []),
  'i',
);

/**
 * One of these is in every line that `said` matches. They are looked for first: a million lines are hardly ever fatal.
 * Of a shorter one among them, the search would take twice as long: it skips as many characters as the shortest has.
 */
const sign =
  /illed|SIGKI|emory|oom-k|panic|egfau|egmen|signal|NOSPC|space left|MFILE|NFILE|open fil|rtificate has|CERT_|##\[er|::err/g;

/** Returns where the first sign of such a line is from a place in a text on, which may be of many lines. */
export const nextFatalSign = (text: string, from: number): number => {
  sign.lastIndex = from;
  return sign.exec(text)?.index ?? text.length;
};

/** Whether a line of a level can be one; `hasSign`: one of those signs is in it. */
export const mayBeFatal = (rank: number, hasSign: boolean): boolean =>
  rank >= errorRank || (hasSign && (rank === 0 || rank >= infoRank));

/** Checks whether a line tells of the end of a process or a node; `rank` is that of its level. */
export const isFatal = (text: string, rank: number): boolean =>
  mayBeFatal(rank, nextFatalSign(text, 0) < text.length) &&
  (said.test(text) || (rank >= errorRank && named.test(text)));
