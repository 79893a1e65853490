import {createSummariser} from '#app/parts/summariser.ts';
import type {Play} from '../support/play.ts';

/** Carries out the orders to sum up of the last step: all at once, or with a clock that lets one part be read in each slice. */
export const answerSummaries = (play: Play, {slices = Number.POSITIVE_INFINITY} = {}): void => {
  const due: (() => void)[] = [];
  let clockMs = 0;
  const summariser = createSummariser({
    setTimer: callback => {
      due.push(callback);
      return () => due.splice(due.indexOf(callback), 1);
    },
    nowMs: () => {
      clockMs += 1000;
      return clockMs;
    },
    onCounted: counted => play.send({kind: 'summaryCounted', ...counted}),
  });
  for (const effect of play.effects) {
    if (effect.kind === 'summarise') {
      summariser.count(effect.order);
    }
  }
  for (let slice = 0; slice < slices && due.length > 0; slice++) {
    due.shift()?.();
  }
};
