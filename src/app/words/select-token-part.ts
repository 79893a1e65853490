import type {Part} from '#app/rows/fit-row.ts';
import {span} from '#app/rows/view-row.ts';
import type {State} from '#app/state/state.ts';
import {formatLength, serviceNowMs} from './format-time.ts';

const minuteMs = 60_000;

/**
 * Renders how long the token is valid, by the service's clock: on narrow screens only once it matters. Empty if its
 * claims can't be read.
 */
export const selectTokenPart = (state: State): Part => {
  const {tokenExpiresAtMs} = state;
  if (tokenExpiresAtMs === undefined) {
    return {row: [], rank: 4};
  }
  const leftMs = tokenExpiresAtMs - serviceNowMs(state);
  if (leftMs <= 0) {
    return {row: [span('token expired', 'bad')], rank: 1};
  }
  const words = `token ${formatLength(leftMs)}`;
  if (leftMs < 10 * minuteMs) {
    return {row: [span(words, leftMs < 2 * minuteMs ? 'bad' : 'busy')], rank: 1};
  }
  return {row: [span(words, 'dim')], rank: 4};
};
