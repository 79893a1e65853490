import type {Part} from '../rows/fit-row.ts';
import {span} from '../rows/view-row.ts';
import type {State} from '../state/state.ts';
import {formatLength, serviceNowMs} from './format-time.ts';

const minuteMs = 60_000;

/** Renders how long the token is valid, by the service's clock; empty if its claims can't be read. */
export const selectTokenPart = (state: State): Part => {
  const {tokenExpiresAtMs} = state;
  if (tokenExpiresAtMs === undefined) {
    return {row: [], rank: 3};
  }
  const leftMs = tokenExpiresAtMs - serviceNowMs(state);
  if (leftMs <= 0) {
    return {row: [span('token expired', 'bad')], rank: 1};
  }
  const words = `token good for ${formatLength(leftMs)}`;
  if (leftMs < 2 * minuteMs) {
    return {row: [span(words, 'bad')], rank: 1};
  }
  return leftMs < 10 * minuteMs ? {row: [span(words, 'busy')], rank: 2} : {row: [span(words, 'dim')], rank: 3};
};
