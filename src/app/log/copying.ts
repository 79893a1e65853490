import {keyFor} from '#app/keys/keymap.ts';
import {batchesOf, type Scope} from '#app/parts/scope.ts';
import {type LogHandler, withLog} from '#app/state/handler.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type Step, stay} from '#app/state/step.ts';
import {visibleEntries} from '#log/view/viewport.ts';
import {countOf} from '#log/words/format-count.ts';
import {scopeOf} from './export-scope.ts';
import {isAsWritten, originalLine} from './lines/original-line.ts';
import {type Pane, paneOf} from './log-pane.ts';
import {cursorIndex} from './pane/cursor.ts';
import {pickedRange, startPicking} from './picking.ts';

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
  return stay({
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
    ? stay({...state, notice: 'no lines to copy yet'})
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
      return stay({...state, notice: `too many lines for the clipboard: ${savingWords()}`});
    }
  }
  return lines.length === 0
    ? stay({...state, notice: 'no lines to copy here: markers are not copied'})
    : stay(state, {
        kind: 'copy',
        text: lines.join('\n'),
        what: countOf(lines.length, 'line'),
        advice: savingWords(),
      });
};
