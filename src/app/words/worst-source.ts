import type {LogSource, LogState} from '../state/state.ts';
import type {Connection} from '../tail/tail.ts';

/** The longer something is wrong the worse it is; of those that answer, the one that was heard of longest ago. */
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

/** The branch whose connection is the worst: what the header and the state row tell. */
export const worstSource = ({sources}: LogState): LogSource =>
  sources.reduce((worst, source) => {
    const [rank, sinceMs] = badness(source.tail.connection);
    const [worstRank, worstSinceMs] = badness(worst.tail.connection);
    return rank < worstRank || (rank === worstRank && sinceMs < worstSinceMs) ? source : worst;
  });
