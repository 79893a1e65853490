import {changePattern, findPattern} from '#app/search/patterns.ts';
import type {StampedEvent} from '#app/state/event.ts';
import {withLog} from '#app/state/handler.ts';
import type {LogState, State} from '#app/state/state.ts';
import {applyFilters} from '../apply-filters.ts';
import {restSearch, seekOn} from '../search.ts';

type PatternAnswer = Extract<StampedEvent, {readonly patternId: number}>;

/** Takes a search result; ignores it if the pattern is no longer in use. */
export const takePatternAnswer = (state: State, log: LogState, event: PatternAnswer): State => {
  const id = event.patternId;
  const active = findPattern(log.use, id);
  if (active === undefined) {
    return state;
  }
  switch (event.kind) {
    case 'patternMatched': {
      for (const [chunk, offsets] of event.results) {
        active.matches.take(chunk, offsets);
      }
      const use = changePattern(log.use, id, {version: active.matches.version()});
      return withLog(state, seekOn(state, applyFilters({...log, use})));
    }
    case 'spansFound': {
      // The request covers the whole screen, so that texts no longer on it can be dropped.
      const spans = new Map(event.texts.map((text, index) => [text, event.spansOfTexts[index] ?? []]));
      return withLog(state, {...log, use: changePattern(log.use, id, {spans})});
    }
    case 'patternSlow':
      return withLog(state, {...log, use: changePattern(log.use, id, {isSlow: true})});
    case 'patternFailed': {
      const use = changePattern(log.use, id, {failure: event.sentence});
      return {...withLog(state, restSearch({...log, use})), notice: event.sentence};
    }
    default:
      return event satisfies never;
  }
};
