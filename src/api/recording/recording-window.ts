import type {WindowPart} from './recording-format.ts';

/**
 * Describes a window by the previous one. Windows overlap, so most of a window is one run; if windows are cut for each
 * pod, lines also leave from the middle and there are several runs. For any windows, `expandWindow` restores exactly
 * the same lines.
 */
export const shortenWindow = (before: readonly string[], now: readonly string[]): readonly WindowPart[] => {
  const places = new Map<string, number>();
  for (const [index, line] of before.entries()) {
    if (!places.has(line)) {
      places.set(line, index);
    }
  }
  const parts: WindowPart[] = [];
  let run: {start: number; count: number} | undefined;
  const endRun = (): void => {
    if (run) {
      parts.push([run.start, run.count]);
      run = undefined;
    }
  };
  for (const line of now) {
    if (run && before[run.start + run.count] === line) {
      run.count += 1;
      continue;
    }
    endRun();
    const start = places.get(line);
    if (start === undefined) {
      parts.push(line);
    } else {
      run = {start, count: 1};
    }
  }
  endRun();
  return parts;
};

/** Returns the window's lines, or undefined if a part refers to lines that the previous window did not have. */
export const expandWindow = (
  before: readonly string[],
  parts: readonly WindowPart[],
): readonly string[] | undefined => {
  const lines: string[] = [];
  for (const part of parts) {
    if (typeof part === 'string') {
      lines.push(part);
      continue;
    }
    const [start, count] = part;
    if (start + count > before.length) {
      return undefined;
    }
    for (let index = start; index < start + count; index += 1) {
      lines.push(before[index] ?? '');
    }
  }
  return lines;
};
