import {siteLabel} from '#app/choices/site-choices.ts';
import {keyFor} from '#app/keys/keymap.ts';
import {batchesOf, originalLine, type Scope} from '#app/parts/log-parts.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {askFor, type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import {visibleEntries} from '#log/view/viewport.ts';
import {formatDeepLink} from '#log/words/deep-link.ts';
import {countOf} from '#log/words/format-count.ts';
import {exportScope, scopeOf} from './export-scope.ts';
import {isAsWritten} from './line-sections.ts';
import {type Pane, paneOf} from './log-pane.ts';
import {cursorIndex, pickedRange, readerIndex, startPicking} from './picking.ts';

/** Pipes the lines in view to another program: the pager, or a command. */
export const pipeKeys: LogHandler = (state, log, command) => {
  if (command !== 'pipeToPager' && command !== 'pipeToCommand') {
    return undefined;
  }
  if (viewAll(log).entryCount === 0) {
    return next({...state, notice: 'there are no lines to pipe yet'});
  }
  return command === 'pipeToPager'
    ? next(state, {kind: 'pipe', request: {to: {kind: 'pager'}, scope: exportScope(state, log)}})
    : askFor(state, 'pipe');
};

/** Takes a typed command. */
export const takePipe = (state: State, log: LogState, text: string): Step => {
  const command = text.trim();
  return command === ''
    ? next({...state, notice: 'nothing was run: no command was given'})
    : next(state, {kind: 'pipe', request: {to: {kind: 'command', command}, scope: exportScope(state, log)}});
};

/** Copies the link to the reader's place, which `branchlog LINK` opens. */
export const copyLink: LogHandler = (state, log, command) => {
  if (command !== 'copyLink') {
    return undefined;
  }
  const pane = paneOf(state, log);
  const index = Math.min(readerIndex(log, pane), pane.view.entryCount - 1);
  const [entry] = index < 0 ? [] : pane.view.slice(index, 1);
  const branch = log.sources[entry?.source ?? 0]?.branch ?? log.sources[0].branch;
  const text = formatDeepLink({site: siteLabel(state.sites, log.siteId), branch: branch.name, at: entry?.entry.at});
  return next(state, {kind: 'copy', text, what: text});
};

/** No terminal takes more; most take far less. Characters. */
const copiedCharsMax = 8 * 1024 * 1024;

/** Copies lines as received or as written, without the prefixes and rows that the screen adds. */
export const copyKeys: LogHandler = (state, log, command) => {
  switch (command) {
    case 'copyLines':
      return copyPicked(state, log);
    case 'copyVisible':
      return copyVisible(state, log);
    default:
      return undefined;
  }
};

const copyPicked = (state: State, log: LogState): Step => {
  const pane = paneOf(state, log);
  const range = rangeToCopy(log, pane);
  if (range !== undefined) {
    const copied = copyScope(state, scopeOf(state, log, pane, range));
    // A selection that stays would silently be all that is saved or piped next.
    return log.cursor?.kind !== 'picking' || copied.effects.length === 0
      ? copied
      : {
          ...copied,
          state: withLog(copied.state, {...log, cursor: {...log.cursor, rangeFrom: undefined, isCopied: true}}),
        };
  }
  const picking = startPicking(log, pane);
  return next({
    ...withLog(state, picking),
    notice: picking === log ? 'no lines to copy yet' : `choose a line, ${keyFor('copyLines', 'log')} copies it`,
  });
};

/** Returns the picked range, else the cursor's entry if it is visible. */
const rangeToCopy = (log: LogState, pane: Pane): ReturnType<typeof pickedRange> => {
  if (log.cursor?.kind === 'picking') {
    return pickedRange(log, pane);
  }
  const index = cursorIndex(log, pane);
  return index === undefined ? undefined : {first: index, last: index};
};

const copyVisible = (state: State, log: LogState): Step => {
  const pane = paneOf(state, log);
  const visible = visibleEntries(log.viewport, pane.view, pane);
  const first = visible[0]?.index;
  return first === undefined
    ? next({...state, notice: 'no lines to copy yet'})
    : copyScope(state, {
        view: pane.view,
        first,
        end: first + visible.length,
        chosen: 'picked',
        asWritten: isAsWritten(state),
      });
};

const savingWords = (): string => `${keyFor('saveLines', 'log')} saves them to a file`;

const copyScope = (state: State, scope: Scope): Step => {
  const lines: string[] = [];
  let chars = 0;
  for (const entries of batchesOf(scope)) {
    for (const {entry} of entries) {
      if (entry.kind === 'line') {
        const line = originalLine(entry, scope.asWritten);
        lines.push(line);
        chars += line.length + 1;
      }
    }
    if (chars > copiedCharsMax) {
      return next({...state, notice: `too many lines for the clipboard: ${savingWords()}`});
    }
  }
  return lines.length === 0
    ? next({...state, notice: 'no lines to copy here: markers are not copied'})
    : next(state, {
        kind: 'copy',
        text: lines.join('\n'),
        what: countOf(lines.length, 'line'),
        advice: savingWords(),
      });
};
