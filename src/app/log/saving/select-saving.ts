import {sanitiseWord} from '../../../log/text/sanitise.ts';
import {keyFor} from '../../keys/keymap.ts';
import {joinParts} from '../../rows/fit-row.ts';
import {span, type ViewRow} from '../../rows/view-row.ts';
import type {Saving} from '../../state/state.ts';

const pathCharsMax = 300;

/** Returns the state row while a file is being saved. */
export const selectSaving = ({path, share}: Extract<Saving, {readonly kind: 'writing'}>, columns: number): ViewRow =>
  joinParts(
    [
      {row: [span('saving', 'accent'), span(` ${Math.floor(share * 100)} %`)], rank: 0},
      {row: [span(sanitiseWord(path, pathCharsMax))], rank: 2},
    ],
    columns,
    {row: [span(keyFor('back', 'log'), 'strong'), span(' cancels', 'dim')], rank: 1},
  );
