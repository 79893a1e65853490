import {type Prompt, promptLabels} from '#app/keys/prompt.ts';
import {fitRow, joinParts} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {messageCharsMax} from '#app/rows/word-limits.ts';
import {cutToCells} from '#log/text/cut.ts';
import {sanitise, sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';

/** Renders the input line. Shows the end of a text that is too long, where the user types. */
export const selectPrompt = (prompt: Prompt, columns: number): ViewRow => {
  const label = ` ${promptLabels[prompt.kind]}`;
  const text = sanitise(prompt.text);
  const room = Math.max(1, columns - cellWidth(label) - 2);
  const hidden = Math.max(0, cellWidth(text) - room);
  const shown = hidden === 0 ? text : `…${cutToCells(text, room - 1, {from: hidden + 1, ellipsis: ''})}`;
  return fitRow([span(label, 'accent'), span(shown), span('█', 'accent')], columns);
};

const hasChoices = ({kind}: Prompt): boolean => kind === 'palette' || kind === 'compared';

/** While an input line is open, letters are text. Below it a notice about what was typed comes before the hints. */
export const selectPromptHints = (prompt: Prompt, columns: number, notice: string | undefined): ViewRow =>
  notice !== undefined
    ? fitRow([span(` ${sanitiseWord(notice, messageCharsMax)}`, 'busy')], columns)
    : joinParts(
        [
          {row: [span('Enter', 'strong'), span(' take', 'dim')], rank: 0},
          {row: [span('Esc', 'strong'), span(' leave', 'dim')], rank: 1},
          {
            row: [span('↑↓', 'strong'), span(hasChoices(prompt) ? ' choose' : ' typed before', 'dim')],
            rank: 2,
          },
        ],
        columns,
      );
