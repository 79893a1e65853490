import {type Instant, parseInstant} from '#log/line/instant.ts';
import {readJsonText, textField} from '#service/link/object-fields.ts';
import {cutText} from './split-lines.ts';

/** A line as container runtimes write it to their files: `<RFC 3339> stdout|stderr F|P <text>`, or Docker's JSON. */
export type ContainerLine = {
  readonly stamp: Instant;
  readonly stream: 'stdout' | 'stderr';
  /** A piece of a long line, to be joined with the next one of its stream. */
  readonly isPiece: boolean;
  readonly text: string;
};

/**
 * Pieces that wait for the rest of their line, by stream. Part of the state, because the file's position is already
 * past them.
 */
export type HeldPieces = Readonly<
  Partial<Record<'stdout' | 'stderr', {readonly stamp: Instant; readonly text: string}>>
>;

export type StampedText = {readonly stamp: Instant; readonly text: string};

/** A line that names its stream, as a container runtime does. */
export type StreamText = StampedText & {readonly stream: ContainerLine['stream']};

// Colons separate further tags; only the first one says whether the line is complete.
const pattern = /^(\d{4}-\S+) (stdout|stderr) ([FP])(?::\S*)?(?: |$)/;

/** The state stores instants as 64-bit integers, which end in the year 2262. */
const instantMax = 2n ** 63n - 1n;

/** Returns the instant of a time that the state can store. */
const stampOf = (time: string): Instant | undefined => {
  const stamp = parseInstant(time);
  return stamp === undefined || stamp < 0n || stamp > instantMax ? undefined : stamp;
};

const dockerStart = '{"log":"';

/** Parses `{"log":"text\\n","stream":"stdout","time":"<RFC 3339>"}`, which Docker writes. Pieces lack `\\n`. */
const parseDockerLine = (line: string): ContainerLine | undefined => {
  const record = readJsonText(line);
  const [text, stream, time = ''] = ['log', 'stream', 'time'].map(name => textField(record, name));
  const stamp = stampOf(time);
  if (text === undefined || (stream !== 'stdout' && stream !== 'stderr') || stamp === undefined) {
    return undefined;
  }
  const isPiece = !text.endsWith('\n');
  return {stamp, stream, isPiece, text: isPiece ? text : text.slice(0, -1)};
};

/** Parses one line. Returns undefined if it does not have that form; each line is decided on its own. */
export const parseContainerLine = (line: string): ContainerLine | undefined => {
  if (line.startsWith(dockerStart)) {
    return parseDockerLine(line);
  }
  const match = pattern.exec(line);
  const stamp = match?.[1] === undefined ? undefined : stampOf(match[1]);
  return match !== null && stamp !== undefined
    ? {
        stamp,
        stream: match[2] === 'stderr' ? 'stderr' : 'stdout',
        isPiece: match[3] === 'P',
        text: line.slice(match[0].length),
      }
    : undefined;
};

/** Whether a text may be the beginning of a container line: one of Docker's names its stream only at its end. */
export const mayBeginContainerLine = (text: string): boolean =>
  parseContainerLine(text) !== undefined || text.startsWith(dockerStart);

/**
 * Joins pieces: complete lines are emitted with the stamp of their first piece, the rest is held. Joined lines have the
 * same bound as all lines: what is longer is emitted in pieces of that size.
 */
export const joinContainerLine = (
  held: HeldPieces,
  line: ContainerLine,
): {readonly held: HeldPieces; readonly whole: readonly StampedText[]} => {
  const {[line.stream]: before, ...others} = held;
  const texts = before ? cutText(before.text + line.text) : [line.text];
  // The first piece has the time of the text that was held.
  const whole = texts.map((text, index) => ({stamp: (index === 0 ? before : undefined)?.stamp ?? line.stamp, text}));
  const last = whole.at(-1);
  return line.isPiece && last
    ? {held: {...others, [line.stream]: last}, whole: whole.slice(0, -1)}
    : {held: others, whole};
};

/** Emits the held pieces as they are, oldest first: for a file that ends here. */
export const releaseHeldPieces = (held: HeldPieces): readonly StreamText[] =>
  (['stdout', 'stderr'] as const)
    .flatMap(stream => (held[stream] ? [{...held[stream], stream}] : []))
    .toSorted((left, right) => (left.stamp < right.stamp ? -1 : left.stamp > right.stamp ? 1 : 0));
