import {sanitiseWord} from '../../log/sanitise.ts';
import {joinParts} from '../fit-row.ts';
import {keyFor} from '../keymap.ts';
import type {Saving} from '../state.ts';
import {span, type ViewRow} from '../view-row.ts';

const pathCharsMax = 300;

/** The state row while something is being saved. */
export const selectSaving = ({path, share}: Extract<Saving, {readonly kind: 'writing'}>, columns: number): ViewRow =>
  joinParts(
    [
      {row: [span('saving', 'accent'), span(` ${Math.floor(share * 100)} %`)], rank: 0},
      {row: [span(sanitiseWord(path, pathCharsMax))], rank: 2},
    ],
    columns,
    {row: [span(keyFor('back', 'log'), 'strong'), span(' cancels', 'dim')], rank: 1},
  );
