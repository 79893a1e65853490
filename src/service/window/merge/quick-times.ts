import type {Instant} from '#log/line/instant.ts';
import {findDatedTime, settledEnd} from '#log/tokens/dated-time.ts';
import {readWholeLine} from '../split-lines.ts';

/** Branches of the tree of shapes, at most: past this, lines of a new shape are read one by one. */
const nodesMax = 4_096;
/** One for each character of ASCII. */
const branches = 128;
const zero = 0x30;
const noBytes = Buffer.alloc(0);

/** The second of a time of day, and its decimals. */
const secondForm = /(?<!\d)\d\d?[:.]\d\d[:.](?<second>\d\d)(?:[.,:](?<decimals>\d{1,9}))?(?!\d)/d;

/** Where lines that begin alike, but for their digits, have their time; offsets from the beginning of the line. */
type Shape = {
  readonly start: number;
  readonly second: number;
  /** Where the decimals are; the same as `decimalsEnd` without any. */
  readonly decimals: number;
  readonly decimalsEnd: number;
  readonly end: number;
  /** The time that was read last, and what it says but for its second, in seconds since 1970. */
  time: Buffer;
  minute: number;
};

const isDigit = (byte = 0): boolean => byte >= zero && byte <= zero + 9;

const readDigits = (bytes: Buffer, from: number, to: number): number => {
  let value = 0;
  for (let index = from; index < to; index += 1) {
    value = value * 10 + (bytes[index] ?? 0) - zero;
  }
  return value;
};

const nanosOfDigits = (bytes: Buffer, from: number, to: number): number =>
  readDigits(bytes, from, to) * 10 ** (9 - (to - from));

const findShape = (text: string): Omit<Shape, 'time' | 'minute'> | undefined => {
  const {start, end} = findDatedTime(text) ?? {start: 0, end: 0};
  const {second, decimals} = secondForm.exec(text.slice(start, end))?.indices?.groups ?? {};
  const [from, to] = decimals ?? [0, 0];
  return second && {start, end, second: start + second[0], decimals: start + from, decimalsEnd: start + to};
};

/**
 * Creates a reader of times that does as `readTime` does, but many times faster: lines of one writer begin alike, so
 * that most times differ from an earlier one only in known digits. Neither seconds nor decimals change what the rest
 * says.
 */
export const createQuickTimes = (readTime: (line: string) => Instant | undefined) => {
  /** By node and character: the next node, or, below zero, a shape; 0: none was seen. Digits are all alike. */
  const tree = new Int16Array(nodesMax * branches);
  let nodes = 1;
  const shapes: Shape[] = [];
  const found = {seconds: 0, nanos: 0};

  const tell = (at: Instant | undefined): boolean => {
    found.seconds = Number((at ?? 0n) / 1_000_000_000n);
    found.nanos = Number((at ?? 0n) % 1_000_000_000n);
    return at !== undefined;
  };

  /** Whether another second and other decimals change the time by just as much. */
  const isLinear = (text: string, {second, decimals, decimalsEnd}: Omit<Shape, 'time' | 'minute'>): boolean => {
    const [bytes, other] = [Buffer.from(text), Buffer.from(text)];
    other.write(String((readDigits(bytes, second, second + 2) + 30) % 60).padStart(2, '0'), second);
    other.fill('7', decimals, decimalsEnd);
    const [at, then] = [bytes, other].map(each => {
      const nanos = nanosOfDigits(each, decimals, decimalsEnd);
      const read = readTime(each.toString());
      return read && read - BigInt(readDigits(each, second, second + 2)) * 1_000_000_000n - BigInt(nanos);
    });
    return at !== undefined && at === then;
  };

  const learn = (bytes: Buffer, from: number, text: string): void => {
    const shape = text.startsWith('{') ? undefined : findShape(text);
    if (shape === undefined) {
      return;
    }
    const settled = settledEnd(text, shape);
    if (
      settled === undefined ||
      nodes + settled > nodesMax ||
      /[^\t -~]/.test(bytes.toString('latin1', from, from + settled - 1)) ||
      !isLinear(text, shape)
    ) {
      return;
    }
    let node = 0;
    for (let index = 0; index < settled; index += 1) {
      const byte = bytes[from + index] ?? 0;
      const branch = node * branches + (isDigit(byte) ? zero : byte);
      if (index === settled - 1) {
        tree[branch] = -shapes.push({...shape, time: noBytes, minute: 0});
      } else {
        if (tree[branch] === 0) {
          tree[branch] = nodes;
          nodes += 1;
        }
        node = tree[branch] ?? 0;
      }
    }
  };

  const shapeAt = (bytes: Buffer, from: number, to: number): Shape | undefined => {
    let node = 0;
    for (let index = from; index < to; index += 1) {
      const byte = bytes[index] ?? 0;
      node = byte < branches ? (tree[node * branches + (byte >= zero && byte <= zero + 9 ? zero : byte)] ?? 0) : 0;
      if (node <= 0) {
        return shapes[-node - 1];
      }
    }
    return undefined;
  };

  /** Whether a time differs from the one before in the second and its decimals only. */
  const isSameMinute = (
    {start, second, decimals, decimalsEnd, end, time}: Shape,
    bytes: Buffer,
    from: number,
  ): boolean => {
    for (let index = start; index < end; index += 1) {
      const isOfSecond = index === second || index === second + 1 || (index >= decimals && index < decimalsEnd);
      if (!isOfSecond && bytes[from + index] !== time[index - start]) {
        return false;
      }
    }
    return true;
  };

  return {
    /** The time that was read last, since 1970. */
    found,
    /** Reads the time of a line, which ends with its newline. Returns whether it has one. */
    read: (bytes: Buffer, from: number, to: number): boolean => {
      const shape = shapeAt(bytes, from, to);
      if (shape === undefined) {
        const text = readWholeLine(bytes, from, to);
        const isTimed = tell(readTime(text));
        if (isTimed) {
          learn(bytes, from, text);
        }
        return isTimed;
      }
      const second = readDigits(bytes, from + shape.second, from + shape.second + 2);
      if (second > 59) {
        return tell(readTime(readWholeLine(bytes, from, to)));
      }
      if (shape.time === noBytes || !isSameMinute(shape, bytes, from)) {
        if (!tell(readTime(readWholeLine(bytes, from, to)))) {
          return false;
        }
        shape.time = Buffer.from(bytes.subarray(from + shape.start, from + shape.end));
        shape.minute = found.seconds - second;
        return true;
      }
      found.seconds = shape.minute + second;
      found.nanos = nanosOfDigits(bytes, from + shape.decimals, from + shape.decimalsEnd);
      return true;
    },
  };
};
