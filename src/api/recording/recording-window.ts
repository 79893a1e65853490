import type {WindowPart} from './recording-format.ts';

/**
 * A window told by the one before it. Windows overlap, so most of it is one run; with windows cut for each pod lines leave from
 * the middle too, and it is several. Whatever the windows are, `expandWindow` gives exactly the lines again.
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

/** The window's lines, or undefined where a part names lines that the window before did not have. */
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
