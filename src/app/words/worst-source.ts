import type {LogSource, LogState, State} from '#app/state/state.ts';
import type {Connection} from '#app/tail/tail.ts';
import {isStale} from './connection-words.ts';

/** The longer a failure lasts, the worse. Among others of one rank, the one with the oldest answer is the worst. */
const badness = (connection: Connection, nowMs: number): readonly [rank: number, sinceMs: number] => {
  switch (connection.kind) {
    case 'failing':
      return [0, connection.sinceMs];
    case 'connecting':
      return [2, 0];
    case 'live': {
      const {lastGoodAtMs, slowedToMs} = connection;
      return [isStale(connection, nowMs) ? 1 : slowedToMs === undefined ? 4 : 3, lastGoodAtMs];
    }
    case 'ended':
      return [5, 0];
    default:
      return connection satisfies never;
  }
};

/** Returns the branch with the worst connection, which the header and the state row show. */
export const worstSource = ({nowMs}: Pick<State, 'nowMs'>, {sources}: LogState): LogSource =>
  sources.reduce((worst, source) => {
    const [rank, sinceMs] = badness(source.tail.connection, nowMs);
    const [worstRank, worstSinceMs] = badness(worst.tail.connection, nowMs);
    return rank < worstRank || (rank === worstRank && sinceMs < worstSinceMs) ? source : worst;
  });
