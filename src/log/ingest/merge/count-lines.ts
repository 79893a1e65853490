import type {LineEntry} from '#log/line/entry.ts';
import type {ReadWindow} from '#log/window/window-line.ts';
import type {Added} from '../added.ts';

/** Counts the lines that are a banner. */
export const countBanners = ({raws}: ReadWindow, banners: ReadonlySet<string>): number =>
  banners.size === 0 ? 0 : Array.from(raws).filter(raw => banners.has(raw)).length;

/** Counts lines that begin like one of the window before. */
export const countGrown = (before: ReadWindow | undefined, lines: readonly LineEntry[]): number => {
  const pieces = new Set(before?.raws ?? []);
  const lengths = [...new Set([...pieces].map(({length}) => length))];
  const isGrown = ({raw}: LineEntry): boolean =>
    lengths.some(length => length < raw.length && pieces.has(raw.slice(0, length)));
  return lines.filter(isGrown).length;
};

/** Counts lines but for what may be a piece: one without a timestamp at the front, and those that have grown. */
export const countWhole = (before: ReadWindow | undefined, now: ReadWindow, added: Added<LineEntry>): number => {
  const front = now.received.get(0);
  const isPiece = front?.textIndex === 0 && now.received.hasStamp() && added.some(({raw}) => raw === front.raw);
  return added.length - (isPiece ? 1 : 0) - countGrown(before, [...added]);
};

/** Returns how many lines left, by how many there were, came and are there. */
export const countLeft = (before: ReadWindow | undefined, now: ReadWindow, cameCount: number): number =>
  before === undefined
    ? 0
    : Math.min(before.received.length, Math.max(0, before.received.length + cameCount - now.received.length));
