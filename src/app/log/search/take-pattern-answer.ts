import {changePattern, findPattern} from '../../parts/patterns.ts';
import type {Event} from '../../state/event.ts';
import {withLog} from '../../state/handler.ts';
import type {LogState, State} from '../../state/state.ts';
import {applyFilters} from './apply-filters.ts';
import {restSearch, seekOn} from './search.ts';

type PatternAnswer = Extract<Event, {readonly patternId: number}>;

/** Takes what came of looking for a pattern; nothing where that is no longer in use. */
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
      // What is on the screen is asked for as a whole, so that what left it can be forgotten.
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
