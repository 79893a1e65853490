import type {Effect} from '#app/state/effect.ts';
import {chunkTextOf} from '#log/buffer/chunk-text.ts';
import {createMatcher} from '#log/pattern/matcher.ts';
import type {Play} from '../support/play.ts';

/** Answers the orders to look for patterns, as the thread does, until there are none. */
export const answerSearches = (play: Play): void => {
  for (let orders = searchOrders(play); orders.length > 0; orders = searchOrders(play)) {
    for (const order of orders) {
      answer(play, order);
    }
  }
};

type SearchOrder = Extract<Effect, {readonly kind: 'match' | 'findSpans'}>;

const searchOrders = ({effects}: Play): readonly SearchOrder[] =>
  effects.filter(effect => effect.kind === 'match' || effect.kind === 'findSpans');

const answer = (play: Play, order: SearchOrder): void => {
  const matcher = createMatcher(order.pattern);
  const {patternId} = order;
  if (order.kind === 'match') {
    const results = order.chunks.map(chunk => [chunk, matcher.matchChunk(chunkTextOf(chunk))] as const);
    play.send({kind: 'patternMatched', patternId, results});
  } else {
    const spansOfTexts = order.texts.map(text => matcher.findSpans(text));
    play.send({kind: 'spansFound', patternId, texts: order.texts, spansOfTexts});
  }
};
