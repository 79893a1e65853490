import {sanitiseWord} from '../../../log/text/sanitise.ts';
import {keyFor} from '../../keys/keymap.ts';
import {joinParts} from '../../rows/fit-row.ts';
import {span, type ViewRow} from '../../rows/view-row.ts';
import type {Saving} from '../../state/state.ts';

const pathCharsMax = 300;

type Writing = Extract<Saving, {readonly kind: 'writing'}>;

/** Says how much of a file is saved. */
export const savingWords = ({share}: Writing): ViewRow => [
  span('saving', 'accent'),
  span(` ${Math.floor(share * 100)} %`),
];

/** Returns the state row while a file is being saved. */
export const selectSaving = (saving: Writing, columns: number): ViewRow =>
  joinParts(
    [
      {row: savingWords(saving), rank: 0},
      {row: [span(sanitiseWord(saving.path, pathCharsMax))], rank: 2},
    ],
    columns,
    {row: [span(keyFor('back', 'log'), 'strong'), span(' cancels', 'dim')], rank: 1},
  );
