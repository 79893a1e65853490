import type {LineEntry} from '#log/line/entry.ts';
import type {Anchor, LogView} from './log-view.ts';

/** Returns the line at an anchor; undefined if it is no line, or not in the view any more. */
export const lineAt = (view: LogView, anchor: Anchor | undefined): LineEntry | undefined => {
  const [found] = anchor === undefined ? [] : view.slice(view.indexOf(anchor), 1);
  return found?.entry.kind === 'line' && found.source === anchor?.source && found.entry.id === anchor.id
    ? found.entry
    : undefined;
};
