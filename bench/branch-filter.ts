/**
 * Measures a key of the branch list's filter among 10,000 branches: the new state and its view, nothing drawn. Run by
 * `npm run bench`.
 */
import {decodeBranches} from '#api/client/decode-branches.ts';
import {selectView} from '#app/select-view.ts';
import {onBranches} from '../test/support/play.ts';
import {median, printFigure, timeMs} from './measure.ts';

const areas = ['checkout', 'payment', 'catalog', 'search', 'shipping', 'basket', 'account'];
const statuses = ['DEPLOY_APPLICATION_SUCCESS', 'DEPLOY_APPLICATION_FAILED', 'BUILD_APPLICATION_RUNNING', null];
const branches = decodeBranches(
  Array.from({length: 10_000}, (_, index) => ({
    _id: (index * 2_654_435_761).toString(16).padStart(24, '0'),
    name: `feature/${areas[index % 7]}-retry-the-${areas[(index * 3) % 7]}-when-it-fails-${index}`,
    status: statuses[index % 4],
  })),
).value;

const keysMs: number[] = [];
for (let run = 0; run < 15; run += 1) {
  const play = onBranches(branches, {columns: 120, rows: 35});
  play.send({kind: 'commandGiven', command: 'openFilter'});
  for (const text of 'chkout205') {
    keysMs.push(
      timeMs(() => {
        play.send({kind: 'textTyped', text});
        selectView(play.state);
      }),
    );
  }
}
printFigure({what: 'a letter of a filter, 10,000 branches: p50', value: median(keysMs), unit: 'ms', must: 16, aim: 5});
