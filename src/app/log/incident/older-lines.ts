import {instantFromMs} from '../../../log/line/instant.ts';
import {type LogHandler, withLog} from '../../state/handler.ts';
import {viewAll} from '../../state/log-sources.ts';
import type {State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {canReadBackTo, canReadOn} from '../../tail/has-unread.ts';
import {formatLogTime} from '../../words/format-time.ts';
import {olderWords} from './older-words.ts';
import {openIncident} from './update-incident.ts';

/** A baseline is looked for in so much more log at least, in milliseconds. */
const olderMsMin = 15 * 60_000;

/** Reads lines from before the first ones: as much again as is held. Where none can be read, says what would help. */
export const readOlder: LogHandler = (state, log, command) => {
  if (command !== 'readOlder') {
    return undefined;
  }
  const view = viewAll(log);
  const [oldest, newest] = [view.timeAt(0), view.timeAt(view.entryCount - 1)];
  const isUnread = log.sources.some(({tail}) => canReadOn(tail, 'earlier'));
  if (oldest === undefined || newest === undefined || !isUnread) {
    return stay({...state, notice: olderWords(log)});
  }
  const least = instantFromMs(olderMsMin);
  const readBackTo = oldest - (newest - oldest > least ? newest - oldest : least);
  const notice = `reading back to ${formatLogTime(state, readBackTo)}`;
  return stay({...withLog(state, {...log, readBackTo}), notice});
};

/** Once older lines were read as far as they were wanted, finds the incident on the screen anew. */
export const settleOlder = (state: State): Step => {
  const {log} = state;
  const {readBackTo} = log ?? {};
  if (log === undefined || readBackTo === undefined || log.sources.some(({tail}) => canReadBackTo(tail, readBackTo))) {
    return stay(state);
  }
  const settled = {...log, readBackTo: undefined};
  return log.overlay?.kind === 'incident' ? openIncident(state, settled) : stay(withLog(state, settled));
};
