import type {LogSource, LogState} from '../state/state.ts';
import type {Connection} from '../tail/tail.ts';

/** The longer a failure lasts, the worse. Among healthy sources, the one with the oldest answer is the worst. */
const badness = (connection: Connection): readonly [rank: number, sinceMs: number] => {
  switch (connection.kind) {
    case 'failing':
      return [0, connection.sinceMs];
    case 'connecting':
      return [1, 0];
    case 'live':
      return [2, connection.lastGoodAtMs];
    case 'ended':
      return [3, 0];
    default:
      return connection satisfies never;
  }
};

/** Returns the branch with the worst connection, which the header and the state row show. */
export const worstSource = ({sources}: LogState): LogSource =>
  sources.reduce((worst, source) => {
    const [rank, sinceMs] = badness(source.tail.connection);
    const [worstRank, worstSinceMs] = badness(worst.tail.connection);
    return rank < worstRank || (rank === worstRank && sinceMs < worstSinceMs) ? source : worst;
  });
